import type { TestContext } from 'node:test'
import { type Database, type DatabaseSettings, openDatabase } from '../../server/src/platform/postgres/index.ts'
import { atFileEnd } from './file-end.ts'
import {
  asRole,
  changeDatabases,
  copyStatement,
  databaseUrl,
  makeOnce,
  startTestServer,
  type TestServer,
  templateOfRun,
} from './postgres.ts'

/** A migrated, empty database that no other test sees. */
export interface TestDatabase {
  readonly database: Database
  readonly url: string
  /** The URL with the role that owns the tables. */
  readonly ownerUrl: string
  close(): Promise<void>
}

let server: Promise<TestServer> | null = null
let made = 0

/** The server of this file, or of the whole run if its runner has started one. */
function testServer(): Promise<TestServer> {
  if (!server) {
    server = startTestServer()
    atFileEnd(async () => {
      const stopping = server
      if (process.env.VITRINE_TEST_RUNNER !== undefined) return
      server = null
      await (await stopping)?.stop()
    })
  }
  return server
}

/** A template of this run with more than the migrations, created by the first file that needs it. @returns its name */
export async function ensureTemplate(name: string, fill: (database: Database) => Promise<void>): Promise<string> {
  const { url, template } = await testServer()
  const full = templateOfRun(name)
  await makeOnce(url, full, template, async (partial) => {
    const database = openDatabase({ url: partial })
    await fill(database)
    await database.close()
  })
  return full
}

type TestDatabaseOptions = Omit<DatabaseSettings, 'url'> & {
  readonly template?: string | undefined
  /** Connects with the role of the application; by default as the owner. */
  readonly asApplication?: boolean
}

/**
 * Creates a database from the migrated template, or another one. It is closed and dropped after the given test, or after the last test of
 * the file.
 *
 * @example
 * const { database } = await testDatabase()
 */
export async function testDatabase(
  t?: TestContext,
  { template, asApplication = false, ...settings }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const { url: serverUrl, application, template: migrated } = await testServer()
  made += 1
  const name = `vitrine_test_${process.pid}_${made}`
  await changeDatabases(serverUrl, copyStatement(name, template ?? migrated))
  const ownerUrl = databaseUrl(serverUrl, name)
  const url = asApplication && application !== undefined ? asRole(ownerUrl, application) : ownerUrl
  const database = openDatabase({ url, applicationName: 'vitrine test', ...settings })
  let closing: Promise<void> | null = null
  const close = () => {
    closing ??= (async () => {
      await database.close()
      await changeDatabases(serverUrl, `drop database ${name} with (force)`)
    })()
    return closing
  }
  atFileEnd(close)
  t?.after(close)
  return { database, url, ownerUrl, close }
}
