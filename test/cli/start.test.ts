// test: long
import assert from 'node:assert/strict'
import { type ExecFileException, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import consumers from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { vitrine } from '@vitrine/sdk'
import { statement } from '@vitrine/server'
import { waitsForLock } from '../support/before-commit.ts'
import { catalogOn, productLine, storeLine } from '../support/commerce/catalog.ts'
import { BERLIN } from '../support/commerce/checkout.ts'
import { testDatabase } from '../support/database.ts'
import { hiddenValue, pageVisitor } from '../support/pages/page-visitor.ts'
import {
  background,
  command,
  freePorts,
  launched,
  type Running,
  temporaryFolder,
} from '../support/processes/command.ts'
import { boundKey } from '../support/processes/service.ts'
import { SEALING_KEY } from '../support/secrets.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const FIRST_OPERATOR = { email: 'ada@shop.example', password: 'a long enough pass phrase' }
const OPEN = /Ctrl\+C stops it|^\{.*\}\n$/s

async function stopped({ child, ended }: Running) {
  const startedAt = performance.now()
  child.kill('SIGTERM')
  const ran = await ended
  assert.ok(performance.now() - startedAt < 10_000, 'it took longer than ten seconds')
  return ran
}

/** A connection that is accepted while the processes close the shared door may get no response, and counts as refused. */
const isLetIn = (url: string) =>
  fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(1000) }).then(
    () => true,
    () => false,
  )

/** Runs a line as a shell does, with `vitrine` where npx would find it. */
function pasted(line: string): Promise<{ readonly code: number; readonly out: string }> {
  const launched = line.replace(/^npx vitrine /, `'${process.execPath}' cli/bin/vitrine.js `)
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', launched], { cwd: repository }, (error: ExecFileException | null, out) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out }),
    )
  })
}

/** Sends what a printed `curl` line would send, so that no curl has to be there. */
async function fetched(line: string): Promise<unknown> {
  const header = /-H '([^:]+): ([^']+)'/.exec(line)
  const [url = ''] = /https?:\/\/[^' ]+/.exec(line) ?? []
  const response = await fetch(url, header ? { headers: { [header[1]!]: header[2]! } } : {})
  assert.equal(response.status, 200, line)
  return ((await response.json()) as { data: unknown }).data
}

/** Fills a cart with a printed key and begins its checkout, as an example shop would. */
async function checkedOut(baseUrl: string, keys: Readonly<Record<string, string>>) {
  const privateKey = JSON.parse(await readFile(keys.privateKeyFile ?? '', 'utf8'))
  const shop = vitrine({ baseUrl, key: keys.boundKey ?? '', privateKey })
  const { skus } = await shop.call('getCatalogProduct', { params: { slug: 'daybreak-mug' } })
  const lines = [{ skuId: skus[0]!.id, quantity: 1 }]
  const { id: cartId } = await shop.call('createPublicCart', { body: { currency: 'EUR', country: 'DE', lines } })
  const body = { shipping: BERLIN, contact: { email: 'ada@example.com' } }
  const { shippingOptions } = await shop.call('setPublicCartAddress', { params: { cartId }, body })
  const shippingOptionId = shippingOptions[0]!.id
  await shop.call('setPublicCartAddress', { params: { cartId }, body: { shippingOptionId } })
  const { returnUrl = '', cancelUrl = '' } = keys
  return shop.call('checkoutPublicCart', { params: { cartId }, body: { returnUrl, cancelUrl } })
}

/** Pays on the page of a checkout, as a shopper without script, and waits for the outcome. */
async function payWithTestCard(page: string): Promise<void> {
  const shopper = pageVisitor(page)
  const { text } = await shopper.open(page)
  const fields = {
    provider: 'simulator',
    version: hiddenValue({ text }, 'version'),
    documents: hiddenValue({ text }, 'documents'),
    accepted: 'yes',
  }
  assert.equal((await shopper.send(`${page}/pay`, fields)).status, 303)
  while (!(await shopper.open(page)).text.includes('Thank you for your order')) await pause(20)
}

