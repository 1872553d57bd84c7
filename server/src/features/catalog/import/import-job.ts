import type { Clock } from '../../../kernel/clock.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { type ClaimedJob, enqueue, type JobHandler, renewLease, wake } from '../../../platform/jobs/index.ts'
import { gunzippedUpload } from '../../../platform/line-files/gunzip.ts'
import { InvalidLine } from '../../../platform/line-files/invalid-line.ts'
import { jsonLines, textLines } from '../../../platform/line-files/line-file.ts'
import { type Database, isUnavailable, sqlStateOf, type Transaction } from '../../../platform/postgres/index.ts'
import { loadRevision } from '../../../platform/revisions/revisions.ts'
import { catalogOf } from '../subjects.ts'
import { readLinesByExternalId } from '../writing/product-records.ts'
import { findStore } from '../writing/store-records.ts'
import { journalOf } from './journal.ts'
import type { Mapping } from './mapped/columns.ts'
import type { TableLine } from './mapped/partial-product.ts'
import { type TableContext, tableLines } from './mapped/table-lines.ts'
import {
  beginImport,
  endImport,
  endUndo,
  hasEarlierImport,
  IMPORT_JOB,
  type ImportRecord,
  isOngoing,
  isUndoRequested,
  lockImport,
  rememberMapping,
  saveHeader,
  saveSettled,
  storedFile,
} from './records.ts'
import { analyzeImported, type ImportReport, importCatalog, type SettledLines } from './run.ts'
import { type FindUsedProducts, removeUnused, undoImport } from './undo.ts'

/** An upload without progress for this long was interrupted with its process. */
const SILENT_UPLOAD_MS = 5 * 60_000
/** How often a later import checks whether the earlier ones have ended. */
const TURN_MS = 1000
const ATTEMPTS_MAX = 4
/** How soon an import continues that PostgreSQL had to refuse, such as with its disk full. */
const UNAVAILABLE_MS = 30_000
/** A statement took too long: the line that it writes may be at fault, so that it counts as an attempt. */
const STATEMENT_TIMEOUT = '57014'

/** The request that started an import, for the audit entry of its end. */
export type ImportRequester = Readonly<Record<string, unknown>>

/** Records the end of an import in the transaction that ends it. */
type RecordImportEnd = (
  tx: Transaction,
  end: {
    readonly before: ImportRecord
    readonly after: ImportRecord
    readonly by: ImportRequester
    readonly now: Date
  },
) => Promise<void>

export interface ImportJobDeps {
  readonly clock: Clock
  readonly recordEnd: RecordImportEnd
  readonly findUsed: FindUsedProducts
  /** The URL that uploaded pictures are served below. */
  readonly mediaUrl: string
}

interface ImportJobFacts {
  readonly id: string
  readonly by: ImportRequester
  readonly now: Date
}

/** Adds the job when the import is created. It ends the upload if the process that receives it has died. */
export function enqueueImport(tx: Transaction, { id, by, now }: ImportJobFacts, ids: IdSource): void {
  const runAt = new Date(now.getTime() + SILENT_UPLOAD_MS)
  enqueue(tx, { kind: IMPORT_JOB, subject: id, payload: { by }, runAt, attemptsMax: ATTEMPTS_MAX }, ids)
}

/** Makes the job due once the file is complete. */
export function wakeImport(tx: Transaction, { id, by, now }: ImportJobFacts, ids: IdSource): void {
  wake(tx, { kind: IMPORT_JOB, subject: id, payload: { by }, runAt: now, attemptsMax: ATTEMPTS_MAX }, ids)
}

/** The import was canceled, or this worker has lost its lease. */
class ImportStopped extends Error {
  override readonly name = 'ImportStopped'
}

/** The worker is shutting down. */
class WorkerStops extends Error {
  override readonly name = 'WorkerStops'
}

/**
 * Reads an uploaded file and imports its lines, after the imports that were uploaded before it. It continues where a worker that died
 * has stopped. Each of its transactions ends the run if the import was canceled or another worker has claimed it.
 */
