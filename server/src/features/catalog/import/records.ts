import { createHash } from 'node:crypto'
import { present } from '../../../kernel/assert.ts'
import { withdraw } from '../../../platform/jobs/index.ts'
import { storable } from '../../../platform/line-files/line-file.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { Mapping } from './mapped/columns.ts'
import { REASON_HEADER } from './mapped/guess.ts'
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
  readonly started_at: Date
  readonly uploaded_at: Date | null
  readonly updated_at: Date
  readonly finished_at: Date | null
  /** The column mapping of a table, if the upload had one. */
  readonly mapping: Mapping | null
  readonly header: readonly string[] | null
  readonly undo_requested_at: Date | null
  readonly undone_at: Date | null
}

/** An import as an operator sees it. */
export interface ListedImport extends ImportRecord {
  /** It has not ended, and no job will continue it. */
  readonly is_abandoned: boolean
  /** It is due, but no worker has claimed it or any other import. */
  readonly is_unattended: boolean
  /** It has ended, and the earlier state of its products is still stored. */
  readonly can_be_undone: boolean
}

const COLUMNS = `id, store_slug, file_name, format, status, failure, bytes_total, bytes_read, lines_read, created, updated,
  unchanged, refused, started_at, uploaded_at, updated_at, finished_at, mapping, header, undo_requested_at, undone_at`

/** An import that is due for longer is unattended. Workers claim a job within a second. */
const CLAIMED_WITHIN = "interval '10 seconds'"
/** The import has not ended. */
const ONGOING_STATUSES: readonly ImportStatus[] = ['uploading', 'waiting', 'running']
const ONGOING = `status in ('${ONGOING_STATUSES.join("', '")}')`
const LISTED = `${COLUMNS},
  ${ONGOING} and not exists (
    select from jobs where kind = '${IMPORT_JOB}' and subject = catalog_imports.id and dead_at is null) as is_abandoned,
  ${ONGOING} and exists (
    select from jobs where kind = '${IMPORT_JOB}' and subject = catalog_imports.id and dead_at is null
      and greatest(run_at, lease_until) <= $1::timestamptz - ${CLAIMED_WITHIN})
  and not exists (select from jobs where kind = '${IMPORT_JOB}' and lease_until > $1) as is_unattended,
  finished_at is not null and exists (
    select from catalog_import_products where import_id = catalog_imports.id) as can_be_undone`

const insert = statement(
  'catalog.insert_import',
  `insert into catalog_imports (id, store_slug, file_name, format, bytes_total, started_at, updated_at, mapping)
   values ($1, $2, $3, $4, $5, $6, $6, $7)`,
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
  readonly mapping: Mapping | null
}

export function insertImport(tx: Transaction, record: NewImport): void {
  const { id, storeSlug, fileName, format, bytesTotal, startedAt, mapping } = record
  tx.write(insert, [id, storeSlug, fileName, format, bytesTotal, startedAt, mapping && JSON.stringify(mapping)])
}

