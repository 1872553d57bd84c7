import type { DirectClient } from '../postgres/direct-client.ts'
import type { BackupHead, TableFacts } from './format.ts'

/** What belongs to a database and not to what is in it: migrations run again, and limits begin anew. */
const LEFT_OUT: readonly string[] = ['migrations', 'migrations_lock', 'rate_limits']

/** Tables of the schema with the columns that are stored, not computed. */
const TABLES = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname order by c.relname`

const REFERENCES = `
  select conrelid::regclass::text as from_table, confrelid::regclass::text as to_table from pg_constraint
  where contype = 'f' and conrelid <> confrelid and connamespace = current_schema()::regnamespace`

const SEQUENCES = `
  select sequencename as name, last_value::text as value from pg_sequences where schemaname = current_schema() order by 1`

/** The tables of a database in an order in which no row comes before those that it names. */
export async function tablesInOrder(client: DirectClient): Promise<TableFacts[]> {
  const tables = (await client.query<TableFacts>(TABLES)).rows.filter(({ name }) => !LEFT_OUT.includes(name))
  const references = (await client.query<{ from_table: string; to_table: string }>(REFERENCES)).rows
  return inOrder(tables, references)
}

/** Pure, so that a circle is found by a test and not by a restore. */
export function inOrder(
  tables: readonly TableFacts[],
  references: readonly { readonly from_table: string; readonly to_table: string }[],
): TableFacts[] {
  const waiting = new Map(tables.map((table) => [table.name, table]))
  const ordered: TableFacts[] = []
  while (waiting.size > 0) {
    const isFree = ({ name }: TableFacts) =>
      references.every(({ from_table, to_table }) => from_table !== name || !waiting.has(to_table))
    const free = [...waiting.values()].filter(isFree)
    if (free.length === 0) throw new Error(`tables name each other in a circle: ${[...waiting.keys()].join(', ')}`)
    for (const table of free) {
      waiting.delete(table.name)
      ordered.push(table)
    }
  }
  return ordered
}

export async function sequencesOf(client: DirectClient): Promise<BackupHead['sequences']> {
  return (await client.query<BackupHead['sequences'][number]>(SEQUENCES)).rows
}

/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function columnList({ columns }: TableFacts): string {
  return columns.map(quoted).join(', ')
}
