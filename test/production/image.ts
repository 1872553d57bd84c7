/**
 * Builds the image from `npm pack` output in a clean Debian, and takes a live order with it behind the documented proxy:
 * `npm run test:production`.
 *
 *   npm run test:production            builds the release first
 *   node test/production/image.ts      with the release that is in dist/packages
 *
 * See README.md.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before } from 'node:test'
import { promisify } from 'node:util'
import { operatorClient } from '../../cli/src/operator-client.ts'
import { until } from '../faults/until.ts'
import type { Client } from '../support/client.ts'
import { atFileEnd } from '../support/file-end.ts'
import { smtpServer } from '../support/network/smtp.ts'
import { freePort } from '../support/processes/free-port.ts'
import { API_HOST, type Caddy, makeAuthority, PAGES_HOST, resolveLocalNames, startCaddy } from './caddy.ts'
import { startDatabase } from './database.ts'
import { build, debian, enter, type Image, withNpm } from './debian-root.ts'
import { KEPT, requirePackages } from './programs.ts'
import { beginCheckout, fillShop, payByTransfer, sessionOf } from './shop.ts'
import { step } from './steps.ts'

requirePackages(['caddy', 'debootstrap', 'openssl', 'util-linux'], true)

const repository = join(import.meta.dirname, '../..')
const SUITE = 'bookworm'
const NPM = 'npm@11'
const START_MS_MAX = 120_000
const NODES = ['127.0.42.2', '127.0.42.3'] as const
const ports = { httpsPort: await freePort(), httpPort: await freePort(), adminPort: await freePort() }
const EMAIL = 'bea@shop.example'
const call = promisify(execFile)

let folder: string
let image: Image
let caddy: Caddy
let settings: Record<string, string>
let volumes: Record<string, string>
let mail: Awaited<ReturnType<typeof smtpServer>>
const nodes: ChildProcess[] = []

before(async () => {
  resolveLocalNames()
  folder = await mkdtemp(join(tmpdir(), 'vitrine-production-'))
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  mail = await smtpServer()
  atFileEnd(() => mail[Symbol.asyncDispose]())
})

/** The base images, built once from their own sources. */
async function bases() {
  const [plain, node] = [join(KEPT, SUITE), join(KEPT, `${SUITE}-npm`)]
  if (!existsSync(plain)) await debian(plain, SUITE)
  const { optionalDependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  const name = `node-linux-${process.arch}`
  if (!existsSync(node)) await withNpm(plain, node, [`${name}@${optionalDependencies[name]}`, NPM])
  return { 'debian:12-slim': plain, 'node:24-bookworm-slim': node }
}

step('the steps of the image run in a clean Debian, from the tarball of npm pack alone', async () => {
  const file = join(repository, 'deploy/production/Dockerfile')
  const context = join(repository, 'dist/packages')
  image = await build(file, { context, folder: join(folder, 'images'), bases: await bases() })
  const { stdout } = await call('du', ['-sm', join(image.folder, 'opt/vitrine')])
  process.stdout.write(`/opt/vitrine has ${stdout.split('\t')[0]} MB\n`)
  assert.equal(image.user, 10_001)
})

/** Runs a command of `vitrine` in the image, and waits for its end. */
async function vitrine(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = enter({ image, env: { ...settings, ...env }, volumes }, [...image.entrypoint, ...args], {
    stdio: 'pipe',
  })
  const said = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => (said.out += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (said.err += text))
  const [code] = await once(child, 'close')
  return { code, ...said }
}

function startNode(host: string): ChildProcess {
  const env = { ...settings, HOST: host, OPERATOR_HOST: host }
  const child = enter({ image, env, volumes }, [...image.entrypoint, ...image.command], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  atFileEnd(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  nodes.push(child)
  return child
}

const isReady = (host: string) => fetch(`http://${host}:8082/readyz`).then(({ ok }) => ok)

step('two nodes start as an ordinary user on a root that cannot be written, behind Caddy with TLS', async () => {
  const authority = await makeAuthority(folder)
  await writeFile(join(image.folder, 'etc/authority.pem'), await readFile(authority))
  await writeFile(join(image.folder, 'etc/hosts'), `127.0.0.1 localhost ${API_HOST} ${PAGES_HOST}\n`)
  volumes = { '/data': join(folder, 'data'), '/backups': join(folder, 'backups') }
  for (const path of Object.values(volumes)) {
    await mkdir(path, { mode: 0o700 })
    await chown(path, image.user, image.user)
  }
  caddy = await startCaddy({ folder, ...ports }, NODES)
  const database = await startDatabase(folder)
  settings = {
    PUBLIC_URL: caddy.publicUrl,
    PAGES_URL: caddy.pagesUrl,
    OPERATOR_URL: `http://${NODES[0]}:8082`,
    TRUSTED_PROXIES: '1',
    STOP_DELAY_MS: '4000',
    DATABASE_URL: database.url,
    SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
    METRICS_TOKEN: 'the token of a test',
    SMTP_URL: mail.url,
    MAIL_FROM: 'Linen & Loom <shop@shop.example>',
    SECURITY_CONTACT: 'security@shop.example',
    PAYMENT_INSTRUCTIONS: 'Linen & Loom\nIBAN DE02 1203 0000 0000 2020 51',
    BANK_TRANSFER_CONFIRM_MINUTES: '0',
    LOG_LEVEL: 'warn',
    NODE_EXTRA_CA_CERTS: '/etc/authority.pem',
  }
  const refused = await vitrine(['migrate'])
  assert.match(refused.err, /run vitrine migrate with DATABASE_OWNER_URL|permission denied/)
  const migrated = await vitrine(['migrate'], { DATABASE_OWNER_URL: database.ownerUrl })
  assert.equal(migrated.code, 0, migrated.err)
  for (const host of NODES) {
    const { pid } = startNode(host)
    await until(`${host} is ready`, START_MS_MAX, () => isReady(host))
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m)
    assert.match(status, /^CapBnd:\t0+$/m)
    assert.match(status, /^NoNewPrivs:\t1$/m)
    const root = (await readFile(`/proc/${pid}/mountinfo`, 'utf8'))
      .split('\n')
      .find((line) => / \/ \/ ro[ ,]/.test(line) || / \/ ro[ ,]/.test(line))
    assert(root, 'the root is mounted read-only')
  }
  const [program = '', ...args] = image.healthcheck
  const env = { OPERATOR_HOST: NODES[0] }
  const probe = args.map((arg) => arg.replace('127.0.0.1', NODES[0]))
  const checked = enter({ image, env, volumes }, [program, ...probe], { stdio: 'inherit' })
  assert.deepEqual(await once(checked, 'close'), [0, null], 'the health check of the image passes')

  const answer = await fetch(`${caddy.publicUrl}/api/v1/runtime-config`)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('strict-transport-security') ?? '', /max-age=31536000/)
  const redirected = await fetch(`http://${API_HOST}:${ports.httpPort}/`, { redirect: 'manual' })
  assert.equal(redirected.status, 308)
})

let operator: ReturnType<typeof operatorClient>
let shop: Client
step('an empty shop becomes a live one, and takes an order that is paid', async () => {
  const token = (await readFile(join(volumes['/data'] as string, 'operator-token'), 'utf8')).trim()
  operator = operatorClient({ url: `http://${NODES[0]}:8082`, token })
  shop = await fillShop(operator, { folder, publicUrl: caddy.publicUrl })
  assert.equal((await shop.get('/api/v1/open/catalog/products')).body.code, 'capability_blocked')
})

step('a backup is made, and restored by the drill', async () => {
  const made = await vitrine(['backups', 'run', '--json'])
  assert.equal(made.code, 0, made.err)
  const restored = await vitrine(['backups', 'verify', '--json'])
  assert.equal(restored.code, 0, restored.err)
  process.stdout.write(
    `the drill restored ${JSON.parse(restored.out).rows} rows in ${JSON.parse(restored.out).seconds} s\n`,
  )
})

step('live keys work once vitrine doctor --production has checked the facts and the rest is recorded', async () => {
  const note = 'Seen by the test of the image.'
  for (const code of ['mail_delivered', 'legal_documents_reviewed', 'payment_provider_live'] as const) {
    await operator.call('recordReadinessProof', { body: { code, note } })
  }
  const { code, out, err } = await vitrine(['doctor', '--production', '--record', '--json'], {
    HOST: NODES[0],
    OPERATOR_HOST: NODES[0],
  })
  const { findings } = JSON.parse(out || '{"findings":[]}') as {
    findings: { check: string; status: string; told: string }[]
  }
  process.stdout.write(
    `${findings.map(({ check, status, told }) => `${status.padEnd(8)} ${check.padEnd(18)} ${told}`).join('\n')}\n`,
  )
  assert.equal(code, 0, err)
  const listed = await shop.get('/api/v1/open/catalog/products')
  assert.equal(listed.status, 200, listed.text)
})

step('a shopper orders through the proxy, pays by transfer, and gets the confirmation by mail', async () => {
  await until(
    'the import',
    START_MS_MAX,
    async () => (await shop.get('/api/v1/open/catalog/products')).body.data.length > 0,
  )
  const session = await beginCheckout(shop, EMAIL)
  assert.match(session.url, new RegExp(`^${caddy.pagesUrl}/`))
  assert.match(await payByTransfer(session.url), /IBAN/)
  await until('the payment waits', START_MS_MAX, async () => {
    const [payment] = await operator.list('listPayments', { environment: 'live', view: 'waiting' }, 1)
    if (!payment) return false
    await operator.call('confirmPayment', { params: { paymentId: payment.id }, body: { outcome: 'done' } })
    return true
  })
  await until('the order', START_MS_MAX, async () => (await sessionOf(shop, session.id)).status === 'completed')
  const { orderId } = await sessionOf(shop, session.id)
  const order = (await shop.get(`/api/v1/open/storefront/orders/${orderId}`)).body.data
  assert.deepEqual([order.paymentStatus, order.totals.total], ['paid', { amount: 5390, currency: 'EUR' }])
  await until('the mail', START_MS_MAX, async () => mail.received.some(({ raw }) => raw.includes(order.number)))
  process.stdout.write(`live order ${order.number} is paid\n`)
})

step('nodes that are stopped leave the proxy first, and end by themselves', async () => {
  for (const node of nodes) {
    node.kill('SIGTERM')
    assert.deepEqual(await once(node, 'exit'), [0, null])
  }
})
