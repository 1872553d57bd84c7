import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { gunzipped } from '../../platform/line-files/gunzip.ts'
import { jsonLines, type SourceLine, textLines } from '../../platform/line-files/line-file.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { type ImportReport, importCatalogue, type RefusedLine } from './import.ts'
import { csvProducts } from './import-csv.ts'
import { type ImportFigures, insertImport, saveFigures } from './import-store.ts'

/** How a file of a catalogue is written. */
type ImportFormat = 'jsonl' | 'jsonl.gz' | 'csv' | 'csv.gz'

/** Refused lines of an import that are kept. The others are counted. */
const REFUSALS_KEPT = 1000

/** How often it is written down how far an import has come. */
const PROGRESS_MS = 1000

export interface UploadedCatalogue {
  /** What the import will be called. */
  readonly id: string
  readonly database: Pick<Database, 'transaction'>
  readonly ids: IdSource
  readonly clock: Clock
  /** The store of lines that name none. */
  readonly storeSlug: string | null
  readonly format: ImportFormat
  readonly fileName: string | null
  /** How large the file is, as it was sent; `null` where nobody has said. */
  readonly bytesTotal: number | null
  readonly upload: AsyncIterable<Buffer>
}

/**
 * Imports a catalogue as its bytes come, and writes down once a second how far it has got, for whoever asks meanwhile. A file
 * that is damaged, or that ends before its end, leaves what was taken of it, and an import that has failed.
 *
 * Errors: failures of the database that are no line's fault.
 */
export async function importUpload(uploaded: UploadedCatalogue): Promise<void> {
  const { id, database, ids, clock, storeSlug, format } = uploaded
  const startedAt = clock.now()
  await database.transaction(async (tx) => insertImport(tx, { ...uploaded, startedAt }))

  const refusals: RefusedLine[] = []
  let figures = NOTHING_YET
  let refused = 0
  let bytesRead = 0
  let writtenAt = startedAt.getTime()
  const note = (report: ImportReport) => {
    const { read, created, updated, unchanged } = report
    figures = { bytesRead, linesRead: read, created, updated, unchanged, refused, refusals }
  }
  const save = (end: { readonly failure: string | null } | null) =>
    database.transaction(async (tx) => saveFigures(tx, { id, ...figures, end, now: clock.now() }))

  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of uploaded.upload) {
      bytesRead += chunk.length
      yield chunk
    }
  }

  try {
    const report = await importCatalogue({
      database,
      ids,
      ...(storeSlug !== null && { storeSlug }),
      source: linesOf(counted(), format),
      now: startedAt,
      onRefused: (line) => {
        refused += 1
        if (refusals.length < REFUSALS_KEPT) refusals.push(line)
      },
      onProgress: async (soFar) => {
        note(soFar)
        if (clock.now().getTime() - writtenAt < PROGRESS_MS) return
        writtenAt = clock.now().getTime()
        await save(null)
      },
    })
    note(report)
    await save({ failure: null })
  } catch (error) {
    const failure = faultOfFile(error)
    figures = { ...figures, bytesRead, refused }
    await save({ failure: failure ?? 'Something failed on our side. The log of the server says what.' })
    if (failure === null) throw error
  }
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
  return read(textLines(format.endsWith('.gz') ? gunzipped(bytes) : bytes))
}

/** What the file itself, or the way that it came, did wrong; `null` where neither did. */
function faultOfFile(error: unknown): string | null {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  if (code?.startsWith('Z_'))
    return `The file is damaged: ${message}. What stands before the damage may have been taken.`
  const cutOff = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(code ?? '')
  return cutOff ? 'The upload ended before the file did. Import it again: what was taken is passed over.' : null
}
