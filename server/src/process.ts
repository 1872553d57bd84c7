import type { FastifyInstance } from 'fastify'
import { type App, createApp } from './app.ts'
import type { Config, Role } from './config.ts'
import { IMPORT_JOB, VOCABULARY_JOB } from './features/catalog/index.ts'
import { MEDIA_SWEEP_JOB } from './features/media/index.ts'
import { paymentJobs } from './features/payments/index.ts'
import type { Clock } from './kernel/clock.ts'
import { idSource } from './kernel/ids.ts'
import type { Randomness } from './kernel/randomness.ts'
import { armCrashPoint } from './platform/crash/crash-points.ts'
import { enqueue, type JobHandlers, JobRunner, makeDue } from './platform/jobs/index.ts'
import { MAIL_JOB } from './platform/mail/index.ts'
import { serveMetricsToPrimary } from './platform/observe/cluster-metrics.ts'
import type { Logger } from './platform/observe/logger.ts'
import type { Database } from './platform/postgres/index.ts'
import { DeliveryLoop, periodicJobs } from './worker/index.ts'

/** A running process. */
export interface RunningVitrine {
  /** The URL of each open door. */
  readonly doors: { readonly public?: string; readonly pages?: string; readonly operator?: string }
  /** The setup link for the first operator; `null` if one exists or this process has no operator door. */
  readonly setupUrl: string | null
  /** Makes `/readyz` report this process as not ready, while it still serves. */
  leave(): void
  /**
   * Stops accepting requests, finishes running work, returns leases and closes the doors. The database stays open.
   *
   * @param helpers other work to wait for before the operator door closes
   */
  stop(helpers?: Promise<unknown>): Promise<void>
}

interface ProcessDeps {
  readonly config: Config
  readonly roles: readonly Role[]
  readonly database: Database
  readonly clock: Clock
  readonly randomness: Randomness
  readonly log: Logger
  /** The token of the command line for the operator door; `null`: none is accepted. */
  readonly operatorToken: string | null
  /** Whether helpers serve a door that this process does not open itself. */
  readonly isShareOpen?: () => boolean
}

interface OpenDoor {
  readonly name: Exclude<Role, 'worker'>
  readonly door: FastifyInstance
  readonly host: string
}

/** After this time open connections are closed: below the 10 s after which a supervisor kills the process. */
const DRAIN_MS = 8000

/** A periodic job is retried forever. */
const PERIODIC_ATTEMPTS_MAX = 2_000_000_000

/**
 * Separate runners for payments, because a slow provider delays neither mails nor periodic jobs, nor all other payments, for mails and
 * the removal of pictures, because their servers can be slow or silent, too, and for imports and counts of all words, because one can
 * take minutes.
 */
const PAYMENT_RUNNERS = 2

function handlersOfRunners({ jobs, payments }: App): readonly JobHandlers[] {
  const payment = paymentJobs(payments)
  const together = [[IMPORT_JOB, VOCABULARY_JOB], [MAIL_JOB], [MEDIA_SWEEP_JOB]]
  const apart = new Set([...together.flat(), ...Object.keys(payment)])
  const all = Object.entries({ ...periodicJobs, ...jobs })
  return [
    Object.fromEntries(all.filter(([kind]) => !apart.has(kind))),
    ...together.map((kinds) => Object.fromEntries(all.filter(([kind]) => kinds.includes(kind)))),
    ...Array.from({ length: PAYMENT_RUNNERS }, () => payment),
  ]
}

const isOperatorDoor = ({ name }: OpenDoor) => name === 'operator'

/** Opens the doors of the given roles on a migrated database. */
export async function startProcess(deps: ProcessDeps): Promise<RunningVitrine> {
  const { config, roles, database, clock, randomness, log, operatorToken, isShareOpen = () => true } = deps
  armCrashPoint(config.crashAt)
  const app = await createApp({ config, database, clock, randomness, log })
  serveMetricsToPrimary(app.metrics.registry)
  let draining = false
  let opened = false
  let delivering: DeliveryLoop | null = null

  const doors: OpenDoor[] = []
  if (roles.includes('public')) doors.push({ name: 'public', door: app.publicDoor, host: config.host })
  if (roles.includes('pages')) doors.push({ name: 'pages', door: await app.pagesDoor(), host: config.host })
  if (roles.includes('operator')) {
    const isReady = async () => {
      if (draining || !opened || !isShareOpen() || delivering?.isWorking === false) return false
      const each = await Promise.all([database.isHealthy(), database.takesWrites()])
      return each.every(Boolean)
    }
    const operator = await app.operatorDoor({ token: operatorToken, isReady })
    doors.push({ name: 'operator', door: operator, host: config.operatorHost })
  }

  let workers: readonly JobRunner[] = []
  const stopWork = () => Promise.all([...workers.map((worker) => worker.stop()), delivering?.stop()])
  const leave = () => {
    draining = true
  }
  /** Closes the operator door last: until everything else is done, /readyz reports that the process is not ready. */
  async function stop(helpers?: Promise<unknown>): Promise<void> {
    leave()
    const drainTimer = setTimeout(() => {
      for (const { door } of doors) door.server.closeAllConnections()
    }, DRAIN_MS)
    const others = doors.filter((door) => !isOperatorDoor(door))
    await Promise.all([...others.map(({ door }) => door.close()), stopWork(), helpers])
    await Promise.all(doors.filter(isOperatorDoor).map(({ door }) => door.close()))
    clearTimeout(drainTimer)
    await app.stop()
  }

  try {
    await app.start()
    const addresses: Record<string, string> = {}
    for (const { name, door, host } of doors) addresses[name] = await door.listen({ host, port: config.ports[name] })
    if (roles.includes('worker')) {
      const ids = idSource(clock, randomness)
      const periodic = [...Object.keys(periodicJobs), MEDIA_SWEEP_JOB]
      await database.transaction(async (tx) => {
        for (const kind of periodic) {
          enqueue(tx, { kind, subject: 'all', runAt: clock.now(), attemptsMax: PERIODIC_ATTEMPTS_MAX }, ids)
        }
        makeDue(tx, periodic, clock.now())
      })
      workers = handlersOfRunners(app).map((handlers) => new JobRunner(handlers, { database, clock, ids, log }))
      for (const worker of workers) worker.start()
      delivering = new DeliveryLoop(app.deliveries, log)
      delivering.start()
    }
    opened = true
    const setupToken = addresses.operator ? await app.setupToken() : null
    // In the fragment, which browsers do not send and logs do not contain.
    const setupUrl = setupToken && `${addresses.operator}/setup#${setupToken}`
    return { doors: addresses, setupUrl, leave, stop }
  } catch (error) {
    // If one door cannot be opened, none stays open.
    await stop()
    throw error
  }
}
