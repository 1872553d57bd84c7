import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readFile, readlink, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { sqlStateOf } from '../errors.ts'
import { createFolderAtomically, isAlive } from './atomic-folder.ts'
import { dropsPrivileges, findPrograms, isReadableByServer, type Programs } from './binaries.ts'

/** How to run a PostgreSQL of our own. */
export interface EmbeddedSettings {
  /** Where everything is kept. PostgreSQL's files are in `postgres/` below it. */
  readonly dataDir: string
  /** `false` skips every wait for the disk. For tests, whose data nobody misses. */
  readonly durable?: boolean
  /** Told what takes a moment, as a sentence. */
  readonly onProgress?: (what: string) => void
}

/** A running PostgreSQL, shared by the processes that use its data directory. */
export interface EmbeddedPostgres {
  /** The database `vitrine`, as its owner. */
  readonly url: string
  /** Whether this process started it, rather than join one that ran. */
  readonly isStarter: boolean
  /** Leaves it, and stops it where nobody else uses it. Close the database first. */
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 60_000
const POLL_MS = 10
/** A server may refuse because the last one is not quite gone. */
const STARTS_MAX = 5
const START_AGAIN_AFTER_MS = 200
/** Ends connections and writes what is due; then, as a last resort, leaves that to the next start. */
const STOP_SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const STOP_TIMEOUT_MS = 8_000
const OWNER = 'postgres'
const DATABASE = 'vitrine'
/** Part of the socket's name, and of nothing else. */
const PORT = 5432
const SOCKET_PATH_BYTES_MAX = 107
const LOG_BYTES_MAX = 10_000_000
/** PostgreSQL refuses to run as root. This is "nobody" on every Linux. */
const NOBODY = 65_534
/** Everyone who uses the server holds this lock together; who gets it alone is the last. */
const PRESENCE_LOCK = 7_305_021

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  checkpoint_completion_target: '0.9',
  random_page_cost: '1.1',
  // Short statements: compiling them costs more than it saves, and a second process for one would take it from another.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  log_checkpoints: 'off',
  // A system call for each statement, to show it in the list of processes.
  update_process_title: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}
const NOT_DURABLE: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

/**
 * Starts PostgreSQL in a data directory, or joins the one that runs there. The files are made on the first start.
 *
 * Nothing listens on the network: the server is reached by a unix socket in a directory that only its owner may enter.
 * As root it runs as nobody. It stops with the last process that uses it. Where the process that started it is killed, a
 * watchdog stops it; where it is itself killed, those who use it start it again, and it recovers what was committed.
 *
 * Errors: one line that says what is missing, or the end of PostgreSQL's log.
 */
export async function startEmbedded(settings: EmbeddedSettings): Promise<EmbeddedPostgres> {
  const dataDir = resolve(settings.dataDir)
  await mkdir(dataDir, { recursive: true })
  const embedded = new Embedded({ ...settings, dataDir })
  await embedded.start()
  return embedded
}

/** Whether a PostgreSQL was made in a data directory. */
export function embeddedExists(dataDir: string): boolean {
  return existsSync(join(clusterIn(dataDir), 'PG_VERSION'))
}

function clusterIn(dataDir: string): string {
  return join(dataDir, 'postgres')
}

class Embedded implements EmbeddedPostgres {
  url = ''
  readonly #settings: EmbeddedSettings
  readonly #cluster: string
  readonly #logFile: string
  #server: Server | null = null
  #presence: Client | null = null
  #restoring: Promise<void> = Promise.resolve()
  #stopping = false

  constructor(settings: EmbeddedSettings) {
    this.#settings = settings
    this.#cluster = clusterIn(settings.dataDir)
    this.#logFile = join(settings.dataDir, 'postgres.log')
  }

  get isStarter(): boolean {
    return this.#server !== null
  }

