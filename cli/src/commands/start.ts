import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Config,
  isLocal,
  type Logger,
  logger,
  ROLES,
  type Role,
  type RunningVitrine,
  readConfig,
  startProcess,
  storesExist,
  systemClock,
} from '@vitrine/server'
import { forgetDoors, recordDoors, sharedPort } from '../doors.ts'
import { prepareShop } from '../example-shop.ts'
import { CommandError, UsageError } from '../failure.ts'
import { type CommandDeps, withDatabase } from '../local-database.ts'
import { keepSetupLink, operatorToken, type SetupLink } from '../operator-token.ts'
import type { Output } from '../output.ts'
import { type DemoKeys, fileOfDemoKeys, keptDemoKeys, linesOfKeys, prepareDemo } from './demo.ts'
import { withSimulator } from './simulator.ts'

interface StartOptions {
  readonly demo?: boolean
  readonly empty?: boolean
  readonly roles?: string
  readonly workers?: string
}

/** Requests that are not finished by then are aborted: PostgreSQL rolls them back, and clients retry with the same key. */
const STOP_MS_MAX = 9500
/** The delay before a helper is restarted, to avoid a busy restart loop. */
const HELPER_AGAIN_MS = 1000

/** `vitrine start`: opens the doors and serves until it is stopped. */
export async function startCommand(options: StartOptions, output: Output): Promise<void> {
  const roles = readRoles(options.roles)
  const workers = readWorkers(options.workers)
  if (options.demo && options.empty) throw new UsageError('Give --demo or --empty, not both.')
  const config = readConfig(output.io.env)
  refuseTooMany(workers, config)
  const shared = sharedPort(config, roles)
  if (shared !== null) throw new UsageError(`${shared}: give each door a port of its own.`)
  const stop = output.io.stopSignal()
  await withDatabase(output, async (deps) => {
    const demo = await demoFor(deps, options, output)
    // Demo payments need a provider, and only a process with pages and a worker can be called back by it.
    const canPay = demo !== null && roles.includes('pages') && roles.includes('worker')
    const simulated = canPay && !deps.config.simulator ? await withSimulator(deps) : null
    const paying = simulated?.deps ?? deps
    const shop = canPay && roles.includes('public') ? prepareShop(paying, demo.keys) : null
    try {
      const running = await serve(shop?.deps ?? paying, roles, workers)
      try {
        if (!cluster.isWorker) {
          await recordDoors(deps.config, running.doors)
          const link = running.doors.operator ? await keepSetupLink(deps.config.dataDirectory, running.setupUrl) : null
          const shopUrl = (await shop?.start(output)) ?? null
          announce(output, deps.config, { doors: running.doors, link, demo, shopUrl })
        }
        await stop
        if (!cluster.isWorker) {
          output.note('Stopping.')
          await forgetDoors(deps.config)
          running.leave()
          await pause(deps.config.stopDelayMs)
        }
      } finally {
        // Also if a file cannot be written: the open doors would keep the process alive without its database.
        setTimeout(giveUp, STOP_MS_MAX).unref()
        await shop?.stop()
        await running.stop()
      }
    } finally {
      await shop?.stop()
      await simulated?.simulator.close()
    }
  })
  // The channel to the parent process is all that keeps this process alive.
  if (cluster.isWorker) process.disconnect()
}

function giveUp(): void {
  process.stderr.write('vitrine: Some requests did not end in time and were given up.\n')
  process.exit(1)
}

function readRoles(text: string | undefined): readonly Role[] {
  if (text === undefined) return ROLES
  const roles = text.split(',').map((role) => role.trim())
  const unknown = roles.find((role) => !(ROLES as readonly string[]).includes(role))
  if (unknown !== undefined) throw new UsageError(`There is no role "${unknown}"; there are ${ROLES.join(', ')}.`)
  return roles as Role[]
}

