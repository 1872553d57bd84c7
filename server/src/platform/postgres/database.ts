import { setTimeout as pause } from 'node:timers/promises'
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg'
import { Unreachable } from './errors.ts'
import { clientOf, connectionOf, urlsOf } from './hosts.ts'
import type { OpenTransaction, Reader } from './reader.ts'
import { type BatchMode, type Counters, Session, trackLoss } from './session.ts'
import { statement } from './statement.ts'
import { runTransaction } from './transaction.ts'

/** How to reach PostgreSQL, and how much of it to use. */
export interface DatabaseSettings {
  /** `postgres://user:password@host:port/name`. Several hosts are tried in turn; writes go to the primary. */
  readonly url: string
  /** A replica for reads that may lag some milliseconds. */
  readonly readUrl?: string
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string
  /** Connections for transactions, 12 by default. Waiting writers never take a reader's connection. */
  readonly writersMax?: number
  /** Connections for reads, 8 by default; as many again for the replica. */
  readonly readersMax?: number
  /** The statement timeout. Milliseconds, 15,000 by default. */
  readonly statementTimeoutMs?: number
  /** A number in [0, 1): jitter for retries. */
  readonly random?: () => number
  /** Called when an idle connection breaks or notifications were missed. For the log. */
  readonly onConnectionError?: (error: Error) => void
}

/** Connections of a pool now. */
export interface PoolStats {
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

/** PostgreSQL, as features and the composition root see it. */
export interface Database {
  /** Queries that are issued without an await in between share a connection and a round trip. */
  readonly reader: Reader
  /** Like `reader`, on the replica if there is one. */
  readonly replica: Reader
  /** Repeatable reads: all queries of `work` see the same snapshot. */
  snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>
  /** Runs `work` in a transaction. @see {@link runTransaction} for errors and retries. */
  transaction<Result>(work: (tx: OpenTransaction) => Promise<Result>): Promise<Result>
  /** Calls back on each notification of a channel, and with `null` after a gap in which some may have been missed. */
  listen(channel: string, onNotice: (payload: string | null) => void): Promise<() => Promise<void>>
  /** Whether PostgreSQL responds within two seconds. */
  isHealthy(): Promise<boolean>
  counters(): Readonly<Counters>
  pools(): { readonly writers: PoolStats; readonly readers: PoolStats; readonly replica: PoolStats | null }
  /** Waits for running queries and closes all connections. */
  close(): Promise<void>
}

const WRITERS_MAX = 12
const READERS_MAX = 8
const STATEMENT_TIMEOUT_MS = 15_000
/** A transaction that idles this long only holds locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
/** How long to wait for a free connection. */
const CONNECTION_TIMEOUT_MS = 10_000
const IDLE_CONNECTION_MS = 60_000
const HEALTH_TIMEOUT_MS = 2_000

const one = statement('database.health', 'select 1 as one')
const beginSnapshot = statement('snapshot.begin', 'begin isolation level repeatable read read only')
const endSnapshot = statement('snapshot.end', 'rollback')

/** Opens pools of pipelined connections. Connects on the first query, so PostgreSQL may start later than this process. */
export function openDatabase(settings: DatabaseSettings): Database {
  const counters: Counters = { queries: 0, roundTrips: 0, transactions: 0, repetitions: 0 }
  const listeners = new Set<Listener>()
  const writers = openPool(settings, settings.url, settings.writersMax ?? WRITERS_MAX, true, PLAN_ONCE)
  const readers = openPool(settings, settings.url, settings.readersMax ?? READERS_MAX, true)
  const replicas =
    settings.readUrl === undefined
      ? null
      : openPool(settings, settings.readUrl, settings.readersMax ?? READERS_MAX, false)

  const openFrom = (pool: HostsPool, mode: BatchMode) => async () => {
    const client = await connectToAny(pool).catch((error: unknown) => {
      throw new Unreachable(error)
    })
    return new Session(client, counters, mode)
  }
  const openReader = openFrom(readers, 'independent')
  const transactionDeps = {
    open: openFrom(writers, 'atomic'),
    random: settings.random ?? Math.random,
    onRepetition: () => {
      counters.repetitions += 1
    },
  }
  const reader = sharingReader(openReader)

  return {
    reader,
    replica: replicas ? sharingReader(openFrom(replicas, 'independent')) : reader,
    snapshot: (work) => retryOnce(() => readSnapshot(openFrom(readers, 'atomic'), work)),
    transaction: (work) => {
      counters.transactions += 1
      return runTransaction(transactionDeps, work)
    },
    async listen(channel, onNotice) {
      const listener = new Listener(settings, channel, onNotice)
      listeners.add(listener)
      await listener.start()
      return async () => {
        listeners.delete(listener)
        await listener.stop()
      }
    },
    async isHealthy() {
      const timeout = new AbortController()
      try {
        const late = pause(HEALTH_TIMEOUT_MS, false, { signal: timeout.signal })
        late.catch(() => {})
        return await Promise.race([reader.row(one).then(Boolean, () => false), late])
      } finally {
        timeout.abort()
      }
    },
    counters: () => ({ ...counters }),
    pools: () => ({ writers: statsOf(writers), readers: statsOf(readers), replica: replicas && statsOf(replicas) }),
    async close() {
      await Promise.all([...listeners].map((listener) => listener.stop()))
      await Promise.all([writers.pool.end(), readers.pool.end(), replicas?.pool.end()])
    },
  }
}

/** A pool, and how many hosts it may try per connection. */
interface HostsPool {
  readonly pool: Pool
  readonly hostCount: number
}

/**
 * Transactions run static statements by key: one plan per connection is enough. By default PostgreSQL may plan again for each
 * set of values: 1.3 ms for the facts of a cart's SKUs, which take 0.3 ms to read.
 */
const PLAN_ONCE = '-c plan_cache_mode=force_generic_plan'

function openPool(
  settings: DatabaseSettings,
  url: string,
  max: number,
  isWriter: boolean,
  options?: string,
): HostsPool {
  const urls = urlsOf(url)
  const pool = new Pool({
    ...(options !== undefined && { options }),
    ...connectionOf(urls[0]),
    ...(urls.length > 1 && { Client: clientOf(urls, isWriter) as unknown as NonNullable<PoolConfig['Client']> }),
    max,
    pipeline: true,
    application_name: settings.applicationName ?? 'vitrine',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    // Startup parameters. PgBouncer needs `ignore_startup_parameters` for them; see the README.
    statement_timeout: settings.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  })
  pool.on('connect', trackLoss)
  // The pool has already removed the connection. Without a listener the event would end the process.
  pool.on('error', (error) => settings.onConnectionError?.(error))
  return { pool, hostCount: urls.length }
}

/** Each failure moves the pool on to its next host, so one round tries them all. */
async function connectToAny({ pool, hostCount }: HostsPool): Promise<PoolClient> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.connect()
    } catch (error) {
      if (attempt === hostCount) throw error
    }
  }
}