describe('vitrine start, for the first time', () => {
  let env: Record<string, string>
  let started: Running
  let said: string
  before(async () => {
    env = { DATA_DIR: await temporaryFolder(), ...(await freePorts()) }
    started = background(['start'], { env })
    said = await started.saying(OPEN)
  })

  /** The blocks of commands of a page, or of one of its sections. */
  async function commandsOf(page: string, heading = ''): Promise<string[]> {
    const sections = (await readFile(join(repository, page), 'utf8')).split(/^(?=## )/m)
    const text = sections.filter((section) => section.startsWith(heading)).join('')
    return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines!)
  }

  /** A shell that runs commands in a folder that looks like the one in which the server runs. */
  async function shellOn(commands: readonly string[]) {
    // As npx finds it.
    const npx = `npx() { shift; "${process.execPath}" "${repository}/cli/bin/vitrine.js" "$@"; }`
    const folder = await temporaryFolder()
    await symlink(env.DATA_DIR ?? '', join(folder, '.data'))
    await symlink(join(repository, 'docs'), join(folder, 'docs'))
    return spawn('/bin/sh', ['-e', '-c', [npx, ...commands].join('\n')], {
      cwd: folder,
      env: { ...env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    })
  }

  test('the commands of the README, pasted one after another, search, read with a key and create a cart', async () => {
    const commands = await commandsOf('README.md', '## Try it')
    assert.equal(commands.length, 3)
    const { public: door } = JSON.parse(await readFile(join(env.DATA_DIR ?? '', 'doors.json'), 'utf8'))
    const shell = await shellOn(commands.map((lines) => lines.replaceAll('http://127.0.0.1:8080', door.url)))
    const out = await consumers.text(shell.stdout)
    for (const expected of ['"correctedQuery":"teapot"', '"slug":"tableware"', '"id": "cart_'])
      assert.ok(out.includes(expected), `${expected}\n${out}`)
  })

  test('the commands of the tutorial, pasted one after another, lead to a paid order', async () => {
    const commands = await commandsOf('docs/start.md')
    assert.ok(commands.length >= 10)
    const checkout = commands.findIndex((lines) => lines.includes('pick url'))
    // Here someone opens the page in a browser.
    commands.splice(checkout + 1, 0, 'read paid\n')

    const shell = await shellOn(commands)
    let [out, err] = ['', '']
    let isPaying = false
    shell.stderr.on('data', (part) => {
      err += part
    })
    shell.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part
      const [page] = /^http\S+\/checkout\/\S+$/m.exec(out) ?? []
      if (page === undefined || isPaying) return
      isPaying = true
      void payWithTestCard(page).then(
        () => shell.stdin.end('\n'),
        (error: Error) => {
          err += error.message
          shell.stdin.end()
        },
      )
    })
    const [code] = await once(shell, 'close')
    assert.equal(code, 0, err)

    for (const expected of [
      '"correctedQuery":"daybreak"',
      'Daybreak Mug',
      'Four for three',
      '"in_force"',
      '"paymentStatus":"paid"',
      '1 created',
    ]) {
      assert.ok(out.includes(expected), `${expected}\n${out}`)
    }
    const fiveMugs = [...out.matchAll(/"quantity":5\b/g)].length
    assert.ok(fiveMugs >= 3, 'the repeated call is answered alike, and adds nothing; so many are ordered')
    assert.doesNotMatch(out, /"quantity":6\b/)
    assert.match(out, /"slug": "a-tin-whistle"/)
  })

  test('creates its database, loads the demo, and prints addresses, keys and commands that work when pasted', async () => {
    for (const door of ['public', 'pages', 'operator']) assert.match(said, new RegExp(`^ {2}${door} +http://`, 'm'))
    const [privateKeyFile = ''] = /(?<=private key {2}).*/.exec(said) ?? []
    assert.equal((await stat(privateKeyFile)).mode & 0o777, 0o600)
    assert.equal((await stat(join(env.DATA_DIR ?? '', 'demo-keys.json'))).mode & 0o777, 0o600)

    const lines = said.replaceAll('\\\n', ' ').split('\n')
    const [search, categories] = lines.filter((line) => line.startsWith('  curl')).map((line) => line.trim())
    const call = lines.find((line) => line.startsWith('  npx'))!.trim()
    assert.equal(((await fetched(search!)) as unknown[]).length, 3)
    assert.ok(((await fetched(categories!)) as unknown[]).length > 10)
    const made = await pasted(call)
    assert.equal(made.code, 0)
    assert.equal(JSON.parse(made.out).status, 'active')

    const doctor = await command(['doctor', '--json'], { env })
    assert.equal(JSON.parse(doctor.out).healthy, true, doctor.out)
    assert.match(doctor.out, /in use by Vitrine/)
    const demo = await command(['demo', 'load', '--json'], { env })
    const { created, unchanged, keys: again } = JSON.parse(demo.out)
    assert.equal(created, 0)
    assert.ok(unchanged > 150)
    assert.ok(said.includes(again.readKey) && said.includes(again.storeKey) && said.includes(again.boundKey))

    assert.deepEqual((await stopped(started)).code, 0)

    const next = background(['start', '--json'], { env })
    const { doors, shop, demo: kept, ...others } = JSON.parse(await next.saying(OPEN))
    assert.deepEqual(kept, { file: join(env.DATA_DIR ?? '', 'demo-keys.json') }, 'keys are printed once')
    assert.equal(JSON.parse(await readFile(again.privateKeyFile, 'utf8')).crv, 'P-256')
    const { cartId } = { cartId: JSON.parse(made.out).id }
    const app = vitrine({ baseUrl: doors.public, key: again.readKey })
    assert.equal((await app.call('getPublicCart', { params: { cartId } })).status, 'active', 'nothing was lost')
    const { status, url } = await checkedOut(doors.public, again)
    assert.equal(status, 'open', 'the printed key and return URLs lead to a checkout')
    assert.equal((await fetch(url ?? '')).status, 200)

    const setupFile = join(env.DATA_DIR ?? '', 'setup-link')
    assert.deepEqual(others, { setupFile }, 'and so is the setup link')
    assert.equal((await fetch(shop)).status, 200, 'the example shop is open')
    assert.equal((await fetch(`${doors.operator}/docs/`)).status, 200, 'and so is the documentation')
    const link = (await readFile(setupFile, 'utf8')).trim()
    assert.ok(said.includes(link))
    assert.equal((await stat(setupFile)).mode & 0o777, 0o600)
    const setUp = await fetch(`${doors.operator}/operator/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...FIRST_OPERATOR, setupToken: new URL(link).hash.slice(1) }),
    })
    assert.equal(setUp.status, 200)
    const ended = await stopped(next)
    assert.equal(ended.code, 0)
    assert.equal(ended.out.split('\n').length, 2, 'one document, and nothing else on standard output')

    const last = background(['start'], { env })
    const text = await last.saying(OPEN)
    assert.doesNotMatch(text, /sfk_|setup/)
    assert.match(text, /The keys of the demo: see .*demo-keys\.json/)
    await assert.rejects(stat(setupFile), 'the link is of no use once there is an operator')
    await stopped(last)
  })

  test('loads no demo where other machines reach it', async () => {
    const env = { DATA_DIR: await temporaryFolder(), ...(await freePorts()), PUBLIC_URL: 'https://api.shop.example' }
    const open = background(['start'], { env })
    assert.doesNotMatch(await open.saying(OPEN), /demo|sfk_/)
    const store = await fetch(`http://127.0.0.1:${env.PUBLIC_PORT}/api/v1/catalog/merchants/quire-and-crema`)
    assert.equal(store.status, 404)
    assert.match((await stopped(open)).err, /No demo is loaded/)
  })
})

describe('vitrine start --workers 2, with the demo', () => {
  test('lets the example shop follow its orders', async () => {
    const env = { DATA_DIR: await temporaryFolder(), ...(await freePorts()) }
    const node = background(['start', '--workers', '2', '--json'], { env })
    const { doors, demo, shop: shopUrl } = JSON.parse(await node.saying(OPEN))
    const privateKey = JSON.parse(await readFile(demo.privateKeyFile, 'utf8'))
    const client = vitrine({ baseUrl: doors.public, key: demo.boundKey, privateKey })
    const body = { url: `${shopUrl}/webhooks/another`, events: ['order.updated'] as const }
    assert.equal((await client.call('createInstallationWebhook', { body })).status, 'enabled')
    await stopped(node)
  })
})

// Created here and not in a hook, which would remove it after the first test.
let sharedFolder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  sharedFolder = await temporaryFolder()
})

