import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Pool } from 'pg'
import { type Database, openDatabase } from './database.ts'
import { sqlStateOf } from './errors.ts'
import { connectionOf, primaryUrlOf } from './hosts.ts'
import type { Reader } from './reader.ts'
import { grantRights } from './rights.ts'
import { statement } from './statement.ts'

/** Forward only: the SQL of a released file never changes, and there are no down migrations. */
export const MIGRATIONS = new URL('../../../migrations/', import.meta.url)

/**
 * The end of the name of a migration that removes what earlier releases use. If a release knows all of these, it starts on a newer
 * database: during an upgrade, after a crash, and to go back.
 */
const CONTRACT = '_contract'

/** Names of migrations: those that this call applied, and those that were present before. */
interface Migrated {
  readonly applied: readonly string[]
  readonly present: readonly string[]
}

interface MigrationOptions {
  readonly folder?: URL
  /** The last one to apply, for a database that a backup of that version is restored into. All of them by default. */
  readonly upTo?: string
  /** The role of the application, if another role migrates. It is granted its rights. */
  readonly application?: string | undefined
  /** How long a migration waits for a lock before it gives way: meanwhile everybody who needs the table waits behind it. */
  readonly lockMs?: number
  /** How long it tries again. */
  readonly heldUpMsMax?: number
}

/** Less than the statement timeout of those who wait behind a migration. */
const LOCK_MS = 5_000
const HELD_UP_MS_MAX = 10 * 60_000
/** So that those who waited behind a migration have their turn. */
const GIVE_WAY_MS = 500

/**
 * Applies all pending migrations in one transaction, without a timeout. Several processes may call it at once: one works, the
 * others wait for it. It gives way while a long transaction holds up a lock that it needs.
 *
 * Errors: a database from which a later release has removed something, a renamed migration, a lock that is held for too long, and
 * errors of the SQL.
 *
 * @see docs/decisions/0181-migrations-give-way.md
 */
export async function migrate(url: string, options: MigrationOptions = {}): Promise<Migrated> {
  const endsAt = performance.now() + (options.heldUpMsMax ?? HELD_UP_MS_MAX)
  for (;;) {
    try {
      return await migrateOnce(url, options)
    } catch (error) {
      if (sqlStateOf(error instanceof HeldUp ? error.cause : error) !== LOCK_NOT_AVAILABLE) throw error
      // A process that waits for another one to migrate waits as long as that takes.
      if (error instanceof HeldUp && performance.now() > endsAt) throw error
      await pause(GIVE_WAY_MS)
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

/** A migration that another session holds up. */
class HeldUp extends Error {}

async function migrateOnce(
  url: string,
  { folder = MIGRATIONS, upTo, application, lockMs = LOCK_MS }: MigrationOptions,
): Promise<Migrated> {
  // A failover during a migration needs an operator.
  const connection = connectionOf(await primaryUrlOf(url))
  const options = `${connection.options} -c lock_timeout=${lockMs}`
  const pool = new Pool({ ...connection, options, application_name: 'vitrine migrate', max: 2 })
  pool.on('error', () => {})
  // The pool listens to idle connections only: without this, one that is lost in use would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrations = await readMigrations(folder)
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
      migrationTableName: 'migrations',
      migrationLockTableName: 'migrations_lock',
    })
    const before = await migrator.getMigrations()
    const pending = before.filter(({ executedAt }) => executedAt === undefined)
    if (pending.length === before.length) await refuseUnsuitable(db)
    if (pending.length > 0 && !(await mayMigrate(db))) {
      throw new Error('only the owner of the database can migrate it: run vitrine migrate with DATABASE_OWNER_URL')
    }
    const present = before.filter(({ executedAt }) => executedAt !== undefined).map(({ name }) => name)
    if (pending.length === 0 && (await onlyAddsTo(db, present))) return { applied: [], present }
    const { error, results = [] } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
    if (error) throw await explain(db, error, Object.keys(migrations), results)
    if (application !== undefined) await grantRights(db, application, results.length > 0)
    return {
      applied: results.filter((result) => result.status === 'Success').map((result) => result.migrationName),
      present,
    }
  } finally {
    await db.destroy()
  }
}

/** The earliest version of PostgreSQL, as `server_version_num` has it. */
export const POSTGRES_MIN = 150_000

