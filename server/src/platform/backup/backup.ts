import { to as copyTo } from 'pg-copy-streams'
import { connectDirectly, directFailure } from '../postgres/direct-client.ts'
import { BackupError, BackupWriter } from './format.ts'
import { columnList, quoted, sequencesOf, tablesInOrder } from './tables.ts'

/** The progress of a backup or restore. */
export interface BackupProgress {
  readonly table: string
  readonly tablesDone: number
  readonly tables: number
}

/**
 * Exports a snapshot of the whole database as a stream of bytes. The database stays in use; later changes are not included.
 *
 * Errors: `BackupError` if the database is empty.
 *
 * @param onProgress called at the start of each table
 */
export async function* backupOf(
  url: string,
  { now, onProgress }: { readonly now: Date; readonly onProgress?: (progress: BackupProgress) => void },
): AsyncGenerator<Buffer> {
  const client = await connectDirectly(url, 'vitrine backup')
  try {
    await client.query('begin isolation level repeatable read read only')
    const tables = await tablesInOrder(client)
    if (tables.length === 0) throw new BackupError('There is nothing to back up: the database is empty.')
    // The sweep drops daily partitions of stored responses. It waits for this lock, and gives up until its next run.
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
    const writer = new BackupWriter()
    const { rows: last } = await client.query<{ name: string }>('select max(name) as name from migrations')
    const sequences = await sequencesOf(client)
    yield writer.head({ migration: last[0]?.name ?? '', createdAt: now.toISOString(), tables, sequences })
    const rows: Record<string, number> = {}
    for (const [index, table] of tables.entries()) {
      onProgress?.({ table: table.name, tablesDone: index, tables: tables.length })
      const stream = client.query(copyTo(`copy ${quoted(table.name)} (${columnList(table)}) to stdout`))
      for await (const bytes of stream as AsyncIterable<Buffer>) yield writer.chunk(bytes)
      rows[table.name] = stream.rowCount
      yield writer.endOfTable()
    }
    yield writer.tail(rows)
  } catch (error) {
    throw directFailure(error)
  } finally {
    await client.end()
  }
}
