import type { OperatorImportReport, operatorOperations } from '@vitrine/contract/operator'
import {
  endImport,
  exportCatalog as exportLines,
  exportProductTable,
  findImport,
  findRefusals,
  IMPORT_JOB,
  isOngoing,
  listImportRecords,
  lockImport,
  receiveUpload,
  storeIdsBySlug,
} from '../../../features/catalog/index.ts'
import { present } from '../../../kernel/assert.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { withdraw } from '../../../platform/jobs/index.ts'
import { csvFile } from '../../../platform/line-files/csv-table.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'
import { importChange, type Uploader } from './import-audit.ts'
import { mappingOf, previewImport } from './import-preview.ts'
import { importUndoOperations } from './import-undo.ts'
import { presentImport } from './import-view.ts'

type Rows = typeof operatorOperations

/** The default number of refused lines in the answer. */
const REFUSALS_DEFAULT = 1000

/** A catalog of a million products is half a gigabyte. */
const UPLOAD_BYTES_MAX = 1024 * 1024 * 1024

/** POST /operator/v1/imports */
function importCatalog(clock: Clock): OperatorHandler<Rows['importCatalog']> {
  return async ({ query }, { database, reader, ids, upload, auditIn, operator, requestId, address }) => {
    const { store = null, missingStore = 'refuse', format, name = null, bytes = null } = query
    const isMissing = store !== null && !(await storeIdsBySlug(reader)).has(store)
    if (isMissing && missingStore === 'refuse') refuse('not_found')
    const mapping = mappingOf(query.mapping)

    const id = ids.next('imp')
    await receiveUpload({
      id,
      database,
      ids,
      clock,
      storeSlug: store,
      format,
      fileName: name,
      mapping,
      bytesTotal: bytes,
      bytesMax: UPLOAD_BYTES_MAX,
      upload,
      by: { operator, requestId, address } satisfies Uploader,
      record: (tx, change) => auditIn(tx, importChange(change)),
    })
    return database.transaction((tx) => reportOf(tx, id, REFUSALS_DEFAULT, clock.now()))
  }
}

/** GET /operator/v1/imports */
function listImports(cursorSecret: Secret): OperatorHandler<Rows['listImports']> {
  return async ({ query }, { reader, now }) => {
    const { store: storeSlug = null, q } = query
    const paging = pagingOf<string>(cursorSecret, ['imports', storeSlug, q], query)
    const search = { afterId: paging.after, storeSlug, like: likeOf(q), limit: paging.limit, now }
    return paging.page(await listImportRecords(reader, search), ({ id }) => id, presentImport)
  }
}

/** GET /operator/v1/imports/{importId} */
const getImport: OperatorHandler<Rows['getImport']> = async ({ params, query }, { reader, now }) => {
  return reportOf(reader, params.importId, query.refusals ?? REFUSALS_DEFAULT, now)
}

/** POST /operator/v1/imports/{importId}/cancel */
const cancelImport: OperatorHandler<Rows['cancelImport']> = async ({ params: { importId: id } }, context) => {
  const { tx, now, audit } = context
  const found = (await lockImport(tx, id)) ?? refuse('not_found')
  if (!isOngoing(found)) refuse('state_conflict', { conflict: { currentState: found.status } })
  const { before, after } = await endImport(tx, { id, status: 'canceled', failure: null, now })
  withdraw(tx, { kind: IMPORT_JOB, subject: id })
  audit(importChange({ id, before, after }))
  return presentImport(present(await findImport(tx, id, now), 'just canceled'))
}

/** GET /operator/v1/stores/{storeSlug}/catalogue */
const exportCatalog: OperatorHandler<Rows['exportCatalog']> = async ({ params }, { reader }) => {
  const lines = (await exportLines(reader, params.storeSlug)) ?? refuse('not_found')
  return { fileName: `${params.storeSlug}.jsonl`, lines }
}

/** GET /operator/v1/stores/{storeSlug}/products.csv */
const exportProducts: OperatorHandler<Rows['exportProducts']> = async ({ params }, { reader }) => {
  const rows = (await exportProductTable(reader, params.storeSlug)) ?? refuse('not_found')
  return { fileName: `${params.storeSlug}-products.csv`, lines: csvFile(rows) }
}

export function importOperations(deps: { readonly cursorSecret: Secret; readonly clock: Clock }) {
  return {
    importCatalog: importCatalog(deps.clock),
    listImports: listImports(deps.cursorSecret),
    getImport,
    cancelImport,
    exportCatalog,
    exportProducts,
    previewImport,
    ...importUndoOperations,
  }
}

async function reportOf(reader: Reader, id: string, limit: number, now: Date): Promise<OperatorImportReport> {
  const found = (await findImport(reader, id, now)) ?? refuse('not_found')
  return { ...presentImport(found), refusals: await findRefusals(reader, id, limit) }
}