interface ImportSearch {
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

/** Whether an import has not ended. */
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

/** Reads the file of an import, in transactions, because a replica may not have it yet. */
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
     unchanged = $6, refused = $7, updated_at = $8
   where id = $1`,
)
const insertRefusals = statement(
  'catalog.insert_refusals',
  `insert into catalog_import_refusals (import_id, number, line, reason, source)
   select $1, number, line, reason, source::jsonb
   from unnest($2::integer[], $3::integer[], $4::text[], $5::text[]) as refused (number, line, reason, source)`,
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
 * Saves that the upload is complete.
 *
 * @returns the unfinished imports of the same file, locked, which this one replaces; `null` if this one has ended meanwhile
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

/** Refused lines that are stored per import. Further ones are only counted. */
const REFUSALS_STORED_MAX = 100_000
const REASON_MAX = 4000
/** Refused lines that are stored with their cells, and the maximum length of those as JSON. */
const SOURCES_STORED_MAX = 10_000
const SOURCE_CHARACTERS_MAX = 256 * 1024

interface Settlement extends SettledLines {
  readonly id: string
  readonly bytesRead: number
  readonly now: Date
}

/** Saves the progress of an import, in the transaction that wrote its lines. */
export function saveSettled(tx: Transaction, { id, bytesRead, now, ...settled }: Settlement): void {
  const { read, created, updated, unchanged, refused, newlyRefused } = settled
  tx.write(settle, [id, bytesRead, read, created, updated, unchanged, refused, now], { rows: 1 })
  const first = refused - newlyRefused.length + 1
  const stored = newlyRefused.slice(0, Math.max(0, REFUSALS_STORED_MAX - first + 1))
  if (stored.length === 0) return
  const numbers = stored.map((_, index) => first + index)
  const reasons = stored.map(({ reason }) => reason.slice(0, REASON_MAX))
  const sources = stored.map(({ source }, index) => (first + index > SOURCES_STORED_MAX ? null : sourceText(source)))
  tx.write(insertRefusals, [id, numbers, stored.map(({ line }) => line), reasons, sources])
}

/** Cells as JSON that PostgreSQL can store; `null` if there are none or too many. */
function sourceText(source: RefusedLine['source']): string | null {
  if (source === undefined) return null
  const text = JSON.stringify(storable(source))
  return text.length > SOURCE_CHARACTERS_MAX ? null : text
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

const lockOf = statement<{ readonly id: string }>(
  'catalog.lock_imports_of_operator',
  `select id from catalog_imports where ${ONGOING} and id in (
     select subject from jobs where kind = '${IMPORT_JOB}' and payload #>> '{by,operator,id}' = $1)
   order by id for update`,
)

/** Cancels the imports of an operator that have not ended. @returns their ids */
export async function cancelImportsOf(tx: Transaction, operatorId: string, now: Date): Promise<readonly string[]> {
  const found = await tx.rows(lockOf, [operatorId])
  for (const { id } of found) {
    await endImport(tx, { id, status: 'canceled', failure: null, now })
    withdraw(tx, { kind: IMPORT_JOB, subject: id })
  }
  return found.map(({ id }) => id)
}

/** Counts the imports since a time that failed or had refused lines, up to a maximum. */
export async function countFaultyImports(reader: Reader, since: Date, most: number): Promise<number> {
  return (await reader.row(countFaulty, [since, most]))?.count ?? 0
}

const setHeader = statement('catalog.save_import_header', 'update catalog_imports set header = $2 where id = $1')

/** Saves the column names of an import, which are shown with its refused rows. */
export function saveHeader(tx: Transaction, id: string, header: readonly string[]): void {
  tx.write(setHeader, [id, storable(header)])
}

const remember = statement(
  'catalog.remember_mapping',
  `insert into catalog_import_mappings (store_slug, header, mapping, used_at) values ($1, $2, $3, $4)
   on conflict (store_slug, header) do update set mapping = excluded.mapping, used_at = excluded.used_at`,
)
const recall = statement<{ mapping: Mapping }>(
  'catalog.recall_mapping',
  'select mapping from catalog_import_mappings where store_slug = $1 and header = $2',
)

interface UsedMapping {
  readonly storeSlug: string
  readonly header: readonly string[]
  readonly mapping: Mapping
  readonly now: Date
}

/** Remembers a mapping for the next table with the same header. */
export function rememberMapping(tx: Transaction, { storeSlug, header, mapping, now }: UsedMapping): void {
  tx.write(remember, [storeSlug, hashOf(header), JSON.stringify(mapping), now])
}

/** The mapping of a store's last table with this header. */
export async function recallMapping(
  reader: Reader,
  storeSlug: string,
  header: readonly string[],
): Promise<Mapping | null> {
  return (await reader.row(recall, [storeSlug, hashOf(header)]))?.mapping ?? null
}

function hashOf(header: readonly string[]): Buffer {
  // A download of refused rows has the columns of its table, and the reason.
  const own = header.slice(0, header.at(-1) === REASON_HEADER ? -1 : undefined)
  return createHash('sha256').update(JSON.stringify(own)).digest()
}

/** Whether an undo of the import was requested. It may be finished. */
export function isUndoRequested({ undo_requested_at }: Pick<ImportRecord, 'undo_requested_at'>): boolean {
  return undo_requested_at !== null
}

const requestUndo = statement(
  'catalog.request_undo',
  'update catalog_imports set undo_requested_at = $2, updated_at = $2 where id = $1 and undo_requested_at is null',
)
const finishUndo = statement(
  'catalog.finish_undo',
  'update catalog_imports set undone_at = $2, updated_at = $2 where id = $1 and undone_at is null',
)

/** Requests the undo of an import. */
export function beginUndo(tx: Transaction, id: string, now: Date): void {
  tx.write(requestUndo, [id, now], { rows: 1 })
}

export function endUndo(tx: Transaction, id: string, now: Date): void {
  tx.write(finishUndo, [id, now])
}

const refusedCells = statement<RefusedCells>(
  'catalog.refused_cells',
  `select number, line, reason, source from catalog_import_refusals
   where import_id = $1 and number > $2 order by number limit $3`,
)

/** A refused line with its cells, if they are stored. */
interface RefusedCells {
  readonly number: number
  readonly line: number
  readonly reason: string
  readonly source: readonly (readonly string[])[] | null
}

/** All refused lines of an import, a page at a time. */
export async function* refusedCellsOf(reader: Reader, id: string): AsyncGenerator<RefusedCells> {
  const limit = 200
  for (let after = 0; ; ) {
    const page = await reader.rows(refusedCells, [id, after, limit])
    yield* page
    if (page.length < limit) return
    after = page.at(-1)!.number
  }
}
