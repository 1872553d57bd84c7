import type { Clock } from '../../../kernel/clock.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { gunzippedUpload } from '../../../platform/line-files/gunzip.ts'
import { jsonLines, type SourceLine, textLines } from '../../../platform/line-files/line-file.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { csvProducts } from './csv.ts'
import { type ImportFigures, insertImport, saveFigures } from './records.ts'
import { type ImportReport, importCatalog, type RefusedLine } from './run.ts'

/** The format of a catalog file. */
type ImportFormat = 'jsonl' | 'jsonl.gz' | 'csv' | 'csv.gz'

/** Stored refused lines per import. The rest are only counted. */
const REFUSALS_STORED_MAX = 1000

/** How often progress is saved. */
const PROGRESS_INTERVAL_MS = 1000

export interface UploadedCatalog {
  readonly id: string
  readonly database: Pick<Database, 'transaction'>
  readonly ids: IdSource
  readonly clock: Clock
  /** The store of lines without one. */
  readonly storeSlug: string | null
  readonly format: ImportFormat
  readonly fileName: string | null
  /** The size of the upload, if known. */
  readonly bytesTotal: number | null
  readonly upload: AsyncIterable<Buffer>
}

/**
 * Imports a catalog while it is uploaded, and saves the progress once a second. If the file is damaged or cut off, the lines
 * imported so far stay, and the import has failed.
 *
 * Errors: database failures not caused by a line.
 *
 * @returns every refused line
 */
export async function importUpload(uploaded: UploadedCatalog): Promise<readonly RefusedLine[]> {
  const { id, database, ids, clock, storeSlug, format } = uploaded
  const startedAt = clock.now()
  await database.transaction(async (tx) => insertImport(tx, { ...uploaded, startedAt }))

  const all: RefusedLine[] = []
  const refusals: RefusedLine[] = []
  let figures = NOTHING_YET
  let bytesRead = 0
  let savedAt = startedAt.getTime()
  const update = (report: ImportReport) => {
    const { read, created, updated, unchanged } = report
    figures = { bytesRead, linesRead: read, created, updated, unchanged, refused: all.length, refusals }
  }
  const save = (end: { readonly failure: string | null } | null) =>
    database.transaction(async (tx) => saveFigures(tx, { id, ...figures, end, now: clock.now() }))

  async function* countBytes(): AsyncGenerator<Buffer> {
    for await (const chunk of uploaded.upload) {
      bytesRead += chunk.length
      yield chunk
    }
  }

  try {
    const report = await importCatalog({
      database,
      ids,
      ...(storeSlug !== null && { storeSlug }),
      source: linesOf(countBytes(), format),
      now: startedAt,
      onRefused: (line) => {
        all.push(line)
        if (refusals.length < REFUSALS_STORED_MAX) refusals.push(line)
      },
      onProgress: async (soFar) => {
        update(soFar)
        if (clock.now().getTime() - savedAt < PROGRESS_INTERVAL_MS) return
        savedAt = clock.now().getTime()
        await save(null)
      },
    })
    update(report)
    await save({ failure: null })
  } catch (error) {
    const failure = fileFault(error)
    figures = { ...figures, bytesRead, refused: all.length }
    await save({ failure: failure ?? 'An internal error occurred. See the server log.' })
    if (failure === null) throw error
  }
  return all
}

const NOTHING_YET: ImportFigures = {
  bytesRead: 0,
  linesRead: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  refusals: [],
}

function linesOf(bytes: AsyncIterable<Buffer>, format: ImportFormat): AsyncIterable<SourceLine> {
  const read = format.startsWith('csv') ? csvProducts : jsonLines
  return read(textLines(format.endsWith('.gz') ? gunzippedUpload(bytes) : bytes))
}

/** The error message if the file or its transfer is at fault; `null` otherwise. */
function fileFault(error: unknown): string | null {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  if (code?.startsWith('Z_')) return `The file is damaged: ${message}. Lines before the damage may have been imported.`
  const cutOff = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(code ?? '')
  return cutOff ? 'The upload was cut off. Import the file again: lines already imported are skipped.' : null
}
