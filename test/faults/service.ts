import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Database,
  migrate,
  openDatabase,
  type SimulatorServer,
  startSimulator,
  statement,
  systemClock,
} from '@vitrine/server'
import { seedShop } from '../support/commerce/shop.ts'
import { atFileEnd } from '../support/file-end.ts'
import { type ConnectionProxy, connectionProxy } from '../support/network/connection-proxy.ts'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { background, freePorts, type Running, temporaryFolder } from '../support/processes/command.ts'
import { type Disk, diskIn, type Packets, packetsOf, type ShownClock, shownClock } from './means.ts'
import type { Pair } from './pair.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** A server process that can be killed, and restarted at the same addresses. */
export interface Node {
  readonly origin: string
  readonly operator: string
  pid(): number
  /** Kills it at once. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Fails if the process has ended, except by `kill`. */
  assertAlive(): void
  /** The output of all its processes so far. */
  output(): string
}

/** Two server processes on one database, with the services they call. */
export interface ShopService {
  readonly nodes: readonly [Node, Node]
  /** The same database, with separate connections. */
  readonly database: Database
  readonly simulator: SimulatorServer
  readonly receiver: Receiver
  readonly publicUrl: string
}

/** A shop whose servers reach their PostgreSQL through a network that fails. */
export interface FaultyService extends ShopService {
  readonly postgres: Postgres
  /** The servers that may be killed. */
  readonly victims: Node[]
  readonly proxy: ConnectionProxy
  readonly means: Means
  /** Redirects all connections to the current primary. */
  followPrimary(): void
}

/** The requirements of some faults; `null` if this machine does not meet them. */
export interface Means {
  readonly standby: Pair | null
  readonly disk: Disk | null
  /** The clock of the second server. */
  readonly clock: ShownClock | null
  readonly packets: Packets | null
}

export const MEANS: Readonly<Record<keyof Means, string>> = {
  standby: 'a standby, which the embedded PostgreSQL does not have',
  disk: 'FAULTS_DISK=/folder',
  clock: 'libfaketime, and the long form',
  packets: 'FAULTS_PACKETS=1, and no embedded PostgreSQL',
}

const STARTS_MAX = 20
/** A start that fails takes a second of processor time. */
const START_AGAIN_AFTER_MS = 1_500

/** The stock of each SKU: more than the load can buy. */
export const STOCK_UNITS = 1_000_000

const RECEIVER_MS = 500

const SECRET = 'a secret that only tests know'
const fill = statement('faults.fill', 'update stock_levels set on_hand = $1')
/** Keeps uncommitted data in memory until a crash loses it: only then does PostgreSQL reuse ids of transactions. */
const writeLate = statement('faults.write_late', "alter system set wal_writer_delay = '10s'")
const reload = statement('faults.reload', 'select pg_reload_conf()')

/** Starts everything. It ends with the test file. */
export async function startFaultyService({ isShort }: { readonly isShort: boolean }): Promise<FaultyService> {
  const { FAULTS_POSTGRES, FAULTS_DISK, FAULTS_PACKETS } = process.env
  const form = FAULTS_POSTGRES ?? (isShort ? 'embedded' : 'pair')
  const disk = FAULTS_DISK ? diskIn(FAULTS_DISK) : null
  const listensOnLoopback = FAULTS_PACKETS === '1' && form !== 'embedded'
  const postgres = await startPostgres({ form, folder: disk?.folder ?? null, listensOnLoopback })
  await migrate(postgres.url())
  const ownProxy = await connectionProxy(postgres.url())
  atFileEnd(() => ownProxy.close())
  const database = await openFilledShop(ownProxy.url)
  await database.reader.rows(writeLate)
  await database.reader.rows(reload)

  const proxy = await connectionProxy(postgres.networkUrl())
  atFileEnd(() => proxy.close())
  const ports = () => [proxy.url, postgres.networkUrl()].map((url) => new URL(url).port)
  const means: Means = {
    standby: postgres.pair,
    disk,
    clock: isShort ? null : await shownClock(),
    packets: listensOnLoopback ? packetsOf(ports) : null,
  }
  const environment = { DATABASE_URL: proxy.url }
  const shop = await startShopService(database, { environment, ofSecond: means.clock?.environment ?? {} })
  const followPrimary = () => {
    proxy.redirect(postgres.networkUrl())
    ownProxy.redirect(postgres.url())
  }
  return { ...shop, postgres, victims: [...shop.nodes], proxy, means, followPrimary }
}

