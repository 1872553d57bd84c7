import { type Operation, type OperationId, operations } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from './kernel/clock.ts'
import { idSource } from './kernel/ids.ts'
import type { Randomness } from './kernel/randomness.ts'
import { refuse } from './kernel/refusal.ts'
import type { Config } from './config.ts'
import { cartOperations, expireIdleCarts, quoteSigner } from './features/carts/index.ts'
import { catalogOperations } from './features/catalog/index.ts'
import {
  findCredential,
  getApiKeyIdentity,
  getInstallationIdentity,
  getInstallationReadiness,
  isKnownOrigin,
  KeyUses,
} from './features/installations/index.ts'
import { getRuntimeConfig } from './features/storefront/index.ts'
import { dpopVerifier } from './platform/auth/dpop.ts'
import { dpopNonces } from './platform/auth/nonce.ts'
import { Following } from './platform/freshness/following.ts'
import { Revisions } from './platform/freshness/revision.ts'
import type { Handler } from './platform/http/handler.ts'
import { KeptAnswers } from './platform/http/kept-answers.ts'
import { type House, type Route, routeOf } from './platform/http/pipeline.ts'
import { publicDoor } from './platform/http/public-door.ts'
import type { JobHandler, JobHandlers } from './platform/jobs/index.ts'
import type { Logger } from './platform/observe/logger.ts'
import { type Metrics, metrics } from './platform/observe/metrics.ts'
import type { Database } from './platform/postgres/index.ts'
import { rateLimiter } from './platform/rate-limit/rate-limiter.ts'
import { loadSecrets, type ServerSecrets } from './platform/secrets/server-secrets.ts'
import { sweep } from './worker/sweep.ts'

/** One handler a row: a missing or an extra one does not compile. */
export type HandlerMap = { readonly [Id in OperationId]: Handler<(typeof operations)[Id]> }

/** Stands for an operation that a later release builds. It passes every check of its row and then says so. */
export async function unfinished(): Promise<never> {
  refuse('operation_unfinished')
}

/** What the process hands to the house. Tests hand in their own clock, randomness and database. */
export interface AppParts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly randomness: Randomness
  readonly log: Logger
}

export interface App {
  readonly publicDoor: FastifyInstance
  readonly metrics: Metrics
  readonly revisions: Revisions
  /** Jobs of this process, by kind. */
  readonly jobHandlers: JobHandlers
  /** Follows changes that other nodes make, until `stop`. */
  start(): Promise<void>
  stop(): Promise<void>
}

const KEY_USES_FLUSH_MS = 60_000

/** Puts the house together. The database must be migrated. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, database, clock, randomness, log } = parts
  const ids = idSource(clock, randomness)
  const secrets = await database.transaction((tx) => loadSecrets(tx, randomness))
  const revisions = new Revisions()
  const replicaRevisions = new Revisions()
  await revisions.refresh(database.reader)
  const nonces = dpopNonces(secrets['dpop-nonce'])
  const uses = new KeyUses()
  const metered = metrics()

  const house: House = {
    database,
    publicReader: async () => {
      if (database.replica === database.reader) return database.reader
      await replicaRevisions.refresh(database.replica)
      return replicaRevisions.stamp === revisions.stamp ? database.replica : database.reader
    },
    clock,
    ids,
    limiter: rateLimiter(database.reader, config.rateLimits),
    revisions,
    kept: new KeptAnswers(revisions),
    verifyProof: dpopVerifier(nonces),
    nonces,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    credentials: {
      find: (keyHash) => findCredential(database.reader, keyHash),
      used: (credentialId, now) => uses.note(credentialId, now),
    },
  }
  const door = publicDoor({
    house,
    routes: routesOf(handlersOf(config, secrets)),
    log,
    metrics: metered,
    isKnownOrigin: (origin) => isKnownOrigin(database.reader, origin),
  })
  observe(metered, database, house)

  const following = new Following({ database, revisions, log })
  let flushing: NodeJS.Timeout | null = null
  const flushKeyUses = () => database.transaction(async (tx) => uses.flush(tx))
  return {
    publicDoor: door,
    metrics: metered,
    revisions,
    jobHandlers: { 'carts.expire': expireCarts, sweep },
    async start() {
      await following.start()
      flushing = setInterval(() => {
        flushKeyUses().catch((error: unknown) => log.warn({ err: error }, 'the last uses of keys were not noted'))
      }, KEY_USES_FLUSH_MS)
      flushing.unref()
    },
    async stop() {
      if (flushing) clearInterval(flushing)
      await following.stop()
      await flushKeyUses()
    },
  }
}

function routesOf(handlers: HandlerMap): Route[] {
  const ids = Object.keys(operations) as OperationId[]
  return ids.map((id) => routeOf(id, operations[id] as Operation, handlers[id] as Parameters<typeof routeOf>[2]))
}

/** Figures of what this process holds. */
function observe(metered: Metrics, database: Database, house: House): void {
  metered.gauge('vitrine_kept_answer_bytes', 'Bytes of kept public answers.', () => house.kept.bytes)
  metered.gauge('vitrine_database_writers_open', 'Open connections for transactions.', () => database.pools().writers.open)
  metered.gauge('vitrine_database_writers_waiting', 'Transactions that wait for a connection.', () => database.pools().writers.waiting)
  metered.gauge('vitrine_database_readers_open', 'Open connections for reads.', () => database.pools().readers.open)
  metered.gauge('vitrine_database_queries_total', 'Queries since the start.', () => database.counters().queries)
}

/** Carts idle for 30 days expire; the job comes back each minute. */
const expireCarts: JobHandler = async (_job, { database, now }) => {
  await expireIdleCarts(database, now)
  return new Date(now.getTime() + 60_000)
}
