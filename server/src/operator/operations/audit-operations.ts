import { LIMIT_DEFAULT, type operatorOperations } from '@vitrine/contract/operator'
import { hashOfFilters, openCursor, sealCursor } from '../../platform/http/cursor.ts'
import { listAudit } from '../door/audit-log.ts'
import type { OperatorHandler } from '../door/operator-handler.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/audit-log */
export function listAuditLog(cursorSecret: Buffer): OperatorHandler<Rows['listAuditLog']> {
  return async ({ query }, { reader }) => {
    const { subject = null, operation = null, q = null, limit = LIMIT_DEFAULT, cursor } = query
    const filters = hashOfFilters(['audit-log', subject, operation, q])
    const after = cursor ? (openCursor(cursorSecret, filters, cursor) as { at: string; id: string }) : null

    const found = await listAudit(reader, { subject, operation, q, after, limit: limit + 1 })

    const items = found.slice(0, limit)
    const last = found.length > limit ? items.at(-1) : undefined
    return { items, nextCursor: last ? sealCursor(cursorSecret, filters, { at: last.at, id: last.id }) : null }
  }
}
