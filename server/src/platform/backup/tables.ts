import type { DirectClient } from '../postgres/direct-client.ts'
import type { BackupHead, TableColumns } from './format.ts'

/** Tables without business data: migrations run again, rate limits restart, and processes read the catalog when they start. */
const EXCLUDED: readonly string[] = [
  'migrations',
  'migrations_lock',
  'rate_limits',
  'catalog_changes',
  'catalog_change_marks',
]

/** Tables of the schema with their stored columns, without generated ones. */
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

/** The tables of a database in the order of foreign keys: referenced tables first. */
export async function tablesInOrder(client: DirectClient): Promise<TableColumns[]> {
  const tables = (await client.query<TableColumns>(TABLES)).rows.filter(({ name }) => !EXCLUDED.includes(name))
  const references = (await client.query<{ from_table: string; to_table: string }>(REFERENCES)).rows
  return inOrder(tables, references)
}

/** Sorts tables by their references. Pure, so that a test can check any graph. */
export function inOrder(
  tables: readonly TableColumns[],
  references: readonly { readonly from_table: string; readonly to_table: string }[],
): TableColumns[] {
  const waiting = new Map(tables.map((table) => [table.name, table]))
  const ordered: TableColumns[] = []
  while (waiting.size > 0) {
    const isFree = ({ name }: TableColumns) =>
      references.every(({ from_table, to_table }) => from_table !== name || !waiting.has(to_table))
    const free = [...waiting.values()].filter(isFree)
    if (free.length === 0) throw new Error(`tables reference each other in a cycle: ${[...waiting.keys()].join(', ')}`)
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

/** Quotes an SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function columnList({ columns }: TableColumns): string {
  return columns.map(quoted).join(', ')
}