function readWorkers(text: string | undefined): number {
  if (text === undefined) return 1
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new UsageError(`--workers must be a whole number from 1 to 99, not "${text}".`)
}

function refuseTooMany(workers: number, { databaseUrl }: Config): void {
  if (workers <= EMBEDDED_HELPERS_MAX || databaseUrl !== null) return
  throw new UsageError(`The embedded PostgreSQL supports at most ${EMBEDDED_HELPERS_MAX} workers: set DATABASE_URL.`)
}

/** The demo that is loaded. */
interface Demo {
  /** The file with its keys. */
  readonly file: string
  readonly keys: DemoKeys
  /** Whether they were created now. Later starts do not print them: their output ends up in logs. */
  readonly areKeysNew: boolean
}

/**
 * The demo, if it is loaded. It is loaded into a new embedded database that only this machine reaches, unless disabled, and
 * anywhere else only on request.
 */
async function demoFor(deps: CommandDeps, { demo, empty }: StartOptions, output: Output): Promise<Demo | null> {
  if (empty || cluster.isWorker) return null
  const file = fileOfDemoKeys(deps)
  const isNew = deps.config.databaseUrl === null && !(await storesExist(deps.database.reader))
  if (demo || (isNew && isLocal(deps.config))) {
    const { keys, areKeysNew } = await prepareDemo(deps, output)
    return { file, keys, areKeysNew }
  }
  if (isNew) output.note('No demo is loaded, because other machines may reach this service. "--demo" loads it.')
  const keys = await keptDemoKeys(deps)
  return keys && { file, keys, areKeysNew: false }
}

/** Serves in this process only, or with helper processes that share its public door. */
async function serve(deps: CommandDeps, roles: readonly Role[], workers: number): Promise<RunningVitrine> {
  const { config, database, randomness } = deps
  const log = logger(config.logLevel)
  const shares = workers > 1 && roles.includes('public') && cluster.isPrimary
  const own = shares ? roles.filter((role) => role !== 'public') : roles
  const token = own.includes('operator') ? await operatorToken(config.dataDirectory) : null
  let helpers: Helpers | null = null
  const running = await startProcess({
    config,
    isShareOpen: () => !shares || helpers?.isOpen() === true,
    roles: own,
    database,
    clock: systemClock,
    randomness,
    log,
    operatorToken: token,
  })
  if (!shares) return running

  try {
    helpers = await startHelpers(deps, workers, log)
  } catch (error) {
    await running.stop()
    throw error
  }
  const { stop } = helpers
  return {
    doors: { public: `http://${config.host}:${config.ports.public}`, ...running.doors },
    setupUrl: running.setupUrl,
    leave: running.leave,
    stop: () => running.stop(stop()),
  }
}

/** The processes that share the public door. */
interface Helpers {
  /** Whether any of them serves it. */
  isOpen(): boolean
  stop(): Promise<void>
}

