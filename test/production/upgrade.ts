/**
 * Replaces the nodes of an earlier version with this one, behind the documented proxy and under load, and counts failed requests:
 * `npm run test:upgrade`.
 *
 *   npm run test:upgrade                         from the oldest supported version
 *   UPGRADE_FROM=COMMIT npm run test:upgrade     from another one
 *
 * See README.md.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { secretPurposes } from '@vitrine/contract/operator'
import { systemClock } from '@vitrine/server'
import { operatorClient } from '../../cli/src/operator-client.ts'
import { LEAD_MS } from '../../server/src/platform/secrets/server-secrets.ts'
import { until } from '../faults/until.ts'
import { type Client, client } from '../support/client.ts'
import { atFileEnd } from '../support/file-end.ts'
import { freePort } from '../support/processes/free-port.ts'
import { type Caddy, makeAuthority, resolveLocalNames, startCaddy } from './caddy.ts'
import { type Database, startDatabase } from './database.ts'
import { Load } from './load.ts'
import { KEPT, requirePackages } from './programs.ts'
import { readProofKey } from './shop.ts'
import { step } from './steps.ts'

requirePackages(['caddy', 'openssl'])

/** The oldest supported version: before roles, search ranking, invoices and most migrations. */
const OLDEST = '262b6b102dee8da19663e971c464cc4d77480c65'
const { UPGRADE_FROM: from = OLDEST } = process.env
const repository = join(import.meta.dirname, '../..')
const NODES = { a: '127.0.43.2', b: '127.0.43.3' } as const
const START_MS_MAX = 180_000
const SHOPPERS = 4
/** The duration of load between two steps. */
const BETWEEN_MS = 4000
const call = promisify(execFile)

let folder: string
let earlier: string
let caddy: Caddy
let load: Load
let shop: Client
let settings: Record<string, string>
let database: Database
const running = new Map<keyof typeof NODES, ChildProcess>()

before(async () => {
  resolveLocalNames()
  folder = await mkdtemp(join(tmpdir(), 'vitrine-upgrade-'))
  atFileEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
})

/** The sources of a commit with their packages, kept for later runs. */
async function checkedOut(commit: string): Promise<string> {
  const { stdout } = await call('git', ['rev-parse', '--short=7', commit], { cwd: repository })
  const place = join(KEPT, 'upgrade', stdout.trim())
  if (existsSync(place)) return place
  const unfinished = `${place}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  await call('sh', ['-ec', `git archive ${commit} | tar -x -C ${unfinished}`], { cwd: repository })
  await call('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: unfinished, maxBuffer: 1e8 })
  await rename(unfinished, place)
  return place
}

async function start(name: keyof typeof NODES, version: string, ...options: string[]): Promise<void> {
  const log = await open(join(folder, `${name}.log`), 'a')
  const env = { ...settings, HOST: NODES[name], OPERATOR_HOST: NODES[name], PATH: process.env.PATH ?? '', HOME: folder }
  const program = [join(version, 'cli/bin/vitrine.js'), 'start', ...options]
  const child = spawn(join(version, 'node_modules/.bin/node'), program, { env, stdio: ['ignore', log.fd, log.fd] })
  running.set(name, child)
  atFileEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await log.close()
  })
  await until(`${name} is ready`, START_MS_MAX, () => fetch(`http://${NODES[name]}:8082/readyz`).then(({ ok }) => ok))
}

async function stop(name: keyof typeof NODES): Promise<void> {
  const child = running.get(name) ?? assert.fail(`${name} does not run`)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null], `${name} exits gracefully`)
}

