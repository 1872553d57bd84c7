import { setTimeout as pause } from 'node:timers/promises'
import { type Client, Pool, type PoolClient, type PoolConfig } from 'pg'
import { prepareNothingOn } from './batch.ts'
import { Unreachable } from './errors.ts'
import { clientOf, connectionOf, FORMATS, urlsOf } from './hosts.ts'
import type { OpenTransaction, Reader } from './reader.ts'
import { type BatchMode, type Counters, Session } from './session.ts'
import { statement } from './statement.ts'
import { runTransaction } from './transaction.ts'

/** Milliseconds. */
export interface Timeouts {
  /** PostgreSQL cancels a statement after this time. 15,000. */
  readonly statement: number
  /** PostgreSQL ends a transaction that waits this long for its next statement: it only holds locks. 10,000. */
  readonly idleInTransaction: number
  /** The wait for a free connection. 10,000. */
  readonly connection: number
  /**
   * The wait for an answer beyond the statement timeout, after which a connection is destroyed: PostgreSQL's own timeouts
   * reach neither a silent network nor a COMMIT that waits for a standby. 5,000.
   */
  readonly answerMargin: number
  /** A statement that looks up a lost COMMIT. It is retried. 3,000. */
  readonly lookupStatement: number
  /** Looking up a lost COMMIT; a crash recovery takes seconds. After this time its outcome is unknown. 15,000. */
  readonly lookup: number
  /** The interval at which a listener sends a query, since a lost connection may just be silent. 30,000. */
  readonly heartbeat: number
}

/** The address of PostgreSQL, and the limits of its use. */
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
  readonly timeouts?: Partial<Timeouts>
  /** A number in [0, 1): jitter for retries. */
  readonly random?: () => number
  /** Called when an idle connection breaks or notifications were missed. For the log. */
  readonly onConnectionError?: (error: Error) => void
}

/** Connections of a pool now. */
interface PoolStats {
  readonly open: number
  readonly idle: number
  readonly waiting: number
  /** The last wait for a connection, while others still wait for one; 0 while none does. Milliseconds. */
  readonly waitedMs: number
}

/** Runs reads on one snapshot of one server. After a lost connection they are repeated once. */
type ReadSnapshot = <Result>(work: (reader: Reader) => Promise<Result>) => Promise<Result>

/** PostgreSQL, as features and the composition root see it. */
export interface Database {
  /** Queries that are issued before the next event share a connection and a round trip. */
  readonly reader: Reader
  /** Repeatable reads: all queries of `work` see the same snapshot. */
  readonly snapshot: ReadSnapshot
  /** The same on the replica; `null` if there is none. */
  readonly replicaSnapshot: ReadSnapshot | null
  /** Runs `work` in a transaction. @see {@link runTransaction} for errors and retries. */
  transaction<Result>(work: (tx: OpenTransaction) => Promise<Result>): Promise<Result>
  /** Calls back on each notification of a channel, and with `null` after a gap in which some may have been missed. */
  listen(channel: string, onNotice: (payload: string | null) => void): Promise<() => Promise<void>>
  /** Whether PostgreSQL answers a read within two seconds. */
  isHealthy(): Promise<boolean>
  /** Whether the last attempt to write has committed. Without a free connection, or with a full disk, it does not. */
  takesWrites(): Promise<boolean>
  counters(): Readonly<Counters>
  pools(): { readonly writers: PoolStats; readonly readers: PoolStats; readonly replica: PoolStats | null }
  /** Waits for running queries and closes all connections. */
  close(): Promise<void>
}

const WRITERS_MAX = 12
const READERS_MAX = 8
/** Connections for looking up lost COMMITs. They are answered at once, or wait for a transaction in progress. */
export const LOOKUPS_MAX = 3
const TIMEOUTS: Timeouts = {
  statement: 15_000,
  idleInTransaction: 10_000,
  connection: 10_000,
  answerMargin: 5_000,
  lookupStatement: 3_000,
  lookup: 15_000,
  heartbeat: 30_000,
}
const IDLE_CONNECTION_MS = 60_000
const HEALTH_TIMEOUT_MS = 2_000

