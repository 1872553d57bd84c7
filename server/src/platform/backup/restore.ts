import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { connectDirectly, type DirectClient } from '../postgres/direct-client.ts'
import { knownMigrations, migrate } from '../postgres/migrate.ts'
import type { Transaction } from '../postgres/reader.ts'
import type { BackupProgress } from './backup.ts'
import { BackupError, type BackupHead, BackupReader, type TableColumns } from './format.ts'
import { columnList, quoted, tablesInOrder } from './tables.ts'

/** Tables that are empty in a new database. */
const EMPTY_WHEN_NEW = ['installations', 'operators', 'orders', 'stores', 'customers']

export interface Restored {
  readonly createdAt: string
  readonly rows: Readonly<Record<string, number>>
}

export interface RestoreOptions {
  readonly onProgress?: (progress: BackupProgress) => void
  /** Lets features adjust rows that came from another database, in the same transaction. */
  readonly settle?: (tx: Pick<Transaction, 'write'>) => void
}

/**
 * Restores a backup into an empty database in one transaction. A backup of an earlier version is migrated.
 *
 * Errors: `BackupError` if the file is damaged, truncated or of a later version, or if the database is not empty.
 */
export async function restoreInto(
  url: string,
  source: AsyncIterable<Buffer>,
  { onProgress, settle }: RestoreOptions = {},
): Promise<Restored> {
  const reader = new BackupReader(source)
  const head = await reader.head()
  if (!(await knownMigrations()).includes(head.migration))
    throw new BackupError(`It was made by a later version: this one does not know ${head.migration}.`)
  await refuseUnlessEmpty(url)
  await migrate(url, { upTo: head.migration })
  const client = await connectDirectly(url, 'vitrine restore')
  try {
    await client.query('begin')
    await createPartitions(client, head)
    await empty(client, head)
    const rows: Record<string, number> = {}
    for (const [index, table] of head.tables.entries()) {
      onProgress?.({ table: table.name, tablesDone: index, tables: head.tables.length })
      rows[table.name] = await fill(client, table, reader)
    }
    const tail = await reader.tail()
    for (const { name } of head.tables) {
      if (tail.rows[name] !== rows[name])
        throw new BackupError(`The backup is damaged: the number of rows in ${name} does not match.`)
    }
    for (const { name, value } of head.sequences) {
      if (value !== null) await client.query('select setval($1::regclass, $2)', [quoted(name), value])
    }
    await runAll(client, settle)
    await client.query('commit')
    await client.query('analyze')
    await migrate(url)
    return { createdAt: head.createdAt, rows }
  } finally {
    await client.end()
  }
}

async function fill(client: DirectClient, table: TableColumns, reader: BackupReader): Promise<number> {
  const into = client.query(copyFrom(`copy ${quoted(table.name)} (${columnList(table)}) from stdin`))
  await pipeline(reader.table(), into)
  return into.rowCount
}

/** Creates the daily partitions of stored responses that the backup contains. */
async function createPartitions(client: DirectClient, { tables }: BackupHead): Promise<void> {
  for (const { name } of tables) {
    const day = /^idempotency_answers_(\d{8})$/.exec(name)?.[1]
    if (day) await client.query('select create_answers_partition($1)', [day])
  }
}

/** Deletes rows that migrations inserted: the backup contains their current state. */
async function empty(client: DirectClient, head: BackupHead): Promise<void> {
  for (const { name } of head.tables.toReversed()) {
    const { rowCount } = await client.query(`select 1 from ${quoted(name)} limit 1`)
    if (rowCount) await client.query(`delete from ${quoted(name)}`)
  }
}

async function refuseUnlessEmpty(url: string): Promise<void> {
  const client = await connectDirectly(url, 'vitrine restore')
  try {
    const names = new Set((await tablesInOrder(client)).map(({ name }) => name))
    for (const name of EMPTY_WHEN_NEW.filter((each) => names.has(each))) {
      const { rowCount } = await client.query(`select 1 from ${quoted(name)} limit 1`)
      if (rowCount) throw new BackupError(`The database is not empty: it contains ${name}. Restore into a new one.`)
    }
  } finally {
    await client.end()
  }
}

async function runAll(client: DirectClient, settle: RestoreOptions['settle']): Promise<void> {
  const steps: { readonly text: string; readonly values: readonly unknown[] }[] = []
  settle?.({ write: ({ text }, values) => void steps.push({ text, values }) })
  for (const { text, values } of steps) await client.query(text, [...values])
}
