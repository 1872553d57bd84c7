import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { MIGRATIONS, migrate, startEmbedded } from '../../server/src/platform/postgres/index.ts'

/** A PostgreSQL for tests, with a migrated template database. */
export interface TestServer {
  readonly url: string
  /** The role of the application, which owns nothing. Without it, tests use the role of the URL. */
  readonly application: string | undefined
  readonly template: string
  /** Stops the server if it was started here; otherwise drops the templates of this run. */
  stop(): Promise<void>
}

/**
 * The server of this run: the one of `TEST_DATABASE_URL`, whose user must be allowed to create databases, else an own one in
 * a temporary folder.
 */
export async function startTestServer(): Promise<TestServer> {
  const { TEST_DATABASE_URL: given, TEST_APPLICATION: application } = process.env
  if (given) {
    const template = await migratedTemplate(given, application)
    return { url: given, application, template, stop: () => dropTemplates(given) }
  }
  const folder = await mkdtemp(join(await inMemory(), 'vitrine-test-'))
  const embedded = await startEmbedded({ dataDir: folder, durable: false })
  const { username } = new URL(embedded.applicationUrl)
  return {
    url: embedded.url,
    application: username,
    template: await migratedTemplate(embedded.url, username),
    async stop() {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Free memory needed for all databases of a run. */
const MEMORY_BYTES_MIN = 4 * 2 ** 30

/** A folder in memory, if the system has one: creating a database there costs 0.02 s of processor time, on disk 0.35 s. */
async function inMemory(): Promise<string> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= MEMORY_BYTES_MIN ? '/dev/shm' : tmpdir()
}

/** All processes of a run share its templates. */
const run = process.env.VITRINE_TEST_RUN ?? String(process.pid)

/** The name of a template of this run. */
export function templateOfRun(name: string): string {
  return `vitrine_test_of_${run}_${name}`
}

async function dropTemplates(url: string): Promise<void> {
  await administer(url, async (admin) => {
    const { rows } = await admin.query<{ readonly datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [templateOfRun('')],
    )
    for (const { datname } of rows) await admin.query(`drop database ${datname} with (force)`)
  })
}

/** Its name contains a hash of the migrations, so it is never out of date. */
async function migratedTemplate(url: string, application: string | undefined): Promise<string> {
  const name = `vitrine_test_template_${await migrationsHash()}`
  await makeOnce(url, name, 'template1', (partial) => migrate(partial, { application }))
  return name
}

/** A lock so that two processes that start together create only one template. */
const TEMPLATE_LOCK = 7_305_022

/** The templates that this process has found or created. Asking again took a connection per world, 30 ms of processor time. */
const templates = new Map<string, Promise<void>>()

/** Creates a template database, unless one of that name exists. */
export function makeOnce(
  url: string,
  name: string,
  from: string,
  fill: (url: string) => Promise<unknown>,
): Promise<void> {
  const place = databaseUrl(url, name)
  const known = templates.get(place)
  if (known) return known
  const making = make(url, name, from, fill)
  templates.set(place, making)
  making.catch(() => templates.delete(place))
  return making
}

async function make(url: string, name: string, from: string, fill: (url: string) => Promise<unknown>): Promise<void> {
  await administer(url, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    const partial = `${name}_partial`
    await admin.query(`drop database if exists ${partial} with (force)`)
    await admin.query(copyStatement(partial, from))
    await fill(databaseUrl(url, partial))
    await admin.query(`alter database ${partial} rename to ${name}`)
  })
}

/** Copies files: writing through the log takes twice as long, and this server need not survive a crash. */
export function copyStatement(name: string, template: string): string {
  return `create database ${name} template ${template} strategy file_copy`
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

/** The same database's URL with another role. */
export function asRole(url: string, role: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^/@?]*@)?/, `$1${role}@`)
}

let keptAdmin: { readonly url: string; readonly client: Promise<Client> } | null = null
let inUse = 0

/**
 * Creates or drops a database, over one connection per process: a connection for each statement took 6 ms of processor time.
 * The idle connection does not keep the process running.
 */
export async function changeDatabases(url: string, statement: string): Promise<void> {
  if (keptAdmin?.url !== url) keptAdmin = { url, client: connectedAdmin(url) }
  const client = await keptAdmin.client
  inUse += 1
  streamOf(client).ref()
  try {
    await client.query(statement)
  } finally {
    inUse -= 1
    if (inUse === 0) streamOf(client).unref()
  }
}

async function connectedAdmin(url: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl(url, 'postgres') })
  // The server has stopped: connect again next time.
  client.on('error', () => {
    keptAdmin = null
  })
  await client.connect()
  return client
}

/** The socket of a client, which the types of pg do not declare. */
function streamOf(client: Client): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream
}

/** Runs statements that a test's own database cannot run. */
export async function administer<Result>(url: string, work: (admin: Client) => Promise<Result>): Promise<Result> {
  const admin = new Client({ connectionString: databaseUrl(url, 'postgres') })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}
