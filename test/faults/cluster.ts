import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { administer } from '../support/postgres.ts'
import { freePort } from '../support/processes/free-port.ts'

/** A PostgreSQL that is restarted when it ends, as a supervisor does. */
export interface Cluster {
  readonly folder: string
  /** The database `vitrine`, through a socket. */
  readonly url: string
  /** The URL for the servers: on loopback if packets are to be dropped, else the socket. */
  readonly networkUrl: string
  pid(): number
  /** Ends the server without a restart. */
  end(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>
}

/** PostgreSQL refuses to run as root: an unprivileged user of every Linux. */
const UNPRIVILEGED_USER_ID = 65_534
const isRoot = process.getuid?.() === 0
const asServerUser = isRoot ? { uid: UNPRIVILEGED_USER_ID, gid: UNPRIVILEGED_USER_ID } : {}

const RESTART_AFTER_MS = 100

/** Gives a file or folder to the user that PostgreSQL runs as. */
async function giveToServer(path: string): Promise<void> {
  if (isRoot) await chown(path, UNPRIVILEGED_USER_ID, UNPRIVILEGED_USER_ID)
}

/** Runs initdb in an empty folder. WAL segments are small, so that a full disk stops the server soon. */
export async function initialize(programs: string, folder: string): Promise<void> {
  await chmod(folder, 0o700)
  await giveToServer(folder)
  const choice = ['-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--wal-segsize=1']
  await promisify(execFile)(join(programs, 'initdb'), ['-D', folder, ...choice], { cwd: folder, ...asServerUser })
}

/** Settings that a standby and its primary share. */
const SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  // Enough for what a standby misses while it is copied, or down.
  wal_keep_size: '64MB',
  wal_retrieve_retry_interval: '100ms',
}

/** Starts a server. It listens on a socket in its folder, and on loopback if packets are to be dropped. */
export async function startCluster(
  programs: string,
  folder: string,
  { listensOnLoopback, settings = {} }: { listensOnLoopback: boolean; settings?: Readonly<Record<string, string>> },
): Promise<Cluster> {
  const port = await freePort()
  const own = {
    ...SETTINGS,
    ...settings,
    listen_addresses: listensOnLoopback ? '127.0.0.1' : '',
    port: String(port),
    unix_socket_directories: folder,
  }
  const args = ['-D', folder, ...Object.entries(own).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const log = await open(join(tmpdir(), `${basename(folder)}.log`), 'a', 0o666)
  let isEnding = false
  const start = () =>
    spawn(join(programs, 'postgres'), args, { cwd: folder, ...asServerUser, stdio: ['ignore', log.fd, log.fd] })
  let running = start()
  async function supervise(): Promise<void> {
    while (!isEnding) {
      await once(running, 'exit')
      if (!isEnding) await pause(RESTART_AFTER_MS)
      if (!isEnding) running = start()
    }
    await log.close()
  }
  const supervised = supervise()
  const url = `postgres://postgres@localhost/vitrine?host=${encodeURIComponent(folder)}&port=${port}`
  return {
    folder,
    url,
    networkUrl: listensOnLoopback ? `postgres://postgres@127.0.0.1:${port}/vitrine` : url,
    pid: () => running.pid ?? -1,
    async end(signal) {
      isEnding = true
      running.kill(signal)
      await supervised
    },
  }
}

/** Files of a running PostgreSQL that a copy must not contain, and folders that it needs empty. */
const OF_ITS_PROCESS = new Set(['postmaster.pid', 'postmaster.opts'])
const OF_ITS_START = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
])

/**
 * Copies the files of a running PostgreSQL for a standby, which reads the log from the running one.
 *
 * @see https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function copyForStandby(running: Cluster, folder: string): Promise<void> {
  await administer(running.url, async (admin) => {
    await admin.query("select pg_backup_start('a standby', fast => true)")
    await copyFolder(running.folder, folder)
    const { rows } = await admin.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    await writeForServer(join(folder, 'backup_label'), rows[0]?.labelfile ?? '')
  })
  await writeForServer(join(folder, 'standby.signal'), '')
}

async function writeForServer(file: string, content: string): Promise<void> {
  await writeFile(file, content)
  await giveToServer(file)
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700, recursive: true })
  await giveToServer(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory() && OF_ITS_START.has(entry.name)) {
      await mkdir(target, { mode: 0o700 })
      await giveToServer(target)
    } else if (entry.isDirectory()) await copyFolder(source, target)
    else if (entry.isFile() && !OF_ITS_PROCESS.has(entry.name)) await copyIfThere(source, target)
  }
}

/** The file of a table that is dropped meanwhile is not needed. */
async function copyIfThere(source: string, target: string): Promise<void> {
  try {
    await copyFile(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return
  }
  await giveToServer(target)
}

/** Sets the standbys that each COMMIT waits for: `*` means any standby, an empty text none. */
export async function waitForStandbys(url: string, names: string): Promise<void> {
  await administer(url, async (admin) => {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`)
    await admin.query('select pg_reload_conf()')
  })
}
