import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { findPrograms, type Programs } from './programs.ts'

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
const SOCKET_PATH_BYTES_MAX = 107
const LOG_BYTES_MAX = 10_000_000
/** "nobody": PostgreSQL refuses to run as root. */
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
  timezone: 'UTC',
  log_timezone: 'UTC',
}
const NOT_DURABLE: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

/** Where the parts of one data directory are. */
interface Place {
  readonly cluster: string
  readonly socketDir: string
  readonly logFile: string
}

/**
 * Starts PostgreSQL in a data directory, or joins the one that runs there. The files are made on the first start.
 *
 * Nothing listens on the network: the server is reached by a unix socket in a directory that only its owner may enter.
 * As root it runs as nobody. It stops with the last process that uses it; where the process that started it is killed, it
 * stops by itself, and the next start recovers whatever was left.
 *
 * Errors: one line that says what is missing, or the end of PostgreSQL's log.
 */
export async function startEmbedded(settings: EmbeddedSettings): Promise<EmbeddedPostgres> {
  const dataDir = resolve(settings.dataDir)
  await mkdir(dataDir, { recursive: true })
  const place = await placeOf(dataDir)
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const joined = await join_(place, deadline)
    if (joined) return embeddedOf(place, joined, null)
    const programs = await findPrograms(dataDir)
    await ensureCluster(place, programs, settings)
    await removeForeignPidFile(place)
    const server = await spawnServer(place, programs, settings)
    const presence = await connectTo(place, server, deadline)
    if (presence) return embeddedOf(place, presence, server)
    if (Date.now() > deadline || !server.lostRace()) throw new Error(await lastWords(place))
  }
}