function statsOf({ pool }: HostsPool): PoolStats {
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

/** A reader whose queries share a connection when they are issued together: the loads of a handler are one round trip. */
function sharingReader(open: () => Promise<Session>): Reader {
  let shared: { readonly session: Promise<Session>; users: number } | null = null

  async function use<Value>(ask: (session: Session) => Promise<Value>): Promise<Value> {
    if (!shared) {
      shared = { session: open(), users: 0 }
      // After the code that issues queries together, before any other.
      queueMicrotask(() => {
        shared = null
      })
    }
    const own = shared
    own.users += 1
    const session = await own.session
    try {
      return await ask(session)
    } catch (error) {
      throw session.lost || session.outdated ? new ReadLost(error) : error
    } finally {
      own.users -= 1
      if (own.users === 0) session.release()
    }
  }

  return {
    rows: (statement, values) => retryOnce(() => use((session) => session.rows(statement, values))),
    row: async (statement, values) => (await retryOnce(() => use((session) => session.rows(statement, values))))[0],
    run: (query) => retryOnce(() => use((session) => session.run(query))),
  }
}

/** A read lost its connection, or a migration made its plan stale. Another connection may serve it. */
class ReadLost extends Error {
  constructor(cause: unknown) {
    super('the connection of a read was lost', { cause })
  }
}

/** Retries a read once, on another connection. */
async function retryOnce<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ReadLost)) throw error
  }
  try {
    return await read()
  } catch (error) {
    throw error instanceof ReadLost ? new Unreachable(error.cause) : error
  }
}

async function readSnapshot<Result>(
  open: () => Promise<Session>,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  const session = await open()
  try {
    session.send(beginSnapshot).catch(() => {})
    return await work({
      rows: (statement, values) => session.rows(statement, values),
      row: async (statement, values) => (await session.rows(statement, values))[0],
      run: (query) => session.run(query),
    })
  } catch (error) {
    throw session.lost || session.outdated ? new ReadLost(error) : error
  } finally {
    // Not awaited: the queries of the next borrower follow it.
    session.flush()
    session.send(endSnapshot).catch(() => {})
    session.release()
  }
}

const RECONNECT_AFTER_MS = [100, 200, 500, 1_000, 2_000, 5_000]

/** Listens to one channel on a dedicated connection, and reconnects when it breaks. */
class Listener {
  readonly #settings: DatabaseSettings
  readonly #Client: typeof Client
  readonly #channel: string
  readonly #onNotice: (payload: string | null) => void
  readonly #stopping = new AbortController()
  #client: Client | null = null
  #reconnecting: Promise<void> = Promise.resolve()

  constructor(settings: DatabaseSettings, channel: string, onNotice: (payload: string | null) => void) {
    const urls = urlsOf(settings.url)
    this.#settings = settings
    this.#Client = urls.length > 1 ? clientOf(urls, true) : Client
    this.#channel = channel
    this.#onNotice = onNotice
  }

  async start(): Promise<void> {
    const client = new this.#Client({ ...connectionOf(this.#settings.url), application_name: 'vitrine listener' })
    client.on('error', (error) => {
      this.#settings.onConnectionError?.(error)
    })
    await client.connect()
    client.on('notification', (notice) => this.#onNotice(notice.payload ?? ''))
    client.on('end', () => {
      this.#client = null
      if (!this.#stopping.signal.aborted) this.#reconnecting = this.#reconnect()
    })
    this.#client = client
    await client.query(`listen ${client.escapeIdentifier(this.#channel)}`)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#reconnecting
    await this.#client?.end()
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#stopping
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const waitMs = RECONNECT_AFTER_MS[Math.min(attempt, RECONNECT_AFTER_MS.length - 1)]
      try {
        await pause(waitMs, undefined, { signal })
        await this.start()
        return this.#onNotice(null)
      } catch (error) {
        if (!signal.aborted) this.#settings.onConnectionError?.(error as Error)
      }
    }
  }
}
