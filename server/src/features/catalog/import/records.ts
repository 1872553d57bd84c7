import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { RefusedLine } from './run.ts'

/** The progress of an import. */
export interface ImportFigures {
  readonly bytesRead: number
  readonly linesRead: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  /** The first refused lines. */
  readonly refusals: readonly RefusedLine[]
}

/** An import without its refused lines. */
export interface ImportRecord {
  readonly id: string
  readonly store_slug: string | null
  readonly file_name: string | null
  readonly format: 'jsonl' | 'jsonl.gz' | 'csv' | 'csv.gz'
  readonly status: 'running' | 'completed' | 'failed'
  readonly failure: string | null
  readonly bytes_total: bigint | null
  readonly bytes_read: bigint
  readonly lines_read: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly started_at: Date
  readonly updated_at: Date
  readonly finished_at: Date | null
}

const COLUMNS = `id, store_slug, file_name, format, status, failure, bytes_total, bytes_read, lines_read, created, updated,
  unchanged, refused, started_at, updated_at, finished_at`

const insert = statement(
  'catalog.insert_import',
  `insert into catalog_imports (id, store_slug, file_name, format, bytes_total, started_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $6)`,
)
const update = statement(
  'catalog.update_import',
  `update catalog_imports set bytes_read = $2, lines_read = $3, created = $4, updated = $5, unchanged = $6, refused = $7,
     refusals = $8, updated_at = $9, status = $10, failure = $11, finished_at = $12
   where id = $1`,
)
const page = statement<ImportRecord>(
  'catalog.page_of_imports',
  `select ${COLUMNS} from catalog_imports
   where ($1::text is null or id < $1) and ($2::text is null or store_slug = $2)
     and ($3::text is null or file_name ilike $3 or store_slug ilike $3)
   order by id desc limit $4`,
)
const find = statement<ImportRecord & { readonly refusals: readonly RefusedLine[] }>(
  'catalog.find_import',
  `select ${COLUMNS}, refusals from catalog_imports where id = $1`,
)

interface NewImport {
  readonly id: string
  readonly storeSlug: string | null
  readonly fileName: string | null
  readonly format: string
  readonly bytesTotal: number | null
  readonly startedAt: Date
}

export function insertImport(tx: Transaction, record: NewImport): void {
  tx.write(insert, [record.id, record.storeSlug, record.fileName, record.format, record.bytesTotal, record.startedAt])
}

interface FiguresToSave extends ImportFigures {
  readonly id: string
  readonly now: Date
  /** How it ended; `null` while it runs. */
  readonly end: { readonly failure: string | null } | null
}

export function saveFigures(tx: Transaction, { id, now, end, ...figures }: FiguresToSave): void {
  const { bytesRead, linesRead, created, updated, unchanged, refused, refusals } = figures
  const status = end === null ? 'running' : end.failure === null ? 'completed' : 'failed'
  const counts = [bytesRead, linesRead, created, updated, unchanged, refused]
  const lines = JSON.stringify(refusals.toSorted((one, other) => one.line - other.line))
  tx.write(update, [id, ...counts, lines, now, status, end?.failure ?? null, end && now], { rows: 1 })
}

export interface ImportSearch {
  readonly afterId: string | null
  readonly storeSlug: string | null
  readonly like: string | null
  readonly limit: number
}

/** Imports, newest first. */
export function listImportRecords(reader: Reader, search: ImportSearch): Promise<ImportRecord[]> {
  return reader.rows(page, [search.afterId, search.storeSlug, search.like, search.limit])
}

/** An import with its refused lines. */
export function findImport(reader: Reader, id: string) {
  return reader.row(find, [id])
}
