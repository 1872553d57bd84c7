import type { OperatorImport } from '@vitrine/contract/operator'
import type { ListedImport } from '../../../features/catalog/index.ts'

/** The figures of an import. */
export function presentImport(row: ListedImport): OperatorImport {
  return {
    id: row.id,
    ...(row.store_slug !== null && { store: row.store_slug }),
    ...(row.file_name !== null && { fileName: row.file_name }),
    format: row.format,
    status: row.is_abandoned ? 'interrupted' : row.status,
    unattended: row.is_unattended,
    ...(row.failure !== null && { failure: row.failure }),
    bytesRead: Number(row.bytes_read),
    bytesTotal: row.bytes_total === null ? null : Number(row.bytes_total),
    read: row.lines_read,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    refused: row.refused,
    undo: undoStateOf(row),
    startedAt: row.started_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.finished_at && { finishedAt: row.finished_at.toISOString() }),
  }
}

function undoStateOf(row: ListedImport): OperatorImport['undo'] {
  if (row.undone_at !== null) return 'done'
  if (row.undo_requested_at !== null) return 'running'
  return row.can_be_undone ? 'possible' : 'none'
}