/** Time for a connection to close once its queries are done. */
const CLOSE_TIMEOUT_MS = 5_000

const one = statement('database.health', 'select 1 as one')
// A transaction with an id leaves a marker: this write needs no table.
const probe = statement('database.probe', 'select pg_current_xact_id()::text as id')
const beginSnapshot = statement('snapshot.begin', 'begin isolation level repeatable read read only')
const endSnapshot = statement('snapshot.end', 'rollback')

/** Opens pools of pipelined connections. Connects on the first query, so PostgreSQL may start later than this process. */
export function openDatabase(settings: DatabaseSettings): Database {
  const counters: Counters = { queries: 0, roundTrips: 0, transactions: 0, repetitions: 0 }
  const listeners = new Set<Listener>()
  const timeouts = { ...TIMEOUTS, ...settings.timeouts }
  const max = settings.readersMax ?? READERS_MAX
  const open = (url: string, options: PoolOptions) => openPool(settings, url, timeouts, options)
  const writers = open(settings.url, {
    max: settings.writersMax ?? WRITERS_MAX,
    isWriter: true,
    options: `${KEEP_ALIVE} ${PLAN_ONCE}`,
  })
  const readers = open(settings.url, { max, isWriter: true })
  const replicas = settings.readUrl === undefined ? null : open(settings.readUrl, { max, isWriter: false })
  const lookups = openPool(
    settings,
    settings.url,
    { ...timeouts, statement: timeouts.lookupStatement, connection: timeouts.lookupStatement },
    { max: LOOKUPS_MAX, isWriter: true },
  )

  const pools = [writers, readers, lookups, ...(replicas ? [replicas] : [])]
  /** If the network went silent, the idle connections are lost as well: each would cost its next borrower a deadline. */
  const dropIdle = () => {
    for (const { idle } of pools) for (const { connection } of idle) connection.stream.destroy()
  }
  const openFrom = (pool: HostsPool, mode: BatchMode) => async () => {
    const client = await connectToAny(pool).catch((error: unknown) => {
      throw new Unreachable(error)
    })
    return new Session(client, counters, mode, { ms: pool.answerTimeoutMs, onOverdue: dropIdle })
  }
  const openReader = openFrom(readers, 'independent')
  const transactionDeps = {
    open: openFrom(writers, 'atomic'),
    openForLookup: openFrom(lookups, 'atomic'),
    lookupMs: timeouts.lookup,
    random: settings.random ?? Math.random,
    onRepetition: () => {
      counters.repetitions += 1
    },
  }
  const reader = sharingReader(openReader)
  const snapshotOf =
    (pool: HostsPool): ReadSnapshot =>
    (work) =>
      retryOnce(() => readSnapshot(openFrom(pool, 'atomic'), work))
  const takesWrites = lastOutcome(() => runTransaction(transactionDeps, async (tx) => void (await tx.row(probe))))

  return {
    reader,
    snapshot: snapshotOf(readers),
    replicaSnapshot: replicas && snapshotOf(replicas),
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
    isHealthy: () =>
      within(
        HEALTH_TIMEOUT_MS,
        reader.row(one).then(Boolean, () => false),
        false,
      ),
    takesWrites,
    counters: () => ({ ...counters }),
    pools: () => ({ writers: statsOf(writers), readers: statsOf(readers), replica: replicas && statsOf(replicas) }),
    async close() {
      await Promise.all([...listeners].map((listener) => listener.stop()))
      await Promise.all(pools.map(closePool))
    },
  }
}

/** A value, or another one if it takes too long. */
async function within<Value>(timeoutMs: number, value: Promise<Value>, otherwise: Value): Promise<Value> {
  const timeout = new AbortController()
  try {
    const late = pause(timeoutMs, otherwise, { signal: timeout.signal })
    late.catch(() => {})
    return await Promise.race([value, late])
  } finally {
    timeout.abort()
  }
}

/** Writers may wait this long for each other. */
const PROBE_LATE_MS = 5_000

