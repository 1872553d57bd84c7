import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { bought, lineOf, postAfterSales, readOrder } from '../support/commerce/after-sales.ts'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { paidBy } from '../support/commerce/paid-orders.ts'
import { startShop } from '../support/commerce/shop.ts'
import { atFileEnd } from '../support/file-end.ts'
import { operatorClient } from '../support/operator.ts'
import { temporaryFolder } from '../support/processes/command.ts'
import { freePort } from '../support/processes/free-port.ts'

const PROGRAM = join(import.meta.dirname, '../../docs/guides/erp.ts')

/** The requests of the ERP, counted over all its lives, that it dies at: some before they take effect, some after. */
const DEADLY = [2, 4, 9, 16, 25, 34]

/** A proxy in front of the operator door that kills the ERP at some of its requests, before or after they take effect. */
async function deadlyProxy(origin: string, isDeadly: (nth: number) => 'before' | 'after' | null, kill: () => void) {
  let requests = 0
  const server = createServer(async (incoming, outgoing) => {
    requests += 1
    const moment = isDeadly(requests)
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    if (moment === 'before') return kill()
    const body = Buffer.concat(parts)
    const { authorization = '', 'content-type': type } = incoming.headers
    const answer = await fetch(origin + incoming.url, {
      method: incoming.method ?? 'GET',
      headers: { authorization, ...(type && { 'content-type': type }) },
      ...(body.length > 0 && { body }),
    })
    const text = await answer.text()
    if (moment === 'after') return kill()
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  atFileEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests }
}

test('an ERP books, ships and takes back each order of its store once and in order, killed six times', async () => {
  const [port, folder] = [await freePort(), await temporaryFolder()]
  const shop = await startShop({ environment: { WEBHOOK_ALLOWED_TARGETS: `127.0.0.1:${port}` } })
  // The receiver of webhooks has the clock of the machine.
  shop.clock.advance(Date.now() - shop.clock.now().getTime())
  const [operator, client, another] = [
    await operatorClient(shop),
    await checkoutClient(shop),
    await checkoutClient(shop),
  ]
  const access = { orders: 'write', catalog: 'write' }
  const { integration, token } = await operator.change('POST', '/integrations', {
    name: 'ERP',
    access,
    storeSlug: 'books',
  })
  const { secret } = await operator.change('POST', `/integrations/${integration.id}/webhook-endpoints`, {
    environment: 'test',
    url: `http://127.0.0.1:${port}/`,
    events: ['*'],
  })

  let child: ChildProcess | null = null
  let isDone = false
  let kills = 0
  const proxy = await deadlyProxy(
    operator.origin,
    (nth) => (!DEADLY.includes(nth) ? null : DEADLY.indexOf(nth) % 2 === 0 ? 'before' : 'after'),
    () => {
      kills += 1
      child?.kill('SIGKILL')
    },
  )
  const env = {
    ...process.env,
    VITRINE_OPERATOR_URL: proxy.url,
    VITRINE_TOKEN: token,
    VITRINE_WEBHOOK_SECRET: secret,
    ERP_FOLDER: folder,
    ERP_PORT: String(port),
    ERP_POLL_SECONDS: '0.2',
  }
  let progress = Promise.withResolvers<void>()
  const start = () => {
    child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout?.on('data', () => progress.resolve())
    child.once('exit', () => {
      progress.resolve()
      if (!isDone) start()
    })
  }
  atFileEnd(async () => {
    isDone = true
    child?.kill('SIGKILL')
  })
  const books = () => {
    const file = join(folder, 'books.json')
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { orders: [], bookedReturns: [], stock: {} }
  }
  const until = async (isReached: () => boolean) => {
    for (let rounds = 0; !isReached(); rounds += 1) {
      assert.ok(rounds < 100, JSON.stringify(books()))
      await progress.promise
      progress = Promise.withResolvers()
      await shop.work()
    }
  }

  writeFileSync(join(folder, 'stock.json'), JSON.stringify({ NOVEL: 33 }))
  const own: string[] = []
  const order = async (units: Record<string, number>, by = client) => {
    const { id } = await paidBy(shop, by, units)
    if (units.NOVEL) own.push(id)
    return id
  }
  await order({ NOVEL: 1 })
  await order({ MUG: 1 })
  await order({ NOVEL: 2, MUG: 1 }, another)
  await shop.work()
  start()
  await until(() => books().orders.length === 2)
  await order({ NOVEL: 3 }, another)
  await order({ MUG: 2 })
  const sold = await bought(shop, client, { NOVEL: 1 })
  own.push(sold.id)
  await shop.work()
  const isShipped = () =>
    books().orders.filter(({ state }: { state: string }) => state === 'shipped').length === own.length
  await until(isShipped)

  const { fulfilments } = (await operator.get(`/orders/${sold.id}`)).body.data
  await operator.change('POST', `/fulfilments/${fulfilments[0].id}/delivered`, {})
  const line = lineOf(shop, await readOrder(client, sold.id), 'NOVEL')
  const lines = [{ lineId: line.id, quantity: 1, condition: 'unopened' }]
  const answer = await postAfterSales(client, sold.id, { kind: 'return', reasonCode: 'size_or_fit', lines })
  const returnId = answer.body.data.id
  writeFileSync(join(folder, 'arrived', returnId), '')
  await shop.work()
  await until(() => books().bookedReturns.includes(returnId))
  isDone = true

  const found = books()
  assert.deepEqual(
    found.orders.map(({ id }: { id: string }) => id),
    own,
  )
  assert.deepEqual(
    found.orders.map(({ units }: { units: object }) => units),
    [{ NOVEL: 1 }, { NOVEL: 2 }, { NOVEL: 3 }, { NOVEL: 1 }],
  )
  assert.ok(kills >= 5, `${kills} kills in ${proxy.requests()} requests`)
  for (const id of own) {
    const { fulfilments: parcels } = (await operator.get(`/orders/${id}`)).body.data
    const shipped = parcels.filter((parcel: { reference?: string }) => parcel.reference?.startsWith('ERP-'))
    assert.equal(shipped.length, 1, 'one parcel of its store')
    assert.equal(shipped[0].store.slug, 'books')
  }
  const { request } = (await operator.get(`/after-sales/${returnId}`)).body.data
  assert.equal(request.status, 'resolving')
  assert.equal(found.stock.NOVEL, 33)
  const names = await shop.query(`select distinct operator_email as name from audit_log where via = 'integration'`)
  assert.deepEqual(names, [{ name: 'ERP' }])
  process.stdout.write(`ERP: killed ${kills} times in ${proxy.requests()} requests\n`)
})
