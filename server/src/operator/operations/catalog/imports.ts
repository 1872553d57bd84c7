import type { OperatorImport, OperatorImportReport, operatorOperations } from '@vitrine/contract/operator'
import {
  exportCatalog as exportLines,
  findImport,
  type ImportRecord,
  importUpload,
  listImportRecords,
  storeIdsBySlug,
} from '../../../features/catalog/index.ts'
import { present } from '../../../kernel/assert.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations

/** An import without progress for this long was interrupted with its process. */
const SILENCE_MS = 5 * 60_000
/** The most refused lines in an answer. */
const REASON_MAX = 4000
const REFUSALS_MAX = 100_000

/** POST /operator/v1/imports */
function importCatalog(clock: Clock): OperatorHandler<Rows['importCatalog']> {
  return async ({ query }, { database, reader, ids, upload, auditIn }) => {
    const { store = null, missingStore = 'refuse', format, name = null, bytes = null } = query
    const isMissing = store !== null && !(await storeIdsBySlug(reader)).has(store)
    if (isMissing && missingStore === 'refuse') refuse('not_found')

    const id = ids.next('imp')
    const subject = { type: 'import', id }
    const of = { store, fileName: name }
    // Before the first line, so that the entry also exists for an interrupted import.
    await database.transaction(async (tx) =>
      auditIn(tx, { subject, before: null, after: { ...of, status: 'running' } }),
    )

    const refusedLines = await importUpload({
      id,
      database,
      ids,
      clock,
      storeSlug: store,
      format,
      fileName: name,
      bytesTotal: bytes,
      upload,
    })

    return database.transaction(async (tx) => {
      const found = present(await findImport(tx, id), 'just imported')
      const { status, created, updated, unchanged, refused } = found
      const after = { ...of, status, created, updated, unchanged, refused }
      auditIn(tx, { subject, before: { status: 'running' }, after })
      return presentReport({ ...found, refusals: refusedLines.slice(0, REFUSALS_MAX) }, clock.now())
    })
  }
}

/** GET /operator/v1/imports */
function listImports(cursorSecret: Buffer): OperatorHandler<Rows['listImports']> {
  return async ({ query }, { reader, now }) => {
    const { store: storeSlug = null, q } = query
    const paging = pagingOf<string>(cursorSecret, ['imports', storeSlug, q], query)
    const search = { afterId: paging.after, storeSlug, like: likeOf(q), limit: paging.limit }
    return paging.page(
      await listImportRecords(reader, search),
      ({ id }) => id,
      (row) => presentImport(row, now),
    )
  }
}

/** GET /operator/v1/imports/{importId} */
const getImport: OperatorHandler<Rows['getImport']> = async ({ params }, { reader, now }) => {
  return presentReport((await findImport(reader, params.importId)) ?? refuse('not_found'), now)
}

/** GET /operator/v1/stores/{storeSlug}/catalogue */
const exportCatalog: OperatorHandler<Rows['exportCatalog']> = async ({ params }, { reader }) => {
  const lines = (await exportLines(reader, params.storeSlug)) ?? refuse('not_found')
  return { fileName: `${params.storeSlug}.jsonl`, lines }
}

export function importOperations(deps: { readonly cursorSecret: Buffer; readonly clock: Clock }) {
  return {
    importCatalog: importCatalog(deps.clock),
    listImports: listImports(deps.cursorSecret),
    getImport,
    exportCatalog,
  }
}

type ReportRow = NonNullable<Awaited<ReturnType<typeof findImport>>>

function presentReport(row: ReportRow, now: Date): OperatorImportReport {
  const refusals = row.refusals.map(({ line, reason }) => ({ line, reason: reason.slice(0, REASON_MAX) }))
  return { ...presentImport(row, now), refusals }
}

function presentImport(row: ImportRecord, now: Date): OperatorImport {
  const isSilent = row.status === 'running' && now.getTime() - row.updated_at.getTime() > SILENCE_MS
  return {
    id: row.id,
    ...(row.store_slug !== null && { store: row.store_slug }),
    ...(row.file_name !== null && { fileName: row.file_name }),
    format: row.format,
    status: isSilent ? 'interrupted' : row.status,
    ...(row.failure !== null && { failure: row.failure }),
    bytesRead: Number(row.bytes_read),
    bytesTotal: row.bytes_total === null ? null : Number(row.bytes_total),
    read: row.lines_read,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    refused: row.refused,
    startedAt: row.started_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.finished_at && { finishedAt: row.finished_at.toISOString() }),
  }
}
