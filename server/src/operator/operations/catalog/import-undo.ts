import type { OperatorImportUndo, operatorOperations } from '@vitrine/contract/operator'
import {
  beginUndo,
  createdByImport,
  findImport,
  leftByUndo,
  lockImport,
  REASON_HEADER,
  refusedCellsOf,
  undoFigures,
  wakeImport,
} from '../../../features/catalog/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { csvFile, csvRow } from '../../../platform/line-files/csv-table.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { importChange, type Uploader } from './import-audit.ts'
import { presentImport } from './import-view.ts'
import { findUsedProducts } from './products-in-use.ts'

type Rows = typeof operatorOperations

const LEFT_SHOWN = 100

/** GET /operator/v1/imports/{importId}/undo */
const getImportUndo: OperatorHandler<Rows['getImportUndo']> = async ({ params: { importId } }, { reader, now }) => {
  const found = (await findImport(reader, importId, now)) ?? refuse('not_found')
  const used: string[] = []
  for await (const page of createdByImport(reader, importId)) used.push(...(await findUsedProducts(reader, page)))
  const [figures, left] = await Promise.all([
    undoFigures(reader, importId, used),
    leftByUndo(reader, importId, LEFT_SHOWN),
  ])
  const { changed_since: changedSince, ...rest } = figures
  return {
    state: presentImport(found).undo,
    ...rest,
    changedSince,
    left: left.map(({ product_id: id, name, updated_at }) => ({
      id,
      name: name ?? id,
      updatedAt: updated_at.toISOString(),
    })),
  } satisfies OperatorImportUndo
}

/** POST /operator/v1/imports/{importId}/undo */
const undoImport: OperatorHandler<Rows['undoImport']> = async ({ params: { importId: id } }, context) => {
  const { tx, ids, now, audit, operator, requestId, address } = context
  const before = (await lockImport(tx, id)) ?? refuse('not_found')
  const { undo } = presentImport(present(await findImport(tx, id, now), 'just locked'))
  if (undo !== 'possible') refuse('state_conflict', { conflict: { currentState: undo } })
  beginUndo(tx, id, now)
  wakeImport(tx, { id, by: { operator, requestId, address } satisfies Uploader, now }, ids)
  const change = importChange({ id, before, after: before })
  audit({ ...change, before: { undo: 'possible' }, after: { ...change.after, undo: 'running' } })
  return presentImport(present(await findImport(tx, id, now), 'just changed'))
}

/** GET /operator/v1/imports/{importId}/refusals */
const exportImportRefusals: OperatorHandler<Rows['exportImportRefusals']> = async ({ params }, { reader, now }) => {
  const { importId } = params
  const { header } = (await findImport(reader, importId, now)) ?? refuse('not_found')
  return { fileName: `${importId}-rejected.csv`, lines: csvFile(refusedRows(reader, importId, header ?? ['Source'])) }
}

/** The rows of the refused lines, each with its reason in the last column. */
async function* refusedRows(reader: Reader, importId: string, header: readonly string[]): AsyncGenerator<string> {
  const reasonAt = header.indexOf(REASON_HEADER)
  const names = header.filter((name) => name !== REASON_HEADER)
  yield csvRow([...names, REASON_HEADER])
  for await (const { line, reason, source } of refusedCellsOf(reader, importId)) {
    for (const cells of source ?? [[]]) {
      // Cells too many move the reason of an earlier import.
      const surplus = Math.max(0, cells.length - header.length)
      const own = reasonAt === -1 ? cells : cells.toSpliced(reasonAt + surplus, 1)
      const length = Math.max(names.length, own.length)
      yield csvRow([...Array.from({ length }, (_, column) => own[column] ?? ''), `Line ${line}: ${reason}`])
    }
  }
}

export const importUndoOperations = { getImportUndo, undoImport, exportImportRefusals }
