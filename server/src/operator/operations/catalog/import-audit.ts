import type { ImportChange, ImportRecord, ImportRequester } from '../../../features/catalog/index.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { recordAuditEntry } from '../../door/audit-log.ts'
import type { AuditedChange, Operator } from '../../door/handler.ts'

/** The operator who uploaded a file, as stored with its job. */
export interface Uploader extends ImportRequester {
  readonly operator: Operator
  readonly requestId: string
  readonly address: string
}

/** A change of an import for the audit log, with its figures once it has ended. */
export function importChange({ id, before, after }: ImportChange): AuditedChange {
  const { status, store_slug: store, file_name: fileName, created, updated, unchanged, refused } = after
  const figures = before === null ? {} : { created, updated, unchanged, refused }
  return {
    subject: { type: 'import', id },
    before: before && { status: before.status },
    after: { store, fileName, status, ...figures },
  }
}

interface ImportEnd {
  readonly before: ImportRecord
  readonly after: ImportRecord
  readonly by: ImportRequester
  readonly now: Date
  readonly ids: IdSource
}

/** Records the end of an import in the name of the operator who uploaded it. */
export function recordImportEnd(tx: Transaction, { before, after, by, now, ids }: ImportEnd): void {
  const change = importChange({ id: after.id, before, after })
  recordAuditEntry(tx, change, { ...(by as Uploader), operation: 'importCatalog', now, ids })
}
