import { present } from '../../../kernel/assert.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { RefusedLine, SettledLines } from './run.ts'

/** The kind of the job that reads an uploaded file. Its subject is the import. */
export const IMPORT_JOB = 'catalogue.import'

/** The format of a catalog file. */
export type ImportFormat = 'jsonl' | 'jsonl.gz' | 'csv' | 'csv.gz'

/** The state of an import as stored. */
type ImportStatus = 'uploading' | 'waiting' | 'running' | 'completed' | 'failed' | 'canceled'

/** An import without its refused lines. */
export interface ImportRecord {
  readonly id: string
  readonly store_slug: string | null
  readonly file_name: string | null
  readonly format: ImportFormat
  readonly status: ImportStatus
  readonly failure: string | null
  readonly bytes_total: bigint | null
  readonly bytes_read: bigint
  readonly lines_read: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly unpriced: number
  readonly started_at: Date
  readonly uploaded_at: Date | null
  readonly updated_at: Date
  readonly finished_at: Date | null
}

/** An import as an operator sees it. */
export interface ListedImport extends ImportRecord {
  /** It has not ended, and nothing will continue it. */
  readonly is_abandoned: boolean
  /** It is due, but no worker has taken it, nor any other import. */
  readonly is_unattended: boolean
}

const COLUMNS = `id, store_slug, file_name, format, status, failure, bytes_total, bytes_read, lines_read, created, updated,
  unchanged, refused, unpriced, started_at, uploaded_at, updated_at, finished_at`

/** A worker claims a job within a second. */
const CLAIMED_WITHIN = "interval '10 seconds'"
/** A worker still has to do something. */
const ONGOING_STATUSES: readonly ImportStatus[] = ['uploading', 'waiting', 'running']
const ONGOING = `status in ('${ONGOING_STATUSES.join("', '")}')`
const LISTED = `${COLUMNS},
  ${ONGOING} and not exists (
    select from jobs where kind = '${IMPORT_JOB}' and subject = catalog_imports.id and dead_at is null) as is_abandoned,
  ${ONGOING} and exists (
    select from jobs where kind = '${IMPORT_JOB}' and subject = catalog_imports.id and dead_at is null
      and greatest(run_at, lease_until) <= $1::timestamptz - ${CLAIMED_WITHIN})
  and not exists (select from jobs where kind = '${IMPORT_JOB}' and lease_until > $1) as is_unattended`

const insert = statement(
  'catalog.insert_import',
  `insert into catalog_imports (id, store_slug, file_name, format, bytes_total, started_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $6)`,
)
const page = statement<ListedImport>(
  'catalog.page_of_imports',
  `select ${LISTED} from catalog_imports
   where ($2::text is null or id < $2) and ($3::text is null or store_slug = $3)
     and ($4::text is null or file_name ilike $4 or store_slug ilike $4)
   order by id desc limit $5`,
)
const countFaulty = statement<{ count: number }>(
  'catalog.count_faulty_imports',
  `select count(*)::integer as count from (select from catalog_imports
     where started_at >= $1 and (status = 'failed' or refused > 0) limit $2) as faulty`,
)
const find = statement<ListedImport>('catalog.find_import', `select ${LISTED} from catalog_imports where id = $2`)
const lock = statement<ImportRecord>(
  'catalog.lock_import',
  `select ${COLUMNS} from catalog_imports where id = $1 for update`,
)
const firstRefusals = statement<RefusedLine>(
  'catalog.first_refusals',
  'select line, reason from catalog_import_refusals where import_id = $1 order by line, number limit $2',
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

export interface ImportSearch {
  readonly afterId: string | null
  readonly storeSlug: string | null
  readonly like: string | null
  readonly limit: number
  readonly now: Date
}

/** Imports, newest first. */
export function listImportRecords(reader: Reader, search: ImportSearch): Promise<ListedImport[]> {
  return reader.rows(page, [search.now, search.afterId, search.storeSlug, search.like, search.limit])
}

export function findImport(reader: Reader, id: string, now: Date): Promise<ListedImport | undefined> {
  return reader.row(find, [now, id])
}

/** The first refused lines of an import, in their order. */
export function findRefusals(reader: Reader, id: string, limit: number): Promise<RefusedLine[]> {
  return reader.rows(firstRefusals, [id, limit])
}

/** Locks an import, so that nothing else changes it until the transaction ends. */
export function lockImport(tx: Transaction, id: string): Promise<ImportRecord | undefined> {
  return tx.row(lock, [id])
}

/** Whether a worker still has to do something for it. */
export function isOngoing({ status }: Pick<ImportRecord, 'status'>): boolean {
  return ONGOING_STATUSES.includes(status)
}

const insertChunk = statement(
  'catalog.insert_import_chunk',
  'insert into catalog_import_chunks (import_id, number, bytes) values ($1, $2, $3)',
)
const readChunk = statement<{ bytes: Buffer }>(
  'catalog.read_import_chunk',
  'select bytes from catalog_import_chunks where import_id = $1 and number = $2',
)
const deleteChunks = statement('catalog.delete_import_chunks', 'delete from catalog_import_chunks where import_id = $1')
const touch = statement(
  'catalog.touch_import',
  "update catalog_imports set updated_at = $2 where id = $1 and status = 'uploading'",
)

interface Chunk {
  readonly id: string
  readonly number: number
  readonly bytes: Buffer
  readonly now: Date
}

/** Stores a part of the file while it is uploaded. False if the import has ended meanwhile. */
export async function writeChunk(tx: Transaction, { id, number, bytes, now }: Chunk): Promise<boolean> {
  if ((await tx.change(touch, [id, now])) === 0) return false
  tx.write(insertChunk, [id, number, bytes])
  return true
}

/** The file of an import. In transactions, because a replica may not have it yet. */
export async function* storedFile(database: Pick<Database, 'transaction'>, id: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const chunk = await database.transaction((tx) => tx.row(readChunk, [id, number]))
    if (chunk === undefined) return
    yield chunk.bytes
  }
}

