import {
  type Config,
  type Database,
  type EmbeddedPostgres,
  type IdSource,
  idSource,
  migrate,
  openDatabase,
  type Randomness,
  readConfig,
  startEmbedded,
  statement,
  systemClock,
  systemRandomness,
  writeDown,
} from '@vitrine/server'
import { type Asked, subjectOf } from './asked.ts'
import { CommandError, messageOf, sentenceOf } from './failure.ts'
import type { Output } from './output.ts'

/** What a command that works on the database is given. */
export interface House {
  readonly config: Config
  readonly database: Database
  /** Where the database is, for processes that we start. */
  readonly databaseUrl: string
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly now: () => Date
}

export interface HouseUpToDate extends House {
  /** Migrations that this opening ran. */
  readonly migrated: readonly string[]
}

/**
 * Opens the database, brings it up to date, does the work and closes it. The embedded PostgreSQL is started where it does
 * not run, and joined where it does, so that a command works beside a running server.
 *
 * @throws CommandError where there is no database to work on
 */
export function inHouse<Result>(output: Output, work: (house: HouseUpToDate) => Promise<Result>): Promise<Result> {
  return opened(output, async (house) => {
    const { applied } = await usable(house, () => migrate(house.databaseUrl))
    const database = output.asked ? writingDown(house, output.asked) : house.database
    return work({ ...house, database, migrated: applied })
  })
}

/** The database, on which the first transaction of a command writes down who has asked for what. One that only reads has none. */
function writingDown({ database, ids, now }: House, asked: Asked): Database {
  const { command, words, options } = asked
  const change = {
    subject: { type: 'command', id: subjectOf(asked) },
    before: null,
    after: { ...(words.length > 0 && { arguments: words }), ...options },
  }
  let isWritten = false
  return {
    ...database,
    async transaction(work) {
      const result = await database.transaction(async (tx) => {
        const done = await work(tx)
        const by = {
          operator: COMMAND_LINE,
          operation: `vitrine ${command}`,
          requestId: ids.next('req'),
          now: now(),
          ids,
        }
        if (!isWritten) writeDown(tx, change, by)
        return done
      })
      isWritten = true
      return result
    },
  }
}

/** Whoever may use the data directory, or knows the address of the database. */
const COMMAND_LINE = { id: null, email: 'command line', via: 'token' } as const

/**
 * The same for who only looks: the database stays as it is, however old or new.
 *
 * @throws CommandError where there is no database to look at
 */
export function lookingIn<Result>(output: Output, work: (house: House) => Promise<Result>): Promise<Result> {
  return opened(output, async (house) => {
    await usable(house, () => house.database.reader.row(ping))
    return work(house)
  })
}

const ping = statement<{ one: number }>('house.ping', 'select 1 as one')

async function opened<Result>(output: Output, work: (house: House) => Promise<Result>): Promise<Result> {
  const config = readConfig(process.env)
  const embedded = config.databaseUrl === null ? await embeddedPostgres(config, output) : null
  try {
    const databaseUrl = config.databaseUrl ?? (embedded as EmbeddedPostgres).url
    const database = openDatabase({
      url: databaseUrl,
      ...(config.databaseReadUrl !== null && { readUrl: config.databaseReadUrl }),
      writersMax: config.writersMax,
      readersMax: config.readersMax,
      onConnectionError: (error) => output.note(`A database connection broke: ${error.message}`),
    })
    const randomness = systemRandomness()
    const ids = idSource(systemClock, randomness)
    try {
      return await work({ config, database, databaseUrl, ids, randomness, now: () => systemClock.now() })
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

/** The first time that the database is asked anything: what is wrong with its address, its user or its age shows here. */
async function usable<Result>({ config }: House, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    const where = config.databaseUrl === null ? `Look at ${config.dataDirectory}.` : 'Look at DATABASE_URL.'
    // What the network said stands behind that it could not be reached.
    const reason = messageOf(error instanceof Error && error.name === 'Unreachable' ? error.cause : error)
    throw new CommandError(`The database cannot be used: ${reason}. ${where}`, { cause: error })
  }
}
