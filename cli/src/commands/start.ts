import cluster from 'node:cluster'
import { once } from 'node:events'
import { logger, ROLES, type Role, type RunningVitrine, startProcess, storesExist, systemClock } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { type House, inHouse } from '../house.ts'
import type { Output } from '../output.ts'
import { type DemoKeys, prepareDemo } from './demo.ts'

export interface StartOptions {
  readonly demo?: boolean
  readonly empty?: boolean
  readonly roles?: string
  readonly workers?: string
}

/** `vitrine start`: opens the doors and serves until it is told to stop. */
export async function startCommand(options: StartOptions, output: Output): Promise<void> {
  const roles = readRoles(options.roles)
  const workers = readWorkers(options.workers)
  if (options.demo && options.empty) throw new UsageError('Give --demo or --empty, not both.')
  const stop = stopSignal()
  await inHouse(output, async (house) => {
    const keys = (await wantsDemo(house, options)) ? (await prepareDemo(house, output)).keys : null
    const running = await serve(house, roles, workers)
    announce(output, running, keys)
    await stop
    output.note('Stopping.')
    await running.stop()
  })
}

/** Resolves when the process is asked to end. A second signal ends it at once, as it would have without us. */
function stopSignal(): Promise<unknown> {
  return Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'disconnect')])
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

/** A new embedded database is filled with the demo, unless it should stay empty. Your own database only when asked. */
async function wantsDemo({ config, database }: House, { demo, empty }: StartOptions): Promise<boolean> {
  if (empty || cluster.isWorker) return false
  if (demo) return true
  return config.databaseUrl === null && !(await storesExist(database.reader))
}

/** This process serves alone, or with helpers that share its public door. */
async function serve(house: House, roles: readonly Role[], workers: number): Promise<RunningVitrine> {
  const { config, database, randomness, databaseUrl } = house
  const log = logger(config.logLevel)
  const shares = workers > 1 && roles.includes('public') && cluster.isPrimary
  const own = shares ? roles.filter((role) => role !== 'public') : roles
  const running = await startProcess({ config, roles: own, database, clock: systemClock, randomness, log })
  if (!shares) return running

  cluster.setupPrimary({ args: ['start', '--empty', '--roles', 'public'], serialization: 'advanced' })
  const environment = { DATABASE_URL: databaseUrl, PUBLIC_URL: config.publicUrl, PAGES_URL: config.pagesUrl }
  const helpers = Array.from({ length: workers }, () => cluster.fork(environment))
  cluster.on('exit', (helper, code) => {
    log.warn({ pid: helper.process.pid, code }, 'a worker process ended')
  })
  await Promise.all(helpers.map((helper) => once(helper, 'listening')))
  return {
    doors: { public: `http://${config.host}:${config.ports.public}`, ...running.doors },
    async stop() {
      const ended = helpers.filter((helper) => !helper.isDead()).map((helper) => once(helper, 'exit'))
      for (const helper of helpers) helper.disconnect()
      await Promise.all([running.stop(), ...ended])
    },
  }
}

function announce(output: Output, running: RunningVitrine, keys: DemoKeys | null): void {
  if (cluster.isWorker) return
  const { doors } = running
  const lines = [
    '',
    `Vitrine is open, ${(performance.now() / 1000).toFixed(1)} s after its start.`,
    '',
    ...(doors.public ? [`  public    ${doors.public}/api/v1`] : []),
    ...(doors.pages ? [`  pages     ${doors.pages}`] : []),
    ...(doors.operator ? [`  operator  ${doors.operator}  (health, metrics, openapi.json)`] : []),
    ...(keys && doors.public ? tries(keys, doors.public) : []),
    '',
    'Ctrl+C stops it.',
  ]
  output.result({ doors, ...(keys && { demo: keys }) }, lines)
}

function tries(keys: DemoKeys, door: string): string[] {
  return [
    '',
    `  read key     ${keys.readKey}`,
    `  bound key    ${keys.boundKey}`,
    `  private key  ${keys.privateKeyFile}`,
    '',
    'Three things to try:',
    '',
    `  curl '${door}/api/v1/search?q=mug&locale=en&limit=3'`,
    `  curl -H 'Authorization: Bearer ${keys.readKey}' ${door}/api/v1/open/catalog/categories`,
    `  npx vitrine call createPublicCart --url ${door} --key ${keys.boundKey} \\`,
    `    --key-file ${keys.privateKeyFile} --body '{"currency":"EUR","country":"DE"}'`,
  ]
}
