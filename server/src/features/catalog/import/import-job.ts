import type { Clock } from '../../../kernel/clock.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { type ClaimedJob, enqueue, type JobHandler, renewLease, wake } from '../../../platform/jobs/index.ts'
import { gunzippedUpload } from '../../../platform/line-files/gunzip.ts'
import { jsonLines, type SourceLine, textLines } from '../../../platform/line-files/line-file.ts'
import type { Database, Transaction } from '../../../platform/postgres/index.ts'
import { csvProducts } from './csv.ts'
import {
  beginImport,
  endImport,
  hasEarlierImport,
  IMPORT_JOB,
  type ImportFormat,
  type ImportRecord,
  isOngoing,
  lockImport,
  saveSettled,
  storedFile,
} from './records.ts'
import { importCatalog, type SettledLines } from './run.ts'

/** An upload without progress for this long was interrupted with its process. */
const SILENT_UPLOAD_MS = 5 * 60_000
/** How soon a later import looks again whether the earlier ones have ended. */
const TURN_MS = 1000
const ATTEMPTS_MAX = 4

/** The request that started an import, for the audit entry of its end. */
export type ImportRequester = Readonly<Record<string, unknown>>

/** Records the end of an import in the transaction that ends it. */
export type RecordImportEnd = (
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
}

interface ImportJobFacts {
  readonly id: string
  readonly by: ImportRequester
  readonly now: Date
}

/** Adds the job with the import: it ends an upload that its process no longer does. */
export function enqueueImport(tx: Transaction, { id, by, now }: ImportJobFacts, ids: IdSource): void {
  const runAt = new Date(now.getTime() + SILENT_UPLOAD_MS)
  enqueue(tx, { kind: IMPORT_JOB, subject: id, payload: { by }, runAt, attemptsMax: ATTEMPTS_MAX }, ids)
}

/** Makes the job due when the file is there. */
export function wakeImport(tx: Transaction, { id, by, now }: ImportJobFacts, ids: IdSource): void {
  wake(tx, { kind: IMPORT_JOB, subject: id, payload: { by }, runAt: now, attemptsMax: ATTEMPTS_MAX }, ids)
}

/** The import was canceled, or its worker has lost it. */
class ImportStopped extends Error {
  override readonly name = 'ImportStopped'
}

/** The worker stops. */
class WorkerStops extends Error {
  override readonly name = 'WorkerStops'
}

/**
 * Reads an uploaded file and imports its lines, after the imports that were uploaded before it. It continues what a worker that
 * has died has left. Each of its transactions ends the run if the import was canceled or another worker has it.
 */
export function importJob({ clock, recordEnd }: ImportJobDeps): JobHandler {
  return async (job, { database, ids, log, isStopping }) => {
    const id = job.subject
    const later = (ms: number) => new Date(clock.now().getTime() + ms)
    // Not by the reader: a replica may not have it yet.
    const { found, isFirst } = await database.transaction(async (tx) => {
      return { found: await lockImport(tx, id), isFirst: !(await hasEarlierImport(tx, id)) }
    })
    if (!found || !isOngoing(found)) return undefined
    const end = endOf(job, { database, clock, recordEnd })
    if (found.status === 'uploading') {
      const silentMs = clock.now().getTime() - found.updated_at.getTime()
      if (silentMs < SILENT_UPLOAD_MS) return later(SILENT_UPLOAD_MS - silentMs)
      await end(CUT_OFF)
      return undefined
    }
    if (!isFirst) return later(TURN_MS)
    try {
      await runImport(job, found, { database, ids, clock, isStopping })
      await end(null)
    } catch (error) {
      if (error instanceof ImportStopped) return undefined
      if (error instanceof WorkerStops) return later(0)
      const failure = fileFault(error)
      if (failure === null && job.attempts < job.attempts_max) throw error
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

async function runImport(job: ClaimedJob, found: ImportRecord, deps: RunDeps): Promise<void> {
  const { database, ids, clock, isStopping } = deps
  const { id, store_slug: storeSlug, lines_read: read, created, updated, unchanged, refused, unpriced } = found
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
  await importCatalog({
    database,
    ids,
    ...(storeSlug !== null && { storeSlug }),
    source: linesOf(countBytes(), found.format),
    now: clock.now(),
    settled: { read, created, updated, unchanged, refused, unpriced },
    onSettled: async (tx: Transaction, settled: SettledLines | null) => {
      if (isStopping()) throw new WorkerStops()
      const now = clock.now()
      if ((await lockImport(tx, id))?.status !== 'running') throw new ImportStopped()
      await holdLease(tx, job, clock)
      if (settled) saveSettled(tx, { id, bytesRead, now, ...settled })
    },
  })
}

async function holdLease(tx: Transaction, job: ClaimedJob, clock: Clock): Promise<void> {
  if (!(await renewLease(tx, job, clock.now()))) throw new ImportStopped()
}

/** Ends an import with its audit entry, if this worker still has it. */
function endOf(
  job: ClaimedJob,
  { database, clock, recordEnd }: ImportJobDeps & { readonly database: Database },
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

function linesOf(bytes: AsyncIterable<Buffer>, format: ImportFormat): AsyncIterable<SourceLine> {
  const read = format.startsWith('csv') ? csvProducts : jsonLines
  return read(textLines(format.endsWith('.gz') ? gunzippedUpload(bytes) : bytes))
}

/** The error message if the file is at fault; `null` otherwise. */
function fileFault(error: unknown): string | null {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  if (!code?.startsWith('Z_')) return null
  return `The file is damaged: ${message}. Lines before the damage may have been imported.`
}
