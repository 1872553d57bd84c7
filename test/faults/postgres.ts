import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startEmbedded } from '@vitrine/server'
import { Client } from 'pg'
import { atFileEnd } from '../support/file-end.ts'

/** A PostgreSQL that is restarted when it is killed. */
export interface Postgres {
  readonly url: string
  readonly name: string
  postmasterPid(): Promise<number>
}

/** That of a folder of programs in `FAULTS_POSTGRES`, such as `/usr/lib/postgresql/15/bin`, else the one from npm. */
export function startPostgres(): Promise<Postgres> {
  const { FAULTS_POSTGRES } = process.env
  return FAULTS_POSTGRES ? installedPostgres(FAULTS_POSTGRES) : embeddedPostgres()
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-faults-'))
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const pidIn = async (cluster: string) => Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), 10)

/** It is restarted by the code that a server with an embedded one runs. */
async function embeddedPostgres(): Promise<Postgres> {
  const dataDir = await temporaryFolder()
  const embedded = await startEmbedded({ dataDir })
  atFileEnd(() => embedded.stop())
  return { url: embedded.url, name: 'PostgreSQL from npm', postmasterPid: () => pidIn(join(dataDir, 'postgres')) }
}

/** PostgreSQL refuses to run as root: an unprivileged user of every Linux. */
const UNPRIVILEGED_USER_ID = 65_534
const POLL_MS = 50

/** It is restarted here, as a supervisor does. */
async function installedPostgres(programs: string): Promise<Postgres> {
  const cluster = await temporaryFolder()
  const isRoot = process.getuid?.() === 0
  await chmod(cluster, 0o700)
  if (isRoot) await chown(cluster, UNPRIVILEGED_USER_ID, UNPRIVILEGED_USER_ID)
  const asServerUser = { cwd: cluster, ...(isRoot && { uid: UNPRIVILEGED_USER_ID, gid: UNPRIVILEGED_USER_ID }) }
  const choice = ['-D', cluster, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  await promisify(execFile)(join(programs, 'initdb'), choice, asServerUser)

  const log = await open(join(cluster, 'server.log'), 'a', 0o666)
  let isStopping = false
  const start = () => {
    const settings = ['listen_addresses=', `unix_socket_directories=${cluster}`, 'timezone=UTC']
    const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])]
    const child = spawn(join(programs, 'postgres'), args, { ...asServerUser, stdio: ['ignore', log.fd, log.fd] })
    child.once('exit', () => {
      if (!isStopping) running = start()
    })
    return child
  }
  let running = start()
  atFileEnd(async () => {
    isStopping = true
    const ended = once(running, 'exit')
    running.kill('SIGINT')
    await ended
    await log.close()
  })
  const url = (database: string) => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(cluster)}`
  await createDatabase(url('postgres'))
  const version = basename(dirname(programs))
  return { url: url('vitrine'), name: `PostgreSQL ${version}`, postmasterPid: () => pidIn(cluster) }
}

const ATTEMPTS_MAX = 400

async function createDatabase(url: string): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    const client = new Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('create database vitrine')
      return
    } catch (error) {
      if (attempts === ATTEMPTS_MAX) throw error
      await pause(POLL_MS)
    } finally {
      await client.end()
    }
  }
}
