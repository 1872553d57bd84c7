import type { FastifyInstance } from 'fastify'
import { type App, createApp } from './app.ts'
import type { Config, Role } from './config.ts'
import { paymentJobs } from './features/payments/index.ts'
import type { Clock } from './kernel/clock.ts'
import { idSource } from './kernel/ids.ts'
import type { Randomness } from './kernel/randomness.ts'
import { armCrashPoint } from './platform/crash/crash-points.ts'
import { enqueue, type JobHandlers, JobRunner } from './platform/jobs/index.ts'
import { serveMetricsToPrimary } from './platform/observe/cluster-metrics.ts'
import type { Logger } from './platform/observe/logger.ts'
import type { Database } from './platform/postgres/index.ts'
import { clockJobs, DeliveryLoop } from './worker/index.ts'

/** A process that serves, until it is stopped. */
export interface RunningVitrine {
  /** Where each door that this process opens can be reached. */
  readonly doors: { readonly public?: string; readonly pages?: string; readonly operator?: string }
  /** Where the first operator is made, as long as there is none and this process opens the operator's door. */
  readonly setupUrl: string | null
  /**
   * Stops accepting, finishes what runs, hands back leases and closes the doors. The database stays open.
   *
   * @param helpers what else must end before nobody has to watch any more
   */
  stop(helpers?: Promise<unknown>): Promise<void>
}

export interface ProcessDeps {
  readonly config: Config
  readonly roles: readonly Role[]
  readonly database: Database
  readonly clock: Clock
  readonly randomness: Randomness
  readonly log: Logger
  /** What the command line shows to the operator door; `null`: it takes none. */
  readonly operatorToken: string | null
}

interface OpenDoor {
  readonly name: Exclude<Role, 'worker'>
  readonly door: FastifyInstance
  readonly host: string
}

/** What a stop may take before connections that are still open are cut: under the 10 s after which we may be killed. */
const DRAIN_MS = 8000
const IDLE_CLOSED_EVERY_MS = 50

/** What comes back each minute never gives up: it would only be missed. */
const ATTEMPTS_OF_A_CLOCK = 2_000_000_000

/** A payment provider that is slow to answer keeps no mail and no clock waiting, and not every other payment. */
const PAYING_RUNNERS = 2

function handlersOfRunners({ jobs, payments }: App): readonly JobHandlers[] {
  const paying = paymentJobs(payments)
  const others = Object.entries({ ...clockJobs, ...jobs }).filter(([kind]) => !Object.hasOwn(paying, kind))
  return [Object.fromEntries(others), ...Array.from({ length: PAYING_RUNNERS }, () => paying)]
}

/** Opens the doors of the given roles on a migrated database. */
export async function startProcess(parts: ProcessDeps): Promise<RunningVitrine> {
  const { config, roles, database, clock, randomness, log, operatorToken } = parts
  armCrashPoint(config.crashAt)
  const app = await createApp({ config, database, clock, randomness, log })
  serveMetricsToPrimary(app.metrics.registry)
  let draining = false

  const doors: OpenDoor[] = []
  if (roles.includes('public')) doors.push({ name: 'public', door: app.publicDoor, host: config.host })
  if (roles.includes('pages')) doors.push({ name: 'pages', door: await app.pagesDoor(), host: config.host })
  if (roles.includes('operator')) {
    const isReady = async () => !draining && (await database.isHealthy())
    const operator = await app.operatorDoor({ token: operatorToken, isReady })
    doors.push({ name: 'operator', door: operator, host: config.operatorHost })
  }

  let workers: readonly JobRunner[] = []
  let delivering: DeliveryLoop | null = null

  const stopWork = () => Promise.all([...workers.map((worker) => worker.stop()), delivering?.stop()])

  /** Answers to the last: what watches over us sees that we are not ready until everything else is done. */
  async function stop(helpers?: Promise<unknown>): Promise<void> {
    draining = true
    const eachServer = (act: (server: FastifyInstance['server']) => void) => () => {
      for (const { door } of doors) act(door.server)
    }
    // A connection that was at work when we began to drain is idle now, and would be kept for its next request.
    const tidying = setInterval(
      eachServer((server) => server.closeIdleConnections()),
      IDLE_CLOSED_EVERY_MS,
    )
    const cut = setTimeout(
      eachServer((server) => server.closeAllConnections()),
      DRAIN_MS,
    )
    const isWatched = ({ name }: OpenDoor) => name === 'operator'
    const others = doors.filter((door) => !isWatched(door))
    await Promise.all([...others.map(({ door }) => door.close()), stopWork(), helpers])
    clearInterval(tidying)
    clearTimeout(cut)
    await Promise.all(doors.filter(isWatched).map(({ door }) => door.close()))
    await app.stop()
  }

  try {
    await app.start()
    const addresses: Record<string, string> = {}
    for (const { name, door, host } of doors) addresses[name] = await door.listen({ host, port: config.ports[name] })
    if (roles.includes('worker')) {
      const ids = idSource(clock, randomness)
      await database.transaction(async (tx) => {
        for (const kind of Object.keys(clockJobs)) {
          enqueue(tx, { kind, subject: 'all', runAt: clock.now(), attemptsMax: ATTEMPTS_OF_A_CLOCK }, ids)
        }
      })
      workers = handlersOfRunners(app).map((handlers) => new JobRunner(handlers, { database, clock, ids, log }))
      for (const worker of workers) worker.start()
      delivering = new DeliveryLoop(app.deliveries, log)
      delivering.start()
    }
    const setupToken = addresses.operator ? await app.setupToken() : null
    // Behind the #, which no browser sends and no log keeps.
    const setupUrl = setupToken && `${addresses.operator}/setup#${setupToken}`
    return { doors: addresses, setupUrl, stop }
  } catch (error) {
    // A door that could not be opened leaves none of the others open.
    await stop()
    throw error
  }
}