  async start(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS
    let starts = 0
    while (Date.now() < deadline) {
      const server = await readServer(this.#cluster)
      const presence = server && (await joinServer(server))
      if (presence) return this.#keep(server, presence)
      // A server that starts, recovers or stops; ours or another process's.
      if (server?.isRunning || this.#server?.isRunning()) {
        await pause(POLL_MS)
        continue
      }
      if (starts === STARTS_MAX) throw new Error(`PostgreSQL does not start. ${await this.#lastWords()}`)
      if (starts > 0) await pause(START_AGAIN_AFTER_MS)
      starts += 1
      await this.#spawn()
    }
    throw new Error(`PostgreSQL did not answer within ${START_TIMEOUT_MS / 1000} s. ${await this.#lastWords()}`)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#restoring
    const presence = this.#presence
    if (presence) {
      const isLast = await takeLeave(presence)
      const server = isLast ? await readServer(this.#cluster) : null
      if (server?.isRunning) await stopServer(server)
      await presence.end()
    }
    this.#server?.letGo()
  }

  async #keep(server: RunningServer, presence: Client): Promise<void> {
    const host = encodeURIComponent(server.socketDir)
    this.url = `postgres://${OWNER}@localhost/${DATABASE}?host=${host}&port=${PORT}`
    this.#presence = presence
    presence.once('end', () => {
      this.#presence = null
      if (!this.#stopping)
        this.#restoring = this.start().catch((error: Error) => this.#settings.onProgress?.(error.message))
    })
    await createDatabase(presence)
  }

  async #spawn(): Promise<void> {
    this.#server?.letGo()
    const programs = await findPrograms(this.#settings.dataDir)
    await this.#createCluster(programs)
    if (await isLarge(this.#logFile)) await truncate(this.#logFile)
    const socketDir = await socketDirOf(this.#cluster)
    this.#settings.onProgress?.('Starting PostgreSQL.')
    this.#server = new Server(programs, {
      folder: this.#cluster,
      name: await nameOf(this.#cluster),
      logFile: this.#logFile,
      settings: {
        ...SETTINGS,
        ...(this.#settings.durable === false ? NOT_DURABLE : {}),
        unix_socket_directories: socketDir,
      },
    })
  }

  /** Makes the files aside and puts them in place at once, so that a half-made cluster is never started. */
  async #createCluster(programs: Programs): Promise<void> {
    const made = await readFile(join(this.#cluster, 'PG_VERSION'), 'utf8').catch(() => null)
    if (made !== null && Number.parseInt(made, 10) === programs.version) return
    if (made !== null) {
      throw new Error(
        `${this.#cluster} was made by PostgreSQL ${made.trim()}, and this is ${programs.version}: restore a backup into a new DATA_DIR.`,
      )
    }
    this.#settings.onProgress?.('Making the files of PostgreSQL.')
    await createFolderAtomically(this.#cluster, async (partial) => {
      await closeToOthers(partial)
      await initialise(programs, partial, this.#settings.durable !== false)
    })
  }

  async #lastWords(): Promise<string> {
    const log = await readFile(this.#logFile, 'utf8').catch(() => '')
    return `${this.#logFile} ends with: ${log.trim().split('\n').slice(-5).join(' | ')}`
  }
}

/** What `postmaster.pid` says of the server of a data directory. */
interface RunningServer {
  readonly pid: number
  readonly socketDir: string
  readonly isRunning: boolean
}

/** The server of a cluster, or `null` where none was started since the last stop. @see src/include/utils/pidfile.h */
async function readServer(cluster: string): Promise<RunningServer | null> {
  const file = join(cluster, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  const socketDir = lines[4]
  if (!pid || socketDir === undefined) return null
  const life = await lifeOf(pid, cluster)
  // After a restart of the machine the number may belong to another program, and PostgreSQL would refuse to start.
  if (life === 'foreign') await rm(file, { force: true })
  return { pid, socketDir: socketDir === '.' ? cluster : socketDir, isRunning: life === 'ours' }
}

async function lifeOf(pid: number, cluster: string): Promise<'ours' | 'foreign' | 'dead'> {
  if (!isAlive(pid)) return 'dead'
  if (process.platform !== 'linux') return 'ours'
  try {
    // A server's working directory is its cluster.
    return (await readlink(`/proc/${pid}/cwd`)) === cluster ? 'ours' : 'foreign'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'dead' : 'foreign'
  }
}

/** Connects and holds the lock of those who use the server. `null` where it does not answer, or is about to stop. */
async function joinServer(server: RunningServer): Promise<Client | null> {
  const client = new Client({
    host: server.socketDir,
    port: PORT,
    user: OWNER,
    database: 'postgres',
    application_name: 'vitrine presence',
  })
  // Its end is what counts, and 'end' tells that.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select pg_try_advisory_lock_shared($1) as joined', [PRESENCE_LOCK])
    if (rows[0].joined) return client
    await client.end()
    return null
  } catch (error) {
    await client.end()
    if (!isNotThere(error)) throw error
    return null
  }
}

function isNotThere(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE') return true
  // Starting, stopping, or ended while we asked.
  const sqlState = sqlStateOf(error)
  return sqlState === undefined ? String(error).includes('Connection terminated') : sqlState.startsWith('57P')
}

/** Gives up the shared lock. Whoever gets it alone then is the last one, and nobody can join any more. */
async function takeLeave(presence: Client): Promise<boolean> {
  try {
    await presence.query('select pg_advisory_unlock_shared($1)', [PRESENCE_LOCK])
    const { rows } = await presence.query('select pg_try_advisory_lock($1) as is_last', [PRESENCE_LOCK])
    return rows[0].is_last
  } catch (error) {
    if (isNotThere(error)) return true
    throw error
  }
}

async function stopServer(server: RunningServer): Promise<void> {
  for (const signal of STOP_SIGNALS) {
    if (!isAlive(server.pid)) return
    process.kill(server.pid, signal)
    const deadline = Date.now() + STOP_TIMEOUT_MS
    while (isAlive(server.pid) && Date.now() < deadline) await pause(POLL_MS)
  }
}

async function createDatabase(presence: Client): Promise<void> {
  const { rowCount } = await presence.query('select from pg_database where datname = $1', [DATABASE])
  if (rowCount) return
  await presence.query(`create database ${DATABASE}`).catch((error: unknown) => {
    // Another process was first: it exists, or is just being made.
    if (sqlStateOf(error) !== '42P04' && sqlStateOf(error) !== '23505') throw error
  })
}

interface ServerPlan {
  readonly folder: string
  readonly name: string
  readonly logFile: string
  readonly settings: Readonly<Record<string, string>>
}

/** The server as our child, with a watchdog that outlives us. */
class Server {
  readonly #child: ChildProcess
  readonly #watchdog: ChildProcess | null = null

  constructor(programs: Programs, plan: ServerPlan) {
    const log = openSync(plan.logFile, 'a', 0o600)
    const settings = Object.entries(plan.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // Detached: Ctrl-C in a terminal is for us, and PostgreSQL must answer until we have drained.
    this.#child = spawn(programs.postgres, ['-D', plan.name, ...settings], {
      ...asServerUser(plan.folder),
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    this.#child.on('error', () => {})
    this.#child.unref()
    if (this.#child.pid === undefined) return
    // It waits for a line on a pipe that we hold: where we are killed there is none, and it ends what we started.
    this.#watchdog = spawn('/bin/sh', ['-c', 'read -r line || kill -INT "$0"', String(this.#child.pid)], {
      ...asServerUser('/'),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    this.#watchdog.on('error', () => {})
    this.#watchdog.stdin?.on('error', () => {})
    this.#watchdog.unref()
    ;(this.#watchdog.stdin as { unref?(): void } | null)?.unref?.()
    this.#child.once('exit', () => this.letGo())
  }

  isRunning(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Sends the watchdog away: the server has ended, or belongs to those who joined it. */
  letGo(): void {
    this.#watchdog?.stdin?.end('let go\n')
  }
}

function asServerUser(folder: string) {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C', TZ: 'UTC' }
  return { cwd: folder, env, ...(dropsPrivileges && { uid: NOBODY, gid: NOBODY }) }
}

/**
 * How the server is told its folder. It starts inside; as nobody it may not be allowed to walk there from the root, as in
 * `/root`, and then knows it by where it stands.
 */
async function nameOf(folder: string): Promise<string> {
  return (await isReadableByServer(dirname(folder))) ? folder : '/proc/self/cwd'
}

async function initialise(programs: Programs, folder: string, isDurable: boolean): Promise<void> {
  const common = ['-D', await nameOf(folder), '-U', OWNER, '--auth=trust', '--encoding=UTF8', '--no-instructions']
  const sync = isDurable ? [] : ['--no-sync']
  const failures: string[] = []
  for (const locale of localesOf(programs.version)) {
    const failure = await runInitdb(programs, folder, [...common, ...sync, ...locale])
    if (failure === null) return
    failures.push(failure)
  }
  throw new Error(`PostgreSQL could not make its files: ${failures[0]}`)
}

/** From best to bearable: the same order of letters everywhere, then what an old machine or PostgreSQL has. */
function localesOf(version: number): readonly string[][] {
  const libc = [['--locale=C.UTF-8'], ['--locale=C']]
  if (version < 17) return libc
  const builtin = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  return libc.map((locale) => [...builtin, ...locale])
}

function runInitdb(programs: Programs, folder: string, parameters: readonly string[]): Promise<string | null> {
  return new Promise((done, failed) => {
    const child = spawn(programs.initdb, parameters, { ...asServerUser(folder), stdio: ['ignore', 'ignore', 'pipe'] })
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      words += chunk
    })
    child.once('error', failed)
    child.once('close', (code) => done(code === 0 ? null : words.trim().split('\n').slice(-3).join(' | ')))
  })
}

/** Lets only the server's user enter a new folder. */
async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  if (dropsPrivileges) await chown(folder, NOBODY, NOBODY)
}

/** Where the socket is: in the cluster, or for a path that is too long for one, in a folder of its own. */
async function socketDirOf(cluster: string): Promise<string> {
  if (fits(cluster)) return '.'
  const name = `vitrine-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
  for (const parent of [tmpdir(), '/tmp']) {
    const folder = join(parent, name)
    if (!fits(folder) || !(await isReadableByServer(parent))) continue
    if (!existsSync(folder)) await createFolderAtomically(folder, closeToOthers)
    const found = await lstat(folder)
    const owner = dropsPrivileges ? NOBODY : process.getuid?.()
    if (found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0) return folder
    throw new Error(`${folder} belongs to someone else: remove it`)
  }
  throw new Error(`${cluster} is too long a path for PostgreSQL: choose a shorter DATA_DIR`)
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES_MAX
}

async function isLarge(file: string): Promise<boolean> {
  return existsSync(file) && (await stat(file)).size > LOG_BYTES_MAX
}
