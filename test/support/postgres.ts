import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { MIGRATIONS, migrate, startEmbedded } from '../../server/src/platform/postgres/index.ts'

/** A PostgreSQL for tests, and the migrated database in it that others are copied from. */
export interface TestServer {
  readonly url: string
  readonly template: string
  /** Stops what was started for this; leaves a server that was given alone. */
  stop(): Promise<void>
}

/**
 * The server of this run: the one that `TEST_DATABASE_URL` names, whose user may create databases, else one of our own in
 * a folder that goes with it.
 */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, template: await ensureTemplate(given), stop: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-test-'))
  const embedded = await startEmbedded({ dataDir: folder, durable: false })
  return {
    url: embedded.url,
    template: await ensureTemplate(embedded.url),
    async stop() {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Two test files that start together on a given server make one template. */
const TEMPLATE_LOCK = 7_305_022

/** Makes the template once. Its name tells the migrations in it, so it is never out of date. */
async function ensureTemplate(url: string): Promise<string> {
  const template = `vitrine_test_template_${await migrationsHash()}`
  await administer(url, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template])
    if (rowCount) return
    const partial = `${template}_partial`
    await admin.query(`drop database if exists ${partial} with (force)`)
    await admin.query(`create database ${partial}`)
    await migrate(databaseUrl(url, partial))
    await admin.query(`alter database ${partial} rename to ${template}`)
  })
  return template
}

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of (await readdir(MIGRATIONS)).sort())
    hash.update(file).update(await readFile(new URL(file, MIGRATIONS)))
  return hash.digest('hex').slice(0, 16)
}

/** The same server's URL with another database. */
export function databaseUrl(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`)
}

/** Runs statements that no database of a test can run about itself. */
export async function administer<Result>(url: string, work: (admin: Client) => Promise<Result>): Promise<Result> {
  const admin = new Client({ connectionString: databaseUrl(url, 'postgres') })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}
