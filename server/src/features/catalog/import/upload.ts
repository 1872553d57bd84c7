import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Database, Transaction } from '../../../platform/postgres/index.ts'
import { CUT_OFF, enqueueImport, type ImportRequester, wakeImport } from './import-job.ts'
import type { Mapping } from './mapped/columns.ts'
import {
  endImport,
  type ImportFormat,
  type ImportRecord,
  insertImport,
  isOngoing,
  lockImport,
  saveUploaded,
  writeChunk,
} from './records.ts'

/** Bytes per stored chunk, so that neither this process nor a worker keeps the whole file in memory. */
const CHUNK_BYTES = 1024 * 1024

/** The start or the end of an import. `before` is `null` at the start. */
export interface ImportChange {
  readonly id: string
  readonly before: Pick<ImportRecord, 'status'> | null
  readonly after: Pick<ImportRecord, 'status' | 'store_slug' | 'file_name'> & Partial<ImportRecord>
}

interface UploadedCatalog {
  readonly id: string
  readonly database: Pick<Database, 'transaction'>
  readonly ids: IdSource
  readonly clock: Clock
  /** The store of lines without one. */
  readonly storeSlug: string | null
  readonly format: ImportFormat
  readonly fileName: string | null
  /** The column mapping of a table. `null`: derived from its header. */
  readonly mapping: Mapping | null
  /** The size of the upload, if known. */
  readonly bytesTotal: number | null
  /** A longer upload fails. */
  readonly bytesMax: number
  readonly upload: AsyncIterable<Buffer>
  /** The requester, for the audit entry of the end of the import. */
  readonly by: ImportRequester
  /** Records a change in the transaction that makes it. */
  readonly record: (tx: Transaction, change: ImportChange) => void
}

/**
 * Stores a file for the job that imports it. If the upload is cut off, nothing is imported, and the import has failed. Unfinished
 * imports of the same file are canceled: this one skips the lines that they have written.
 *
 * Errors: database failures.
 */
export async function receiveUpload(uploaded: UploadedCatalog): Promise<void> {
  const { id, database, ids, clock, by, record, upload, bytesMax } = uploaded
  const startedAt = clock.now()
  await database.transaction(async (tx) => {
    insertImport(tx, { ...uploaded, startedAt })
    enqueueImport(tx, { id, by, now: startedAt }, ids)
    const after = { status: 'running', store_slug: uploaded.storeSlug, file_name: uploaded.fileName } as const
    record(tx, { id, before: null, after })
  })

  const hash = createHash('sha256')
  let bytes = 0
  let number = 0
  try {
    for await (const chunk of inChunks(upload)) {
      bytes += chunk.length
      if (bytes > bytesMax) return await fail(uploaded, `The file has more than ${bytesMax} bytes.`)
      hash.update(chunk)
      const part = { id, number, bytes: chunk, now: clock.now() }
      if (!(await database.transaction((tx) => writeChunk(tx, part)))) return
      number += 1
    }
  } catch (error) {
    if (!isCutOff(error)) {
      await fail(uploaded, 'An internal error occurred. See the server log.')
      throw error
    }
    return fail(uploaded, CUT_OFF)
  }

  const sha256 = hash.digest()
  await database.transaction(async (tx) => {
    const now = clock.now()
    const replaced = await saveUploaded(tx, { id, bytes, sha256, now })
    if (replaced === null) return
    wakeImport(tx, { id, by, now }, ids)
    for (const same of replaced) {
      const failure = `The same file was imported again, as ${id}.`
      const { before, after } = await endImport(tx, { id: same.id, status: 'canceled', failure, now })
      record(tx, { id: same.id, before, after })
    }
  })
}

async function fail({ id, database, clock, record }: UploadedCatalog, failure: string): Promise<void> {
  await database.transaction(async (tx) => {
    const found = await lockImport(tx, id)
    if (!found || !isOngoing(found)) return
    const { before, after } = await endImport(tx, { id, status: 'failed', failure, now: clock.now() })
    record(tx, { id, before, after })
  })
}

async function* inChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const part of bytes) {
    held.push(part)
    size += part.length
    if (size < CHUNK_BYTES) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

function isCutOff(error: unknown): boolean {
  const { code } = error as { readonly code?: string }
  return ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(code ?? '')
}