export function importJob({ clock, recordEnd, findUsed, mediaUrl }: ImportJobDeps): JobHandler {
  return async (job, { database, ids, log, isStopping }) => {
    const id = job.subject
    const later = (ms: number) => new Date(clock.now().getTime() + ms)
    // In a transaction: a replica may not have the import yet.
    const { found, isFirst } = await database.transaction(async (tx) => {
      return { found: await lockImport(tx, id), isFirst: !(await hasEarlierImport(tx, id)) }
    })
    if (found && isUndoRequested(found)) return runUndo(job, found, { database, ids, clock, isStopping, findUsed })
    if (!found || !isOngoing(found)) return undefined
    const end = endOf(job, { database, clock, recordEnd })
    if (found.status === 'uploading') {
      const silentMs = clock.now().getTime() - found.updated_at.getTime()
      if (silentMs < SILENT_UPLOAD_MS) return later(SILENT_UPLOAD_MS - silentMs)
      await end(CUT_OFF)
      return undefined
    }
    if (!isFirst) return later(TURN_MS)
    const hasProgressed = async () =>
      ((await database.transaction((tx) => lockImport(tx, id)))?.lines_read ?? 0) > found.lines_read
    try {
      const report = await runImport(job, found, { database, ids, clock, isStopping, mediaUrl })
      await end(null)
      // An import does not fail because of its statistics.
      await analyzeImported(database, report).catch((error: unknown) =>
        log.warn({ err: error, import: id }, 'could not analyze the catalog'),
      )
    } catch (error) {
      if (error instanceof ImportStopped) return undefined
      if (error instanceof WorkerStops) return later(0)
      if (isUnavailable(error) && sqlStateOf(error) !== STATEMENT_TIMEOUT) {
        log.warn({ err: error, import: id }, 'an import waits for PostgreSQL')
        return later(UNAVAILABLE_MS)
      }
      const failure = fileFault(error)
      if (failure === null && (job.attempts < job.attempts_max || (await hasProgressed()))) throw error
      if (failure === null) log.error({ err: error, import: id }, 'an import failed')
      await end(failure ?? 'An internal error occurred. See the server log.')
    }
    return undefined
  }
}

interface RunDeps {
  readonly database: Database
  readonly ids: IdSource
  readonly clock: Clock
  readonly isStopping: () => boolean
}

async function runImport(
  job: ClaimedJob,
  found: ImportRecord,
  deps: RunDeps & Pick<ImportJobDeps, 'mediaUrl'>,
): Promise<ImportReport> {
  const { database, ids, clock, isStopping, mediaUrl } = deps
  const { id, store_slug: storeSlug, lines_read: read, created, updated, unchanged, refused } = found
  await database.transaction(async (tx) => {
    if (!(await beginImport(tx, id, clock.now()))) throw new ImportStopped()
    await holdLease(tx, job, clock)
  })
  let bytesRead = 0
  async function* countBytes(): AsyncGenerator<Buffer> {
    for await (const chunk of storedFile(database, id)) {
      bytesRead += chunk.length
      yield chunk
    }
  }
  return importCatalog({
    database,
    ids,
    ...(storeSlug !== null && { storeSlug }),
    source: linesOf(countBytes(), found, { database, clock }),
    now: clock.now(),
    mediaUrl,
    beforeProducts: journalOf(id, clock.now()),
    settled: { read, created, updated, unchanged, refused },
    onSettled: async (tx: Transaction, settled: SettledLines | null) => {
      if (isStopping()) throw new WorkerStops()
      const now = clock.now()
      if ((await lockImport(tx, id))?.status !== 'running') throw new ImportStopped()
      await holdLease(tx, job, clock, settled !== null)
      if (settled) saveSettled(tx, { id, bytesRead, now, ...settled })
    },
  })
}

async function holdLease(tx: Transaction, job: ClaimedJob, clock: Clock, hasProgressed = false): Promise<void> {
  if (!(await renewLease(tx, job, clock.now(), hasProgressed))) throw new ImportStopped()
}