/** A migrated database with the shop that the load buys from. It is closed with the test file. */
export async function openFilledShop(url: string): Promise<Database> {
  const database = openDatabase({ url })
  atFileEnd(() => database.close())
  await seedShop(database)
  await database.transaction((tx) => tx.change(fill, [STOCK_UNITS]))
  return database
}

/** Starts two servers with a receiver and a payment simulator. They end with the test file. */
export async function startShopService(
  database: Database,
  settings: {
    /** The environment of both servers: at least the URL of their database. */
    readonly environment: Readonly<Record<string, string>>
    readonly ofSecond?: Readonly<Record<string, string>>
  },
): Promise<ShopService> {
  const receiver = await startReceiver()
  // Slow, so that deliveries are running whenever something fails.
  receiver.does(async (_arrival, response) => {
    await pause(RECEIVER_MS)
    response.writeHead(204).end()
  })
  const simulator = await startSimulator({ secret: SECRET, clock: systemClock })
  atFileEnd(() => simulator.close())
  const first = await freePorts()
  const publicUrl = `http://127.0.0.1:${first.PUBLIC_PORT}`
  const environment = {
    PUBLIC_URL: publicUrl,
    PAGES_URL: `http://127.0.0.1:${first.PAGES_PORT}`,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_ALLOWED_TARGETS: receiver.target,
    SIMULATOR_URL: simulator.url,
    SIMULATOR_SECRET: SECRET,
    PAYMENT_TIMEOUT_MS: '2000',
    ...settings.environment,
  }
  const nodes = await Promise.all([
    startNode({ ...environment, ...first }),
    startNode({ ...environment, ...(await freePorts()), ...settings.ofSecond }),
  ])
  return { nodes, database, simulator, receiver, publicUrl }
}

type Environment = Readonly<Record<string, string>> & Awaited<ReturnType<typeof freePorts>>

async function startNode(environment: Environment): Promise<Node> {
  const env: Environment = { ...environment, DATA_DIR: await temporaryFolder() }
  let running: Running | null = null
  const outputs: Running['said'][] = []
  const node: Node = {
    origin: `http://127.0.0.1:${env.PUBLIC_PORT}`,
    operator: `http://127.0.0.1:${env.OPERATOR_PORT}`,
    pid: () => running?.child.pid ?? assert.fail('it does not run'),
    async kill() {
      const killed = running
      running = null
      killed?.child.kill('SIGKILL')
      await killed?.ended
    },
    async start() {
      // Like a supervisor: a start fails while PostgreSQL recovers.
      for (let starts = 1; ; starts += 1) {
        running = background(['start', '--json', '--empty'], { env })
        outputs.push(running.said)
        const failure = await running.saying(/"doors"/).then(
          () => null,
          (error: Error) => error,
        )
        if (failure === null) return
        if (starts === STARTS_MAX || !failure.message.includes('The database cannot be used')) throw failure
        await pause(START_AGAIN_AFTER_MS)
      }
    },
    assertAlive() {
      const { exitCode, signalCode } = running?.child ?? assert.fail('it was not restarted')
      assert.deepEqual([exitCode, signalCode], [null, null], 'a server ended by itself')
    },
    output: () => outputs.map(({ out, err }) => out + err).join(''),
  }
  await node.start()
  return node
}

// There is always a WAL writer.
const processes = statement<{ pid: number }>(
  'faults.processes',
  `select pid from pg_stat_activity where backend_type in ('client backend', 'walwriter') and pid <> pg_backend_pid()
   order by pid`,
)

/** Ends one process of PostgreSQL, as the kernel does when memory runs out. PostgreSQL then restarts itself. */
export async function killBackend({ database }: FaultyService, pick: (count: number) => number): Promise<void> {
  for (;;) {
    const rows = await database.reader.rows(processes)
    const row = rows[pick(rows.length)]
    if (row && isKilled(row.pid)) return
  }
}

/** `false` if the process has already ended. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
