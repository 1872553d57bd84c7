import { after, type TestContext } from 'node:test'
import { type Database, type DatabaseSettings, openDatabase } from '../../server/src/platform/postgres/index.ts'
import { administer, databaseUrl, startTestServer, type TestServer } from './postgres.ts'

/** A migrated, empty database that no other test sees. */
export interface TestDatabase {
  readonly database: Database
  readonly url: string
  close(): Promise<void>
}

let server: Promise<TestServer> | null = null
let made = 0
const open = new Set<TestDatabase>()
const users: (() => Promise<void>)[] = []

// Here, while the file is read: called later it would belong to whichever suite is running.
after(async () => {
  try {
    for (const end of users) await end()
  } finally {
    await Promise.all([...open].map((each) => each.close()))
    await (await server)?.stop()
  }
})

/** Ends what stands on databases, after the last test of the file and before they are closed. */
export function beforeDatabasesClose(end: () => Promise<void>): void {
  users.push(end)
}

/**
 * Makes a database from the template. It is closed and dropped after the given test, or after the last test of the file.
 *
 * @example
 * const { database } = await testDatabase()
 */
export async function testDatabase(
  t?: TestContext,
  settings: Omit<DatabaseSettings, 'url'> = {},
): Promise<TestDatabase> {
  server ??= startTestServer()
  const { url: serverUrl, template } = await server
  made += 1
  const name = `vitrine_test_${process.pid}_${made}`
  await administer(serverUrl, (admin) => admin.query(`create database ${name} template ${template}`))
  const url = databaseUrl(serverUrl, name)
  const database = openDatabase({ url, applicationName: 'vitrine test', ...settings })
  const mine: TestDatabase = {
    database,
    url,
    async close() {
      if (!open.delete(mine)) return
      await database.close()
      await administer(serverUrl, (admin) => admin.query(`drop database ${name} with (force)`))
    },
  }
  open.add(mine)
  t?.after(() => mine.close())
  return mine
}