step('two nodes of the earlier version serve its demo', async () => {
  earlier = await checkedOut(from)
  await makeAuthority(folder)
  const both = [NODES.a, NODES.b] as const
  caddy = await startCaddy(
    { folder, httpsPort: await freePort(), httpPort: await freePort(), adminPort: await freePort() },
    both,
  )
  database = await startDatabase(folder)
  settings = {
    PUBLIC_URL: caddy.publicUrl,
    PAGES_URL: caddy.pagesUrl,
    TRUSTED_PROXIES: '1',
    STOP_DELAY_MS: '4000',
    DATABASE_URL: database.ownerUrl,
    DATA_DIR: join(folder, 'data'),
    WEBHOOK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  }
  await start('a', earlier, '--demo')
  await start('b', earlier, '--empty')
  const keys = JSON.parse(await readFile(join(settings.DATA_DIR as string, 'demo-keys.json'), 'utf8'))
  const proof = await readProofKey(join(settings.DATA_DIR as string, keys.privateKeyFile))
  const { publicUrl } = caddy
  shop = client({ origin: publicUrl, publicUrl, clock: systemClock, key: keys.boundKey, proof })
  load = new Load(shop, SHOPPERS)
  await load.prepare()
  load.start()
  atFileEnd(() => load.end())
  await pause(BETWEEN_MS)
  load.report('the earlier version')
})

step('the first node of this version migrates while the other one serves', async () => {
  // Versions before STOP_DELAY_MS close their doors at once, so take them out of the proxy first.
  await caddy.useNodes(NODES.a, NODES.a)
  await stop('b')
  await start('b', repository, '--empty')
  load.report('stopped, started, migrated')
  await caddy.useNodes(NODES.a, NODES.b)
  await pause(BETWEEN_MS)
  load.report('both versions side by side')
})

step('the second node follows', async () => {
  await caddy.useNodes(NODES.b, NODES.b)
  await stop('a')
  await start('a', repository, '--empty')
  await caddy.useNodes(NODES.a, NODES.b)
  await pause(BETWEEN_MS)
  load.report('this version alone')
  load.turnsPages = true
})

step(
  'from this version on, a node is replaced without changing the proxy, and uses the role that owns nothing',
  async () => {
    const program = [join(repository, 'cli/bin/vitrine.js'), 'migrate']
    const { url, ownerUrl } = database
    const env = { ...settings, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, PATH: process.env.PATH ?? '' }
    await call(join(repository, 'node_modules/.bin/node'), program, { env })
    settings.DATABASE_URL = url
    settings.SEALING_KEY_FILE = join(folder, 'sealing-keys')
    await writeFile(settings.SEALING_KEY_FILE, settings.WEBHOOK_SECRET_KEY as string)
    delete settings.WEBHOOK_SECRET_KEY
    for (const name of ['a', 'b'] as const) {
      await stop(name)
      await start(name, repository, '--empty')
      // The proxy checks every second.
      await pause(BETWEEN_MS)
    }
    load.report('each restarted')
  },
)

step('every secret is rotated, and the key that seals them', async () => {
  const token = (await readFile(join(settings.DATA_DIR as string, 'operator-token'), 'utf8')).trim()
  const operator = operatorClient({ url: `http://${NODES.a}:8082`, token })
  // No node of the earlier version needs the unsealed copies any more.
  await operator.call('forgetPlainSecrets')
  for (const purpose of secretPurposes) await operator.call('rotateSecret', { body: { purpose } })
  // After this, the new versions sign.
  await pause(LEAD_MS + BETWEEN_MS)
  const file = settings.SEALING_KEY_FILE as string
  await writeFile(file, `${randomBytes(32).toString('base64')}\n${await readFile(file, 'utf8')}`)
  const { resealed } = await operator.call('rotateSealingKey')
  assert.ok(resealed > secretPurposes.length)
  await pause(BETWEEN_MS)
  load.report(`${secretPurposes.length} secrets, ${resealed} resealed`)
})

step('no request failed, and no acknowledged cart is lost', async () => {
  await load.end()
  load.report('end')
  assert.deepEqual(load.failures.slice(0, 10), [])
  const lost = await load.lost()
  assert.deepEqual(lost, [])
  process.stdout.write(
    `${load.answered} requests, 0 failed, ${load.repeated} repeated on a new connection, ${load.carts} carts kept\n`,
  )
})
