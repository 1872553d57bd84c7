import assert from 'node:assert/strict'
import { request } from 'node:http'
import { before, describe, test } from 'node:test'
import { operatorOperations } from '@vitrine/contract/operator'
import { begunSession, checkoutClient, waitsForTransfer } from '../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../test/support/operator.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import { statement } from '../../platform/postgres/index.ts'
import { linesWhileAllowed } from './access.ts'

/* A request that takes long ends with the session, the token or the role that it began with. */

const PASSWORD = 'a long enough pass phrase'
/** Of an import: 200 orders are one transaction. */
const BATCH = 200

let shop: Shop
let commandLine: OperatorClient
let anonymous: OperatorClient
before(async () => {
  shop = await startShop()
  commandLine = await operatorClient(shop)
  anonymous = await operatorClient(shop, {})
  // One that remains, so that the others can be disabled.
  await signedIn('owner@shop.example')
})

const imported = statement<{ count: number }>(
  'test.imported_orders',
  `select count(*)::integer as count from orders where external_id like $1 || '-%'`,
)
const countOf = async (prefix: string) => (await shop.database.reader.row(imported, [prefix]))?.count ?? 0

const lines = (prefix: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      externalId: `${prefix}-${from + index}`,
      placedAt: '2025-11-03T09:14:00Z',
      currency: 'EUR',
      country: 'DE',
      email: 'ada@example.com',
      store: 'ceramics',
      lines: [{ sku: 'MUG', name: 'Mug', quantity: 1, unitPrice: 1000 }],
    }),
  ).join('\n')

type Headers = Readonly<Record<string, string>>

/** Uploads a file in two parts, with a change between them. @returns the response */
async function uploadAcross(
  headers: Headers,
  path: string,
  parts: readonly [string, string],
  change: () => Promise<unknown>,
) {
  const sending = request(`${commandLine.origin}/operator/v1${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
  })
  const answered = new Promise<{ status: number | undefined; code: string }>((done, failed) => {
    sending.on('error', failed).on('response', async (response) => {
      const chunks = []
      for await (const chunk of response) chunks.push(chunk)
      done({ status: response.statusCode, code: JSON.parse(Buffer.concat(chunks).toString()).code })
    })
  })
  sending.write(parts[0])
  await change()
  sending.end(parts[1])
  return answered
}

/** Sends orders for two transactions, and changes something after the first. @returns the response and the number of imported orders */
async function importAcross(headers: Headers, prefix: string, change: () => Promise<unknown>) {
  const { installationId } = await shop.client()
  const path = `/order-imports?format=jsonl&installationId=${installationId}`
  const parts = [`${lines(prefix, 0, BATCH + 1)}\n`, lines(prefix, BATCH + 1, BATCH)] as const
  const answer = await uploadAcross(headers, path, parts, async () => {
    while ((await countOf(prefix)) < BATCH);
    await change()
  })
  return { ...answer, count: await countOf(prefix) }
}

async function signedIn(email: string, role = 'owner') {
  const { id } = await commandLine.change('POST', '/operators', { email, role, password: PASSWORD })
  const { headers } = await anonymous.send('POST', '/sessions', { email, password: PASSWORD })
  return { id, cookie: { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '' } }
}

describe('an import of orders stops', () => {
  test('when its operator is disabled: session_required', async () => {
    const { id, cookie } = await signedIn('ada@shop.example')
    const disable = () => commandLine.change('PATCH', `/operators/${id}`, { status: 'disabled' })
    assert.deepEqual(await importAcross(cookie, 'D', disable), { status: 401, code: 'session_required', count: BATCH })
  })

  test('when its operator gets another role: role_insufficient', async () => {
    const { id, cookie } = await signedIn('ben@shop.example')
    const demote = () => commandLine.change('PATCH', `/operators/${id}`, { role: 'read_only' })
    assert.deepEqual(await importAcross(cookie, 'R', demote), { status: 403, code: 'role_insufficient', count: BATCH })
  })

  test('when its session is ended', async () => {
    const { cookie } = await signedIn('cleo@shop.example')
    const signOut = () => anonymous.send('DELETE', '/session', undefined, cookie)
    assert.deepEqual(await importAcross(cookie, 'S', signOut), { status: 401, code: 'session_required', count: BATCH })
  })
})

test('an import of orders goes on while its session lasts, also with another role that suffices', async () => {
  const { id, cookie } = await signedIn('dora@shop.example', 'manager')
  const promote = () => commandLine.change('PATCH', `/operators/${id}`, { role: 'owner' })
  const { status, count } = await importAcross(cookie, 'G', promote)
  assert.deepEqual([status, count], [200, 2 * BATCH + 1])
})

test('a bank statement books nothing once the session that began its upload has ended', async () => {
  const session = await begunSession(shop, await checkoutClient(shop), { BOWL: 1 })
  const chargeId = await waitsForTransfer(shop, session)
  const file = `Buchungstag;Verwendungszweck;Betrag;Waehrung\n30.11.2026;${chargeId.slice(-10)};26,90;EUR\n`
  const { plan, lines: matched } = await commandLine.upload('/bank-statements/preview?environment=test', file)
  assert.equal(matched[0].match, 'exact')
  const { cookie } = await signedIn('eve@shop.example')
  const path = `/bank-statements?environment=test&plan=${encodeURIComponent(plan)}`
  const { status } = await uploadAcross(cookie, path, [file.slice(0, 20), file.slice(20)], () =>
    anonymous.send('DELETE', '/session', undefined, cookie),
  )
  assert.equal(status, 401)
  const [booked] = await shop.query('select count(*)::integer as count from bank_statement_lines')
  assert.equal(booked?.count, 0)
})

test('a download breaks off when its session has ended', async () => {
  const operator = { id: 'opr_a', email: 'ada@shop.example', role: 'owner', via: 'session' } as const
  let isOpen = true
  const signed = { operator, token: null, reload: async () => (isOpen ? operator : null) }
  const place = { signed, row: operatorOperations.exportOrders, reader: shop.database.reader }
  let count = 0
  const read = async () => {
    for await (const _ of linesWhileAllowed(Array(2000).fill('a line'), place)) {
      count += 1
      isOpen = count < 700
    }
  }
  await refuses('session_required', read)
  assert.ok(count >= 700 && count < 2000, `${count} lines`)
})
