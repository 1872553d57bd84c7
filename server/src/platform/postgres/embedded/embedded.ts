import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, lchownSync, lstatSync, openSync, readdirSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readFile, readlink, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { sqlStateOf } from '../errors.ts'
import { createFolderAtomically, isAlive } from './atomic-folder.ts'
import { dropsPrivileges, findPrograms, isReadableByServer, type Programs } from './binaries.ts'
import { NOT_DURABLE, SETTINGS } from './settings.ts'

/** How to run the embedded PostgreSQL. */
interface EmbeddedSettings {
  /** The data directory. PostgreSQL's files are in `postgres/` below it. */
  readonly dataDir: string
  /** `false` turns off fsync, and keeps buffers small. For tests. */
  readonly durable?: boolean
  /** Called with a sentence about each slow step. */
  readonly onProgress?: (what: string) => void
}

/** A running PostgreSQL, shared by the processes that use its data directory. */
export interface EmbeddedPostgres {
  /** The database `vitrine`, as its owner, who migrates it. */
  readonly url: string
  /** The same, as the role of the application. */
  readonly applicationUrl: string
  /** Whether this process started it, rather than joining a running one. */
  readonly isStarter: boolean
  /** Stops using it, and stops it if no other process uses it. Close the database first. */
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 60_000
const POLL_MS = 10
/** A start may fail while the previous server is still shutting down. */
const STARTS_MAX = 5
const START_AGAIN_AFTER_MS = 200
const RESTORE_AGAIN_AFTER_MS = 1_000
/** Fast shutdown; then, as a last resort, immediate shutdown with recovery on the next start. */
const STOP_SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const STOP_TIMEOUT_MS = 8_000
const OWNER = 'postgres'
/** Has only the rights of `grantRights`, and not those of a superuser, who can run programs and disable triggers. */
const APPLICATION = 'vitrine'
const DATABASE = 'vitrine'
/** Only a part of the socket's name. */
const PORT = 5432
const SOCKET_PATH_BYTES_MAX = 107
const LOG_BYTES_MAX = 10_000_000
/**
 * PostgreSQL refuses to run as root. No other program has this user: Debian and systemd leave it unassigned, and "nobody",
 * which earlier versions used, is shared by many daemons.
 *
 * @see https://www.debian.org/doc/debian-policy/ch-opersys.html#uid-and-gid-classes
 * @see https://systemd.io/UIDS-GIDS/
 */
const SERVER_USER_ID = 65_525
const NOBODY_ID = 65_534
/** Every process that uses the server holds this lock shared. The one that gets it exclusively is the last. */
const PRESENCE_LOCK = 7_305_021

/**
 * Starts PostgreSQL in a data directory, or joins the one that runs there. The first start creates the files.
 *
 * The server listens on a unix socket only, in a directory that only its owner may enter, and accepts the user of this process
 * and root only. If this process is root, the server runs as a separate user. It stops with the last process that uses it. If the
 * process that started it is killed, a watchdog stops it; if the server is killed, the processes that use it restart it, and it
 * recovers what was committed.
 *
 * Errors: one line that names what is missing, or the end of PostgreSQL's log.
 */
export async function startEmbedded(settings: EmbeddedSettings): Promise<EmbeddedPostgres> {
  const dataDir = resolve(settings.dataDir)
  await mkdir(dataDir, { recursive: true })
  const embedded = new Embedded({ ...settings, dataDir })
  await embedded.start()
  return embedded
}

/** Whether a data directory has an embedded PostgreSQL. */
export function embeddedExists(dataDir: string): boolean {
  return existsSync(join(clusterIn(dataDir), 'PG_VERSION'))
}

function clusterIn(dataDir: string): string {
  return join(dataDir, 'postgres')
}

class Embedded implements EmbeddedPostgres {
  url = ''
  applicationUrl = ''
  readonly #settings: EmbeddedSettings
  readonly #cluster: string
  readonly #logFile: string
  #server: Server | null = null
  #presence: Client | null = null
  #restoring: Promise<void> = Promise.resolve()
  readonly #stopping = new AbortController()

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
      // A server is starting, recovering or stopping.
      if (server?.isRunning || this.#server?.isRunning()) {
        await pause(POLL_MS)
        continue
      }
      if (starts === STARTS_MAX) throw new Error(`PostgreSQL does not start. ${await this.#logTail()}`)
      if (starts > 0) await pause(START_AGAIN_AFTER_MS)
      starts += 1
      await this.#spawn()
    }
    throw new Error(`PostgreSQL did not answer within ${START_TIMEOUT_MS / 1000} s. ${await this.#logTail()}`)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#restoring
    const presence = this.#presence
    if (presence) {
      const isLast = await leave(presence)
      const server = isLast ? await readServer(this.#cluster) : null
      if (server?.isRunning) await stopServer(server)
      await presence.end()
    }
    this.#server?.dismiss()
  }