/** Whether an attempt succeeds, one at a time. Until an attempt is late, the last outcome counts: a busy moment is not a failure. */
function lastOutcome(attempt: () => Promise<void>): () => Promise<boolean> {
  let last = true
  let running: Promise<boolean> | null = null
  const run = async () => {
    const late = setTimeout(() => {
      last = false
    }, PROBE_LATE_MS)
    last = await attempt().then(
      () => true,
      () => false,
    )
    clearTimeout(late)
    running = null
    return last
  }
  return () => {
    running ??= run()
    return within<boolean | null>(HEALTH_TIMEOUT_MS, running, null).then((outcome) => outcome ?? last)
  }
}

/** A pool, the number of hosts to try per connection, its open connections and the idle ones of these. */
interface HostsPool {
  readonly pool: Pool
  readonly hostCount: number
  /** After this time PostgreSQL will not answer any more. */
  readonly answerTimeoutMs: number
  readonly clients: ReadonlySet<PoolClient>
  readonly idle: ReadonlySet<PoolClient>
  /** The last wait for a connection. */
  lastWaitMs: number
}

interface PoolOptions {
  readonly max: number
  readonly isWriter: boolean
  readonly options?: string
}

/** Waits for running queries. A connection that does not close is destroyed: a silent one would keep the process alive. */
async function closePool({ pool, clients }: HostsPool): Promise<void> {
  await pool.end()
  const destroy = () => {
    for (const { connection } of clients) connection.stream.destroy()
  }
  if (clients.size > 0) setTimeout(destroy, CLOSE_TIMEOUT_MS).unref()
}

/**
 * For PostgreSQL's end of a connection, which waits for the rest of a batch without a timeout. If our end is lost silently, its
 * locks are released after 30 s.
 */
const KEEP_ALIVE = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

/**
 * Transactions run static statements by key: one plan per connection is enough. By default PostgreSQL may plan again for each
 * set of values: 1.3 ms for the facts of a cart's SKUs, which take 0.3 ms to read.
 */
const PLAN_ONCE = '-c plan_cache_mode=force_generic_plan'

function openPool(
  settings: DatabaseSettings,
  url: string,
  timeouts: Timeouts,
  { max, isWriter, options = KEEP_ALIVE }: PoolOptions,
): HostsPool {
  const urls = urlsOf(url)
  const pool = new Pool({
    ...connectionOf(urls[0]),
    options: `${FORMATS} ${options}`,
    Client: clientOf(urls, isWriter) as unknown as NonNullable<PoolConfig['Client']>,
    max,
    pipeline: true,
    application_name: settings.applicationName ?? 'vitrine',
    connectionTimeoutMillis: timeouts.connection,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    // Startup parameters. PgBouncer needs `ignore_startup_parameters` for them; see the README.
    statement_timeout: timeouts.statement,
    idle_in_transaction_session_timeout: timeouts.idleInTransaction,
  })
  const isPrepared = !/[?&]prepare=false\b/.test(urls[0])
  const clients = new Set<PoolClient>()
  const idle = new Set<PoolClient>()
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (_error, client) => idle.add(client))
  pool.on('connect', (client) => {
    if (!isPrepared) prepareNothingOn(client.connection)
    clients.add(client)
  })
  pool.on('remove', (client) => {
    clients.delete(client)
    idle.delete(client)
  })
  // The pool has already removed the connection. Without a listener the event would end the process.
  pool.on('error', (error) => settings.onConnectionError?.(error))
  const answerTimeoutMs = timeouts.statement + timeouts.answerMargin
  return { pool, hostCount: urls.length, answerTimeoutMs, clients, idle, lastWaitMs: 0 }
}

/** Each failure moves the pool on to its next host, so one round tries them all. A wait while all connections are in use is none. */
async function connectToAny(hosts: HostsPool): Promise<PoolClient> {
  const { pool, hostCount, clients } = hosts
  const since = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      const client = await pool.connect()
      hosts.lastWaitMs = performance.now() - since
      return client
    } catch (error) {
      if (attempt === hostCount || clients.size >= pool.options.max) throw error
    }
  }
}

