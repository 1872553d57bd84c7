import type { operatorOperations } from '@vitrine/contract/operator'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { listAudit } from '../../door/audit-log.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/audit-log */
export function listAuditLog(cursorSecret: Secret): OperatorHandler<Rows['listAuditLog']> {
  return async ({ query }, { reader }) => {
    const { subject = null, operation = null, q } = query
    const paging = pagingOf<{ at: string; id: string }>(cursorSecret, ['audit-log', subject, operation, q], query)
    const found = await listAudit(reader, {
      subject,
      operation,
      like: likeOf(q),
      after: paging.after,
      limit: paging.limit,
    })
    return paging.page(
      found,
      ({ at, id }) => ({ at, id }),
      (entry) => entry,
    )
  }
}
