import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { atFileEnd } from '../support/file-end.ts'
import { administer } from '../support/postgres.ts'
import { type Cluster, copyForStandby, initialize, startCluster, waitForStandbys } from './cluster.ts'
import { until } from './until.ts'

export interface PairOptions {
  /** The folder of the programs; `initdb` and `postgres` are enough. */
  readonly programs: string
  /** The parent folders for the files of the first primary and the first standby. */
  readonly folders: readonly [string, string]
  readonly listensOnLoopback: boolean
}

const SYNC_MS_MAX = 60_000
/** Value of `synchronous_standby_names` with which every COMMIT waits until a standby has it. */
export const ANY_STANDBY = '*'

/** PostgreSQL with a synchronous standby: both have every acknowledged write. */
export class Pair {
  readonly #options: PairOptions
  /** The parent folder of the primary's files, and that of the standby's. */
  #folders: readonly [string, string]
  #primary: Cluster
  #standby: Cluster | null = null

  private constructor(options: PairOptions, primary: Cluster) {
    this.#options = options
    this.#folders = options.folders
    this.#primary = primary
  }

  /** Starts both. They end with the test file. */
  static async start(options: PairOptions): Promise<Pair> {
    const { programs, folders, listensOnLoopback } = options
    const files = await mkdtemp(join(folders[0], 'postgres-'))
    await initialize(programs, files)
    const pair = new Pair(options, await startCluster(programs, files, { listensOnLoopback }))
    atFileEnd(() => pair.#end())
    await until('PostgreSQL answers', SYNC_MS_MAX, () => pair.#finds('select from pg_database'))
    await administer(pair.#primary.url, (admin) => admin.query('create database vitrine'))
    await pair.rebuild()
    return pair
  }

  /** Changes by {@link promote}. */
  get primary(): Cluster {
    return this.#primary
  }

  get standby(): Cluster {
    return this.#standby ?? assert.fail('it has not been rebuilt')
  }

  /** The standby still receives the log, but applies nothing more until it is promoted. */
  async pauseReplay(): Promise<void> {
    await administer(this.standby.url, (admin) => admin.query('select pg_wal_replay_pause()'))
  }

  /** Kills the primary, which is not restarted, and promotes the standby. */
  async promote(): Promise<void> {
    await this.#primary.end('SIGKILL')
    // A promotion resumes paused replay.
    const { rows } = await administer(this.standby.url, (admin) => admin.query('select pg_promote() as is_promoted'))
    assert.deepEqual(rows, [{ is_promoted: true }])
    await waitForStandbys(this.standby.url, '')
    this.#primary = this.standby
    this.#standby = null
    this.#folders = [this.#folders[1], this.#folders[0]]
  }

  /** Creates a standby in the folder of the killed primary. */
  async rebuild(): Promise<void> {
    const { programs, listensOnLoopback } = this.#options
    const parent = this.#folders[1]
    for (const old of await readdir(parent)) {
      // The last processes of a killed server may still write.
      if (old.startsWith('postgres-')) await rm(join(parent, old), { recursive: true, force: true, maxRetries: 10 })
    }
    const files = await mkdtemp(join(parent, 'postgres-'))
    await copyForStandby(this.#primary, files)
    const { searchParams } = new URL(this.#primary.url)
    const primary_conninfo = `host=${searchParams.get('host')} port=${searchParams.get('port')} user=postgres`
    this.#standby = await startCluster(programs, files, { listensOnLoopback, settings: { primary_conninfo } })
    await this.inSync()
    await waitForStandbys(this.#primary.url, ANY_STANDBY)
  }

  /** Waits until the standby has caught up with the primary. */
  async inSync(): Promise<void> {
    const caughtUp =
      "select from pg_stat_replication where state = 'streaming' and flush_lsn >= pg_current_wal_flush_lsn()"
    await until('the standby is in sync', SYNC_MS_MAX, () => this.#finds(caughtUp))
  }

  /** Whether the primary returns rows. */
  async #finds(query: string): Promise<boolean> {
    const { rowCount } = await administer(this.#primary.url, (admin) => admin.query(query))
    return rowCount !== 0
  }

  async #end(): Promise<void> {
    await Promise.all([this.#primary.end('SIGQUIT'), this.#standby?.end('SIGQUIT')])
  }
}