describe('vitrine start --workers 2, on a database of its own', () => {
  const RATE_LIMITS = JSON.stringify({ 'public-read': { limit: 60, windowSeconds: 60, burst: 20 } })
  let node: Running
  let doors: Record<'public' | 'pages' | 'operator', string>
  let env: Readonly<Record<string, string>>
  let shared: Awaited<ReturnType<typeof testDatabase>>
  before(async () => {
    shared = await testDatabase()
    await catalogOn(shared.database).has([storeLine('pots'), productLine('pot')], 'pots')
    env = { DATABASE_URL: shared.url, DATA_DIR: sharedFolder, ...(await freePorts()), RATE_LIMITS }
    node = background(['start', '--workers', '2', '--json'], { env })
    const { doors: opened, demo } = JSON.parse(await node.saying(OPEN))
    doors = opened
    assert.equal(demo, undefined, 'nobody asked for the demo')
  })

  test('opens the operator door with liveness, readiness, metrics and the OpenAPI document', async () => {
    const read = async (path: string) => {
      const response = await fetch(doors.operator + path)
      assert.equal(response.status, 200)
      return response.text()
    }
    assert.equal(await read('/livez'), '{"status":"alive"}')
    assert.equal(await read('/readyz'), '{"status":"ready"}')
    assert.equal(JSON.parse(await read('/openapi.json')).servers[0].url, doors.public)
    const figures = await read('/metrics')
    for (const name of [
      'vitrine_request_duration_seconds',
      'vitrine_request_errors_total',
      'vitrine_kept_answer_bytes',
      'vitrine_database_connections',
      'vitrine_jobs_due',
      'process_resident_memory_bytes',
    ]) {
      assert.match(figures, new RegExp(`^# TYPE ${name} `, 'm'))
    }
  })

  test('its processes share one rate limit', async () => {
    const ask = () => fetch(`${doors.public}/api/v1/catalog/categories`, { headers: { connection: 'close' } })
    const statuses = (await Promise.all(Array.from({ length: 80 }, ask))).map(({ status }) => status)
    const answered = statuses.filter((status) => status === 200).length
    assert.ok(answered >= 15 && answered <= 25, `${answered} of 80 were answered, where 20 may`)
    assert.equal(statuses.filter((status) => status === 429).length, 80 - answered)

    const figures = await (await fetch(`${doors.operator}/metrics`)).text()
    assert.match(figures, /^vitrine_processes 3$/m, 'the first one, and the two that share the public door')
    const counted = figures.matchAll(/^vitrine_request_duration_seconds_count\{.*"listCatalogCategories".*\} (\d+)$/gm)
    const total = [...counted].reduce((sum, [, count]) => sum + Number(count), 0)
    assert.equal(total, 80, 'the metrics add up the answers of all processes')
  })

  test('is not ready before its public door is open', async () => {
    const ports = await freePorts()
    const { OPERATOR_PORT, PUBLIC_PORT } = ports
    const own = background(['start', '--workers', '2', '--json'], { env: { ...env, ...ports } })
    const isReady = () =>
      fetch(`http://127.0.0.1:${OPERATOR_PORT}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      )
    while (!(await isReady())) await pause(5)
    assert.equal((await fetch(`http://127.0.0.1:${PUBLIC_PORT}/api/v1/catalog/categories`)).status, 200)
    assert.equal((await stopped(own)).code, 0)
  })

  test('its processes execute an idempotency key once', async () => {
    const { key, privateKey } = await boundKey(shared.database)
    // A client each, as after a restart: none knows of the other.
    const apps = Array.from({ length: 8 }, () => vitrine({ baseUrl: doors.public, key, privateKey }))
    const body = { currency: 'EUR', country: 'DE' }
    const idempotencyKey = randomUUID()
    const carts = await Promise.all(apps.map((app) => app.call('createPublicCart', { body }, { idempotencyKey })))
    assert.equal(new Set(carts.map(({ id }) => id)).size, 1)
  })

  test('a second one reports the taken ports in a sentence, and does not disturb the first', async () => {
    const second = await launched(['start'], { env })
    assert.equal(second.code, 1)
    assert.match(
      second.err,
      /^vitrine: 127\.0\.0\.1:\d+ is taken, perhaps by another Vitrine process: .*PUBLIC_PORT.*\.\n$/,
    )
    assert.equal((await fetch(`${doors.operator}/readyz`)).status, 200)
  })

  test('names two doors that are to share a port, before any opens', async () => {
    const ports = await freePorts()
    const { code, err } = await launched(['start'], { env: { ...env, ...ports, PAGES_PORT: ports.PUBLIC_PORT! } })
    assert.equal(code, 2)
    const message = `PUBLIC_PORT and PAGES_PORT are both ${ports.PUBLIC_PORT} on 127.0.0.1: give each door a port of its own.`
    assert.match(err, new RegExp(`^vitrine: ${message.replaceAll('.', '\\.')}`))
  })

  test('ends if it cannot record its doors, instead of staying open without its database', async () => {
    const DATA_DIR = await temporaryFolder()
    await mkdir(join(DATA_DIR, 'doors.json'))
    const blocked = background(['start', '--roles', 'public'], { env: { ...env, ...(await freePorts()), DATA_DIR } })
    const ended = await Promise.race([blocked.ended, pause(60_000, null, { ref: false })])
    assert.equal(ended?.code, 1)
    assert.match(ended?.err ?? '', /^vitrine: .*doors\.json.* is a folder, not a file\.\n$/)
  })

  test('creates the data directory of a node that has only the public door', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'new')
    const own = background(['start', '--roles', 'public'], { env: { ...env, ...(await freePorts()), DATA_DIR } })
    await Promise.race([own.saying(OPEN), own.ended])
    assert.match(own.said.out, OPEN, own.said.err)
    assert.equal((await stopped(own)).code, 0)
  })

  test('finishes running requests at shutdown, is not ready meanwhile, and exits with 0', async () => {
    const { database } = shared
    const app = vitrine({ baseUrl: doors.public, ...(await boundKey(database)) })
    const { id: cartId } = await app.call('createPublicCart', { body: { currency: 'EUR', country: 'DE' } })
    const hold = statement('start_test.hold', 'select from carts where id = $1 for update')
    let cleared: ReturnType<typeof app.call<'clearPublicCart'>>
    let ended: ReturnType<typeof stopped>
    await database.transaction(async (tx) => {
      await tx.rows(hold, [cartId])
      cleared = app.call('clearPublicCart', { params: { cartId }, body: {} })
      while (!(await waitsForLock(database))) await pause(10)
      ended = stopped(node)
      while ((await fetch(`${doors.operator}/readyz`)).status !== 503) await pause(10)
      while (await isLetIn(`${doors.public}/api/v1/catalog/categories`)) await pause(10)
    })

    assert.equal((await cleared!).version, 2, 'the running request is served, and no new one is accepted')
    const { code, err } = await ended!
    assert.equal(code, 0, err)
    assert.match(err, /^(Stopping\.\n)?$/)
    await assert.rejects(fetch(`${doors.operator}/livez`), 'nothing is left')
  })

  test('by `npm start` is ended by the signal that npm passes on to the shell', async () => {
    const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
    const ports = await freePorts()
    const shell = spawn('/bin/sh', ['-c', scripts.start.replace('--demo', '--empty')], {
      cwd: repository,
      env: { ...process.env, ...env, ...ports, SEALING_KEY: SEALING_KEY.toString('base64') },
      stdio: 'ignore',
    })
    const ended = once(shell, 'exit')
    const alive = `http://127.0.0.1:${ports.OPERATOR_PORT}/livez`
    while (!(await isLetIn(alive))) {
      assert.equal(shell.exitCode, null, 'it ended instead of starting')
      await pause(10)
    }
    shell.kill('SIGTERM')

    assert.deepEqual(await ended, [0, null])
    await assert.rejects(fetch(alive), 'nothing is left')
  })
})

describe('the payment simulator', () => {
  test('creates its data directory', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'new')
    const simulator = background(['simulator', '--port', '0'], { env: { DATA_DIR } })
    await simulator.saying(/The payment simulator listens at/)
    assert.equal((await stopped(simulator)).code, 0)
  })
})