const finishUpload = statement(
  'catalog.finish_upload',
  `update catalog_imports set status = 'waiting', bytes_total = $2, sha256 = $3, uploaded_at = $4, updated_at = $4
   where id = $1 and status = 'uploading'`,
)
const unfinishedSame = statement<ImportRecord>(
  'catalog.unfinished_same_imports',
  `select ${COLUMNS} from catalog_imports other
   where status in ('waiting', 'running') and id <> $1 and exists (
     select from catalog_imports own where own.id = $1 and own.sha256 = other.sha256 and own.format = other.format
       and own.store_slug is not distinct from other.store_slug)
   order by id for update`,
)
const earlier = statement(
  'catalog.earlier_import',
  `select from catalog_imports own join catalog_imports other
     on other.status in ('waiting', 'running') and (other.uploaded_at, other.id) < (own.uploaded_at, own.id)
   where own.id = $1
     and exists (select from jobs where kind = '${IMPORT_JOB}' and subject = other.id and dead_at is null) limit 1`,
)
const begin = statement(
  'catalog.begin_import',
  `update catalog_imports set status = 'running', updated_at = $2 where id = $1 and status in ('waiting', 'running')`,
)
const settle = statement(
  'catalog.settle_import',
  `update catalog_imports set bytes_read = greatest(bytes_read, $2), lines_read = $3, created = $4, updated = $5,
     unchanged = $6, refused = $7, updated_at = $8, unpriced = $9
   where id = $1`,
)
const insertRefusals = statement(
  'catalog.insert_refusals',
  `insert into catalog_import_refusals (import_id, number, line, reason)
   select $1, number, line, reason from unnest($2::integer[], $3::integer[], $4::text[]) as refused (number, line, reason)`,
)
const end = statement(
  'catalog.end_import',
  `update catalog_imports set status = $2, failure = $3, updated_at = $4, finished_at = $4,
     bytes_read = case $2 when 'completed' then bytes_total else bytes_read end
   where id = $1`,
)

interface UploadEnd {
  readonly id: string
  readonly bytes: number
  readonly sha256: Buffer
  readonly now: Date
}

/**
 * The whole file is there.
 *
 * @returns unfinished imports of the same file, locked, which this one makes needless; `null` if this one has ended meanwhile
 */
export async function saveUploaded(
  tx: Transaction,
  { id, bytes, sha256, now }: UploadEnd,
): Promise<ImportRecord[] | null> {
  if ((await tx.change(finishUpload, [id, bytes, sha256, now])) === 0) return null
  return tx.rows(unfinishedSame, [id])
}

/** Whether an import that was uploaded before this one has not ended. */
export async function hasEarlierImport(reader: Reader, id: string): Promise<boolean> {
  return (await reader.row(earlier, [id])) !== undefined
}

/** Marks an import as running. False if it has ended. */
export async function beginImport(tx: Transaction, id: string, now: Date): Promise<boolean> {
  return (await tx.change(begin, [id, now])) === 1
}

/** Stored refused lines per import. The rest are only counted. */
const REFUSALS_STORED_MAX = 100_000
const REASON_MAX = 4000

interface Settlement extends SettledLines {
  readonly id: string
  readonly bytesRead: number
  readonly now: Date
}

/** Saves how far an import has come, in the transaction that wrote its lines. */
export function saveSettled(tx: Transaction, { id, bytesRead, now, ...settled }: Settlement): void {
  const { read, created, updated, unchanged, refused, unpriced, newlyRefused } = settled
  tx.write(settle, [id, bytesRead, read, created, updated, unchanged, refused, now, unpriced], { rows: 1 })
  const first = refused - newlyRefused.length + 1
  const stored = newlyRefused.slice(0, Math.max(0, REFUSALS_STORED_MAX - first + 1))
  if (stored.length === 0) return
  const numbers = stored.map((_, index) => first + index)
  const reasons = stored.map(({ reason }) => reason.slice(0, REASON_MAX))
  tx.write(insertRefusals, [id, numbers, stored.map(({ line }) => line), reasons])
}

interface ImportEnd {
  readonly id: string
  readonly status: 'completed' | 'failed' | 'canceled'
  readonly failure: string | null
  readonly now: Date
}

/** Ends an import that the transaction has locked, and deletes its file. @returns the import before and after */
export async function endImport(
  tx: Transaction,
  { id, status, failure, now }: ImportEnd,
): Promise<{ readonly before: ImportRecord; readonly after: ImportRecord }> {
  const before = present(await lockImport(tx, id), 'the import that ends')
  tx.write(end, [id, status, failure, now], { rows: 1 })
  tx.write(deleteChunks, [id])
  return { before, after: present(await lockImport(tx, id), 'the import that has ended') }
}

/** Counts the imports since a time that failed or refused lines, up to a number. */
export async function countFaultyImports(reader: Reader, since: Date, most: number): Promise<number> {
  return (await reader.row(countFaulty, [since, most]))?.count ?? 0
}