/** Refuses to create the tables in a database that could not hold every text, or by a PostgreSQL that is too old. */
async function refuseUnsuitable(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding`.execute(
    db,
  )
  const { version = 0, encoding = '' } = rows[0] ?? {}
  if (version < POSTGRES_MIN)
    throw new Error(`PostgreSQL ${Math.floor(version / 10_000)} is too old: 15 or later is needed`)
  if (encoding === 'UTF8') return
  throw new Error(`the encoding of the database is ${encoding}: create it with encoding 'UTF8' template template0`)
}

/** Whether earlier releases do not start after a migration. */
export function removesSomething(name: string): boolean {
  return name.endsWith(CONTRACT)
}

/** Whether later releases have migrated a database, and removed nothing. */
async function onlyAddsTo(db: Kysely<unknown>, known: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from migrations where name <> all (${known})`.execute(db)
  return rows.length > 0 && rows.every(({ name }) => !removesSomething(name))
}

/** Whether this role owns the tables, or there are none yet. */
async function mayMigrate(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`
    select coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('audit_log')), true) as yes`.execute(
    db,
  )
  return rows[0]?.yes === true
}

const lock = statement('migrations.lock', 'select pg_advisory_xact_lock($1)')
const isFree = statement<{ yes: boolean }>('migrations.is_free', 'select pg_try_advisory_xact_lock($1) as yes')

/** Whether a URL leads to an open database: then each sees the locks of the other. */
export async function leadsTo(database: Database, url: string): Promise<boolean> {
  const other = openDatabase({ url, writersMax: 1, readersMax: 1 })
  const key = BigInt(randomInt(2 ** 48 - 1))
  try {
    return await database.snapshot(async (reader) => {
      await reader.rows(lock, [key])
      return (await other.reader.row(isFree, [key]))?.yes === false
    })
  } finally {
    await other.close()
  }
}

/** The difference between a database and this code. Both empty: up to date. */
interface MigrationDrift {
  /** Not applied yet. */
  readonly missing: readonly string[]
  /** Applied, but unknown to this code: the database is newer. */
  readonly unknown: readonly string[]
}

const hasRunAny = statement<{ yes: boolean }>('migrations.any', `select to_regclass('migrations') is not null as yes`)
const hasRun = statement<{ name: string }>('migrations.run', 'select name from migrations order by name')

/** Compares a database with this code, without changes. */
export async function migrationDrift(reader: Reader, folder: URL = MIGRATIONS): Promise<MigrationDrift> {
  const known = await namesIn(folder)
  const present = (await reader.row(hasRunAny))?.yes ? (await reader.rows(hasRun)).map(({ name }) => name) : []
  return {
    missing: known.filter((name) => !present.includes(name)),
    unknown: present.filter((name) => !known.includes(name)),
  }
}

/** The names of the migrations of this release. */
export const knownMigrations = (): Promise<readonly string[]> => namesIn(MIGRATIONS)

async function namesIn(folder: URL): Promise<readonly string[]> {
  return (await readdir(folder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace(/\.sql$/, ''))
    .sort()
}

async function readMigrations(folder: URL): Promise<Record<string, Migration>> {
  const migrations = (await namesIn(folder)).map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(new URL(`${name}.sql`, folder), 'utf8')
    return [name, { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(migrations))
}

async function explain(
  db: Kysely<unknown>,
  error: unknown,
  known: readonly string[],
  results: readonly { readonly migrationName: string; readonly status: string }[],
): Promise<Error> {
  const failed = results.find((result) => result.status === 'Error')
  if (failed) {
    if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) {
      const message = `migration ${failed.migrationName} waits for a lock: end long transactions, such as a backup`
      return new HeldUp(message, { cause: error })
    }
    const reason = error instanceof Error ? error.message : String(error)
    return new Error(`migration ${failed.migrationName} failed: ${reason}`, { cause: error })
  }
  const present = await sql<{ name: string }>`select name from migrations order by name`.execute(db).catch(() => null)
  const unknown = present?.rows.map((row) => row.name).filter((name) => !known.includes(name)) ?? []
  if (unknown.length === 0) return error instanceof Error ? error : new Error(String(error))
  return new Error(`the database is newer than this code, which does not know: ${unknown.join(', ')}`, { cause: error })
}