/** Starts processes that share the public door, and restarts those that end, until it is stopped. */
async function startHelpers({ config, databaseUrl }: CommandDeps, count: number, log: Logger): Promise<Helpers> {
  cluster.setupPrimary({ args: ['start', '--empty', '--roles', 'public'], serialization: 'advanced' })
  const environment = {
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: config.publicUrl,
    PAGES_URL: config.pagesUrl,
    // With the example shop, which asks for webhooks at the public door.
    WEBHOOK_ALLOWED_TARGETS: [...config.webhookAllowedTargets].join(','),
    ...shareOfConnections(config, count),
  }
  const helpers = new Set<Worker>()
  const listening = new Set<Worker>()
  const started = Promise.withResolvers<void>()
  let stopping = false

  function fork(): Worker {
    const helper = cluster.fork(environment)
    helpers.add(helper)
    helper.once('listening', () => {
      listening.add(helper)
      if (listening.size === count) started.resolve()
    })
    helper.once('exit', (code, signal) => {
      helpers.delete(helper)
      listening.delete(helper)
      if (stopping) return
      // A killed helper is replaced, even during the start. One that exits during the start would exit again.
      if (signal === null) started.reject(new CommandError('A helper process did not start.'))
      log.error({ pid: helper.process.pid, code, signal }, 'a process ended by itself and is started again')
      setTimeout(() => {
        if (!stopping) fork()
      }, HELPER_AGAIN_MS)
    })
    return helper
  }

  async function stop(): Promise<void> {
    stopping = true
    const ended = [...helpers].map((helper) => once(helper, 'exit'))
    // A signal, because a disconnected helper would first wait for idle connections.
    for (const helper of helpers) helper.process.kill('SIGTERM')
    await Promise.all(ended)
  }

  try {
    for (let nth = 0; nth < count; nth += 1) fork()
    await started.promise
    return { isOpen: () => listening.size > 0, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The embedded PostgreSQL has 100 connections, of which the first process and other commands take 30. */
const EMBEDDED_CONNECTIONS = 70
const EMBEDDED_HELPERS_MAX = 16

/** The connection limit of each helper, so that together they do not exceed that of PostgreSQL. */
function shareOfConnections(config: Config, count: number): Readonly<Record<string, string>> {
  if (config.databaseUrl !== null) return {}
  // One connection listens for changes.
  const share = Math.floor(EMBEDDED_CONNECTIONS / count) - 1
  const writers = Math.min(config.writersMax, Math.ceil(share / 2))
  return { DATABASE_WRITERS: `${writers}`, DATABASE_READERS: `${Math.min(config.readersMax, share - writers)}` }
}

interface Announcement {
  readonly doors: RunningVitrine['doors']
  readonly link: SetupLink | null
  readonly demo: Demo | null
  /** The example shop, which the demo opens. */
  readonly shopUrl: string | null
}

function announce(output: Output, config: Config, { doors, link, demo, shopUrl }: Announcement): void {
  const keys = demo?.areKeysNew ? demo.keys : null
  const lines = [
    '',
    `Vitrine is open, ${(performance.now() / 1000).toFixed(1)} s after its start.`,
    '',
    ...(shopUrl ? [`  shop      ${shopUrl}  (a demo: buy something, nothing is charged)`] : []),
    ...(doors.public ? [`  public    ${doors.public}/api/v1`] : []),
    ...(doors.pages ? [`  pages     ${doors.pages}`] : []),
    ...(doors.operator ? [`  operator  ${doors.operator}  (console, health, metrics, openapi.json)`] : []),
    ...(doors.operator ? [`  docs      ${doors.operator}/docs`] : []),
    ...(link
      ? ['', 'There is no operator yet. Create the first one:', `  ${link.isNew ? link.url : `see ${link.file}`}`]
      : []),
    ...(keys ? ['', ...linesOfKeys(keys)] : []),
    ...(keys && doors.public ? tries(keys, config.publicUrl) : []),
    ...(demo && !keys ? ['', `The keys of the demo: see ${demo.file}`] : []),
    '',
    'Ctrl+C stops it.',
  ]
  output.result(
    {
      doors,
      ...(shopUrl && { shop: shopUrl }),
      ...(link && { setupFile: link.file, ...(link.isNew && { setupUrl: link.url }) }),
      ...(demo && { demo: { file: demo.file, ...keys } }),
    },
    lines,
  )
}

/** @param url the public URL of the service, which DPoP proofs are bound to */
function tries(keys: DemoKeys, url: string): string[] {
  return [
    '',
    'Three things to try:',
    '',
    `  curl '${url}/api/v1/search?q=mug&locale=en&limit=3'`,
    `  curl -H 'Authorization: Bearer ${keys.readKey}' ${url}/api/v1/open/catalog/categories`,
    `  npx vitrine call createPublicCart --url ${url} --key ${keys.boundKey} \\`,
    `    --key-file '${keys.privateKeyFile}' --body '{"currency":"EUR","country":"DE"}'`,
  ]
}