  async #keep(server: RunningServer, presence: Client): Promise<void> {
    const place = `localhost/${DATABASE}?host=${encodeURIComponent(server.socketDir)}&port=${PORT}`
    this.url = `postgres://${OWNER}@${place}`
    this.applicationUrl = `postgres://${APPLICATION}@${place}`
    this.#presence = presence
    presence.once('end', () => {
      this.#presence = null
      if (!this.#stopping.signal.aborted) this.#restoring = this.#restore()
    })
    // A server that was started by an earlier version accepts only the owner.
    if (await restrictConnections(this.#cluster)) await presence.query('select pg_reload_conf()')
    await create(presence, `role ${APPLICATION} login`, 'select from pg_roles where rolname = $1', APPLICATION)
    await create(presence, `database ${DATABASE}`, 'select from pg_database where datname = $1', DATABASE)
  }

  /** Retries until it succeeds: the obstacle, such as a full disk, may go away. */
  async #restore(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        return await this.start()
      } catch (error) {
        this.#settings.onProgress?.((error as Error).message)
        await pause(RESTORE_AGAIN_AFTER_MS, undefined, { signal }).catch(() => {})
      }
    }
  }

  async #spawn(): Promise<void> {
    this.#server?.dismiss()
    const programs = await findPrograms(this.#settings.dataDir)
    await this.#createCluster(programs)
    if (dropsPrivileges) takeFromNobody(this.#cluster)
    await restrictConnections(this.#cluster)
    const isLarge = existsSync(this.#logFile) && (await stat(this.#logFile)).size > LOG_BYTES_MAX
    if (isLarge) await truncate(this.#logFile)
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

  /** Creates the files atomically, so that an incomplete cluster is never started. */
  async #createCluster(programs: Programs): Promise<void> {
    const made = await readFile(join(this.#cluster, 'PG_VERSION'), 'utf8').catch(() => null)
    if (made !== null && Number.parseInt(made, 10) === programs.version) return
    if (made !== null) {
      throw new Error(
        `${this.#cluster} was created by PostgreSQL ${made.trim()}, and this is ${programs.version}: restore a backup into a new DATA_DIR.`,
      )
    }
    this.#settings.onProgress?.('Creating the PostgreSQL data directory.')
    await createFolderAtomically(this.#cluster, async (partial) => {
      await restrictToServer(partial)
      // initdb requires a user with a name.
      if (dropsPrivileges) await chown(partial, NOBODY_ID, NOBODY_ID)
      await initializeCluster(programs, partial, this.#settings.durable !== false)
      if (dropsPrivileges) takeFromNobody(partial)
    })
  }

  async #logTail(): Promise<string> {
    const log = await readFile(this.#logFile, 'utf8').catch(() => '')
    return `${this.#logFile} ends with: ${log.trim().split('\n').slice(-5).join(' | ')}`
  }
}

/** The contents of `postmaster.pid`. */
interface RunningServer {
  readonly pid: number
  readonly socketDir: string
  readonly isRunning: boolean
}

/** The server of a cluster, or `null` if none runs. @see src/include/utils/pidfile.h */
async function readServer(cluster: string): Promise<RunningServer | null> {
  const file = join(cluster, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  const socketDir = lines[4]
  if (!pid || socketDir === undefined) return null
  const owner = await ownerOf(pid, cluster)
  // After a reboot the process id may belong to another program, and PostgreSQL would refuse to start.
  if (owner === 'foreign') await rm(file, { force: true })
  return { pid, socketDir: socketDir === '.' ? cluster : socketDir, isRunning: owner === 'own' }
}

async function ownerOf(pid: number, cluster: string): Promise<'own' | 'foreign' | 'dead'> {
  if (!isAlive(pid)) return 'dead'
  if (process.platform !== 'linux') return 'own'
  try {
    // A server's working directory is its cluster.
    return (await readlink(`/proc/${pid}/cwd`)) === cluster ? 'own' : 'foreign'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'dead' : 'foreign'
  }
}

/** Connects and takes the shared lock. `null` if the server does not respond or is about to stop. */
async function joinServer(server: RunningServer): Promise<Client | null> {
  const client = new Client({
    host: server.socketDir,
    port: PORT,
    user: OWNER,
    database: 'postgres',
    application_name: 'vitrine presence',
  })
  // Only the end of the connection matters, which 'end' reports.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select pg_try_advisory_lock_shared($1) as joined', [PRESENCE_LOCK])
    if (rows[0].joined) return client
    await client.end()
    return null
  } catch (error) {
    await client.end()
    if (!isUnavailable(error)) throw error
    return null
  }
}

function isUnavailable(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE') return true
  // Starting, stopping, or ended during the query.
  const sqlState = sqlStateOf(error)
  return sqlState === undefined ? String(error).includes('Connection terminated') : sqlState.startsWith('57P')
}

/** Releases the shared lock. Returns whether this process was the last; then no other can join any more. */
async function leave(presence: Client): Promise<boolean> {
  try {
    await presence.query('select pg_advisory_unlock_shared($1)', [PRESENCE_LOCK])
    const { rows } = await presence.query('select pg_try_advisory_lock($1) as is_last', [PRESENCE_LOCK])
    return rows[0].is_last
  } catch (error) {
    if (isUnavailable(error)) return true
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

/** Creates a role or database that is missing. Another process may create it at the same time. */
async function create(presence: Client, what: string, find: string, name: string): Promise<void> {
  if ((await presence.query(find, [name])).rowCount) return
  await presence.query(`create ${what}`).catch((error: unknown) => {
    if (!['42P04', '42710', '23505'].includes(String(sqlStateOf(error)))) throw error
  })
}

interface ServerPlan {
  readonly folder: string
  readonly name: string
  readonly logFile: string
  readonly settings: Readonly<Record<string, string>>
}

/** The server as a child process, with a watchdog that outlives this process. */
class Server {
  readonly #child: ChildProcess
  readonly #watchdog: ChildProcess | null = null

  constructor(programs: Programs, plan: ServerPlan) {
    const log = openSync(plan.logFile, 'a', 0o600)
    const settings = Object.entries(plan.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // Detached: Ctrl-C in a terminal must not stop PostgreSQL before this process has drained.
    this.#child = spawn(programs.postgres, ['-D', plan.name, ...settings], {
      ...asServerUser(plan.folder),
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    this.#child.on('error', () => {})
    this.#child.unref()
    if (this.#child.pid === undefined) return
    // It waits for a line on a pipe of this process. If this process is killed the pipe closes, and it stops the server.
    this.#watchdog = spawn('/bin/sh', ['-c', 'read -r line || kill -INT "$0"', String(this.#child.pid)], {
      ...asServerUser('/'),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    this.#watchdog.on('error', () => {})
    this.#watchdog.stdin?.on('error', () => {})
    this.#watchdog.unref()
    ;(this.#watchdog.stdin as { unref?(): void } | null)?.unref?.()
    this.#child.once('exit', () => this.dismiss())
  }

  isRunning(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Ends the watchdog: the server has stopped, or other processes use it. */
  dismiss(): void {
    this.#watchdog?.stdin?.end('dismissed\n')
  }
}

function asServerUser(folder: string, userId = SERVER_USER_ID) {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C', TZ: 'UTC' }
  return { cwd: folder, env, ...(dropsPrivileges && { uid: userId, gid: userId }) }
}

/**
 * The path of its folder for the server. An unprivileged user may lack access to a parent, such as `/root`; then the server uses its
 * working directory, which is this folder.
 */
async function nameOf(folder: string): Promise<string> {
  return (await isReadableByServer(dirname(folder))) ? folder : '/proc/self/cwd'
}

async function initializeCluster(programs: Programs, folder: string, isDurable: boolean): Promise<void> {
  const common = ['-D', await nameOf(folder), '-U', OWNER, '--auth=peer', '--encoding=UTF8', '--no-instructions']
  const sync = isDurable ? [] : ['--no-sync']
  const failures: string[] = []
  for (const locale of localesOf(programs.version)) {
    const failure = await runInitdb(programs, folder, [...common, ...sync, ...locale])
    if (failure === null) return
    failures.push(failure)
  }
  throw new Error(`initdb failed: ${failures[0]}`)
}

/** In order of preference: the same collation on every machine, then those of older systems. */
function localesOf(version: number): readonly string[][] {
  const libc = [['--locale=C.UTF-8'], ['--locale=C']]
  if (version < 17) return libc
  const builtin = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  return libc.map((locale) => [...builtin, ...locale])
}

function runInitdb(programs: Programs, folder: string, parameters: readonly string[]): Promise<string | null> {
  return new Promise((done, failed) => {
    const child = spawn(programs.initdb, parameters, {
      ...asServerUser(folder, NOBODY_ID),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    child.once('error', failed)
    child.once('close', (code) => done(code === 0 ? null : output.trim().split('\n').slice(-3).join(' | ')))
  })
}

/** Gives the server's user the files of user 65534: new ones, and those of earlier versions. */
function takeFromNobody(cluster: string): void {
  const marker = join(cluster, 'PG_VERSION')
  if (lstatSync(marker).uid !== NOBODY_ID) return
  takeFolder(cluster, marker)
  // Last, so that an interrupted change is made again.
  lchownSync(marker, SERVER_USER_ID, SERVER_USER_ID)
}

function takeFolder(folder: string, marker: string): void {
  // First, so that no process of that user exchanges its entries for links to files of root.
  lchownSync(folder, SERVER_USER_ID, SERVER_USER_ID)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) takeFolder(path, marker)
    else if (path !== marker) lchownSync(path, SERVER_USER_ID, SERVER_USER_ID)
  }
}

/**
 * The operating system identifies the user who connects, so there is no password. Written before each start: the files of earlier
 * versions accepted everyone who could reach the socket.
 *
 * @returns whether that was a change
 * @see https://www.postgresql.org/docs/current/auth-peer.html
 */
async function restrictConnections(cluster: string): Promise<boolean> {
  const users = [...new Set(['root', userInfo().username])]
  const lines = users.flatMap((user) => [OWNER, APPLICATION].map((role) => `vitrine "${user}" ${role}\n`))
  const isNew = await replaceFile(join(cluster, 'pg_ident.conf'), lines.join(''))
  return (await replaceFile(join(cluster, 'pg_hba.conf'), 'local all all peer map=vitrine\n')) || isNew
}

async function replaceFile(path: string, content: string): Promise<boolean> {
  if ((await readFile(path, 'utf8').catch(() => null)) === content) return false
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  await writeFile(partial, content, { mode: 0o600, flag: 'wx' })
  if (dropsPrivileges) await chown(partial, SERVER_USER_ID, SERVER_USER_ID)
  await rename(partial, path)
  return true
}

/** Makes a new folder accessible to the server's user only. */
async function restrictToServer(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  if (dropsPrivileges) await chown(folder, SERVER_USER_ID, SERVER_USER_ID)
}

/** The folder of the socket: the cluster, or a separate folder if its path is too long. */
async function socketDirOf(cluster: string): Promise<string> {
  if (fits(cluster)) return '.'
  const serverUserId = dropsPrivileges ? SERVER_USER_ID : process.getuid?.()
  const name = `vitrine-${createHash('sha256').update(`${cluster} ${serverUserId}`).digest('hex').slice(0, 16)}`
  for (const parent of [tmpdir(), '/tmp']) {
    const folder = join(parent, name)
    if (!fits(folder) || !(await isReadableByServer(parent))) continue
    if (!existsSync(folder)) await createFolderAtomically(folder, restrictToServer)
    const found = await lstat(folder)
    if (found.isDirectory() && found.uid === serverUserId && (found.mode & 0o077) === 0) return folder
    throw new Error(`${folder} belongs to another user: remove it`)
  }
  throw new Error(`${cluster} is too long a path for PostgreSQL: choose a shorter DATA_DIR`)
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES_MAX
}
