import { setTimeout as pause } from 'node:timers/promises'
import {
  type Config,
  type Database,
  type EmbeddedPostgres,
  type IdSource,
  idSource,
  isStartingUp,
  leadsTo,
  migrate,
  openDatabase,
  type Randomness,
  readConfig,
  startEmbedded,
  statement,
  systemClock,
  systemRandomness,
} from '@vitrine/server'
import { CommandError, isLostConnection, messageOf, sentenceOf } from './failure.ts'
import type { Output } from './output.ts'

/** The dependencies of a command that runs without a server. */
export interface CommandDeps {
  readonly config: Config
  readonly database: Database
  /** The URL of the database, for child processes. */
  readonly databaseUrl: string
  /** The URL of the role that owns the tables, if it is another one. */
  readonly ownerUrl: string | null
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly now: () => Date
}

interface MigratedDeps extends CommandDeps {
  /** The migrations that were run. */
  readonly migrated: readonly string[]
}

/**
 * Opens the database, migrates it, does the work and closes it. The embedded PostgreSQL is started if it is not running, and
 * shared if it is, so that a command works while a server is running.
 *
 * @throws CommandError if the database cannot be used
 */
export function withDatabase<Result>(output: Output, work: (deps: MigratedDeps) => Promise<Result>): Promise<Result> {
  return opened(output, async (deps) => {
    const { database, databaseUrl, ownerUrl } = deps
    if (ownerUrl === null) {
      const { applied } = await usable(deps, output, () => migrate(databaseUrl))
      return work({ ...deps, migrated: applied })
    }
    const application = (await usable(deps, output, () => database.reader.row(whoami)))?.role
    const migrateAsOwner = async () => {
      if (!(await leadsTo(database, ownerUrl))) throw new CommandError(OTHER_DATABASE)
      return migrate(ownerUrl, { application })
    }
    const { applied } = await usable(deps, output, migrateAsOwner, 'DATABASE_OWNER_URL')
    return work({ ...deps, migrated: applied })
  })
}

/**
 * The same without migrating: the database stays as it is, however old or new.
 *
 * @throws CommandError if the database cannot be used
 */
export function withDatabaseAsIs<Result>(
  output: Output,
  work: (deps: CommandDeps) => Promise<Result>,
): Promise<Result> {
  return opened(output, async (deps) => {
    await usable(deps, output, () => deps.database.reader.row(ping))
    return work(deps)
  })
}

const OTHER_DATABASE =
  'DATABASE_OWNER_URL leads to another database than DATABASE_URL: set both to the same one, with another role each.'

const whoami = statement<{ role: string }>('cli.role', 'select current_user::text as role')
const ping = statement<{ one: number }>('cli.ping', 'select 1 as one')

async function opened<Result>(output: Output, work: (deps: CommandDeps) => Promise<Result>): Promise<Result> {
  const config = readConfig(output.io.env)
  const embedded = config.databaseUrl === null ? await embeddedPostgres(config, output) : null
  try {
    const databaseUrl = config.databaseUrl ?? (embedded as EmbeddedPostgres).applicationUrl
    const ownerUrl = embedded?.url ?? config.databaseOwnerUrl
    const database = openDatabase({
      url: databaseUrl,
      ...(config.databaseReadUrl !== null && { readUrl: config.databaseReadUrl }),
      writersMax: config.writersMax,
      readersMax: config.readersMax,
      onConnectionError: (error) => output.note(`A database connection was lost: ${error.message}`),
    })
    const randomness = systemRandomness()
    const ids = idSource(systemClock, randomness)
    try {
      return await work({ config, database, databaseUrl, ownerUrl, ids, randomness, now: () => systemClock.now() })
    } finally {
      await database.close()
    }
  } finally {
    await embedded?.stop()
  }
}

async function embeddedPostgres(config: Config, output: Output): Promise<EmbeddedPostgres> {
  try {
    return await startEmbedded({ dataDir: config.dataDirectory, onProgress: (what) => output.note(what) })
  } catch (error) {
    throw new CommandError(sentenceOf(error) ?? messageOf(error), { cause: error })
  }
}

/** Recovery after a crash replays the writes since the last checkpoint: seconds, rarely more than a minute. */
const STARTING_MS_MAX = 120_000
const ASK_AGAIN_MS = 250

/**
 * The first query, which fails if the address, the user or the version of the database is wrong. While PostgreSQL is starting,
 * the query is repeated, because both are often started together.
 */
async function usable<Result>(
  { config }: CommandDeps,
  output: Output,
  ask: () => Promise<Result>,
  variable = 'DATABASE_URL',
): Promise<Result> {
  const deadline = performance.now() + STARTING_MS_MAX
  for (let isNoted = false; ; isNoted = true) {
    try {
      return await ask()
    } catch (error) {
      if (!isStartingUp(error) || performance.now() > deadline) throw unusable(config, error, variable)
      if (!isNoted) output.note(`PostgreSQL is starting. Waiting up to ${STARTING_MS_MAX / 1000} s for it.`)
      await pause(ASK_AGAIN_MS)
    }
  }
}

function unusable({ databaseUrl, dataDirectory }: Config, error: unknown, variable: string): CommandError {
  if (error instanceof CommandError) return error
  if (isLostConnection(error)) {
    const reason = `PostgreSQL ended the connection (${messageOf(error)})`
    const remedy = 'check that it is running, then run the command again'
    return new CommandError(`${reason}: ${remedy}. Of pending migrations it has applied all or none.`, { cause: error })
  }
  const where = databaseUrl === null ? `Check ${dataDirectory}.` : `Check ${variable}.`
  // The network error is in the cause.
  const reason = messageOf(error instanceof Error && error.name === 'Unreachable' ? error.cause : error)
  return new CommandError(`The database cannot be used: ${reason}. ${where}`, { cause: error })
}