/** Ends an import with its audit entry, if this worker still has it. */
function endOf(
  job: ClaimedJob,
  { database, clock, recordEnd }: Pick<ImportJobDeps, 'clock' | 'recordEnd'> & { readonly database: Database },
): (failure: string | null) => Promise<void> {
  const id = job.subject
  const { by } = job.payload as { readonly by: ImportRequester }
  return async (failure) => {
    await database.transaction(async (tx) => {
      const found = await lockImport(tx, id)
      if (!found || !isOngoing(found) || !(await renewLease(tx, job, clock.now()))) return
      const now = clock.now()
      const status = failure === null ? 'completed' : 'failed'
      const { before, after } = await endImport(tx, { id, status, failure, now })
      await recordEnd(tx, { before, after, by, now })
    })
  }
}

export const CUT_OFF = 'The upload was cut off. Nothing was imported. Import the file again.'

type SourceDeps = Pick<RunDeps, 'database' | 'clock'>

function linesOf(bytes: AsyncIterable<Buffer>, found: ImportRecord, deps: SourceDeps): AsyncIterable<TableLine> {
  const lines = textLines(found.format.endsWith('.gz') ? gunzippedUpload(bytes) : bytes)
  if (!found.format.startsWith('csv')) return jsonLines(lines)
  const { id, mapping, store_slug: storeSlug } = found
  return tableLines(lines, {
    mapping,
    context: () => tableContext(deps.database, storeSlug, mapping),
    onHeader: (table, header) =>
      deps.database.transaction(async (tx) => {
        saveHeader(tx, id, header)
        if (table && storeSlug !== null) rememberMapping(tx, { storeSlug, ...table, now: deps.clock.now() })
      }),
  })
}

/** What a table needs of its store: the currency, the language and the products. */
export async function tableContext(
  database: Pick<Database, 'transaction'>,
  storeSlug: string | null,
  mapping: Mapping | null,
): Promise<TableContext> {
  const find = async (tx: Transaction) => (storeSlug === null ? undefined : findStore(tx, storeSlug))
  let store = await database.transaction(find)
  return {
    currency: mapping?.currency ?? store?.currencies[0] ?? 'EUR',
    locale: mapping?.locale ?? store?.locales[0] ?? 'en',
    findLines: async (ids) =>
      storeSlug === null ? new Map() : database.transaction((tx) => readLinesByExternalId(tx, storeSlug, ids)),
    findRevision: () =>
      database.transaction(async (tx) => {
        // The import creates the store with its first products.
        store ??= await find(tx)
        return store && loadRevision(tx, catalogOf(store.id))
      }),
  }
}

/** Undoes an import. A later run removes the products that nothing refers to. */
async function runUndo(
  job: ClaimedJob,
  found: ImportRecord,
  { database, ids, clock, isStopping, findUsed }: RunDeps & { readonly findUsed: FindUsedProducts },
): Promise<Date | undefined> {
  const { id } = found
  const checkpoint = async (tx: Transaction) => {
    if (isStopping()) throw new WorkerStops()
    await holdLease(tx, job, clock)
  }
  const deps = { database, ids, now: clock.now(), findUsed, checkpoint }
  try {
    if (found.undone_at === null) {
      const removableAt = await undoImport(id, deps)
      await database.transaction(async (tx) => {
        await checkpoint(tx)
        endUndo(tx, id, clock.now())
      })
      return removableAt ?? undefined
    }
    return (await removeUnused(id, deps)) ?? undefined
  } catch (error) {
    if (error instanceof ImportStopped) return undefined
    if (error instanceof WorkerStops) return clock.now()
    throw error
  }
}

/** The error message if the file is at fault; `null` otherwise. */
function fileFault(error: unknown): string | null {
  if (error instanceof InvalidLine) return error.message
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  if (!code?.startsWith('Z_')) return null
  return `The file is damaged: ${message}. Lines before the damage may have been imported.`
}