function statsOf({ pool, lastWaitMs }: HostsPool): PoolStats {
  const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool
  return { open, idle, waiting, waitedMs: waiting === 0 ? 0 : lastWaitMs }
}

/** At most this many queries share a connection. A search issues six together; more are those of other requests, which would wait. */
const SHARED_MAX = 8

/** A reader whose queries share a connection when they are issued together: the loads of a handler are one round trip. */
function sharingReader(open: () => Promise<Session>): Reader {
  let shared: { readonly session: Promise<Session>; issued: number; users: number } | null = null

  async function use<Value>(ask: (session: Session) => Promise<Value>): Promise<Value> {
    if (!shared || shared.issued === SHARED_MAX) {
      shared = { session: open(), issued: 0, users: 0 }
      // Runs after everything that the last answer has led to, before the next event: each answer that wakes this process takes 0.2 ms.
      process.nextTick(() => {
        shared = null
      })
    }
    const own = shared
    own.issued += 1
    own.users += 1
    const session = await own.session
    try {
      return await ask(session)
    } catch (error) {
      throw readFailure(session, error)
    } finally {
      own.users -= 1
      if (own.users === 0) {
        if (shared === own) shared = null
        session.release()
      }
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
  readonly isStale: boolean

  constructor(cause: unknown, isStale: boolean) {
    super('the connection of a read was lost', { cause })
    this.isStale = isStale
  }
}

function readFailure(session: Session, error: unknown): unknown {
  if (session.isOverdue) return new Unreachable(error)
  return session.lost || session.outdated ? new ReadLost(error, session.outdated) : error
}

/** Retries a read once, on another connection. A stale one does not count: a migration makes all of them stale. */
async function retryOnce<Value>(read: () => Promise<Value>, isRetry = false): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ReadLost)) throw error
    if (isRetry && !error.isStale) throw new Unreachable(error.cause)
    return retryOnce(read, isRetry || !error.isStale)
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
    throw readFailure(session, error)
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
  readonly #hostCount: number
  readonly #channel: string
  readonly #timeouts: Timeouts
  readonly #onNotice: (payload: string | null) => void
  readonly #stopping = new AbortController()
  #client: Client | null = null
  #reconnecting: Promise<void> = Promise.resolve()
  #heartbeat: NodeJS.Timeout | null = null

  constructor(settings: DatabaseSettings, channel: string, onNotice: (payload: string | null) => void) {
    const urls = urlsOf(settings.url)
    this.#settings = settings
    this.#timeouts = { ...TIMEOUTS, ...settings.timeouts }
    this.#Client = clientOf(urls, true)
    this.#hostCount = urls.length
    this.#channel = channel
    this.#onNotice = onNotice
  }

  /** Each failure moves on to the next host, so one round tries them all. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#connect()
      } catch (error) {
        if (attempt === this.#hostCount) throw error
      }
    }
  }

  async #connect(): Promise<void> {
    const client = new this.#Client({
      ...connectionOf(this.#settings.url),
      application_name: 'vitrine listener',
      query_timeout: this.#timeouts.connection,
    })
    client.on('error', (error) => {
      this.#settings.onConnectionError?.(error)
    })
    await client.connect()
    client.on('notification', (notice) => this.#onNotice(notice.payload ?? ''))
    this.#client = client
    await client.query(`listen ${client.escapeIdentifier(this.#channel)}`).catch((error: unknown) => {
      this.#client = null
      client.connection.stream.destroy()
      throw error
    })
    // Only now: a connection that is lost before it listens is replaced by `start`, and must not be replaced twice.
    client.on('end', () => {
      this.#client = null
      if (this.#heartbeat) clearInterval(this.#heartbeat)
      if (!this.#stopping.signal.aborted) this.#reconnecting = this.#reconnect()
    })
    this.#heartbeat = setInterval(() => this.#beat(client), this.#timeouts.heartbeat).unref()
  }

  /** The driver rejects the query of a silent connection, which is then replaced. */
  #beat(client: Client): void {
    client.query('select 1').catch(() => client.connection.stream.destroy())
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
