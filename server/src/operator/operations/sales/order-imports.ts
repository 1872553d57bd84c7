import type { operatorOperations } from '@vitrine/contract/operator'
import { beginImportedFulfillment } from '../../../features/fulfillment/index.ts'
import { findInstallationRecord } from '../../../features/installations/index.ts'
import { importOrderUpload } from '../../../features/orders/index.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { figuresOf, presentLineReport } from './line-report.ts'

type Rows = typeof operatorOperations

/** POST /operator/v1/order-imports */
export const importOrders: OperatorHandler<Rows['importOrders']> = async ({ query }, context) => {
  const { database, reader, ids, now, upload, auditIn } = context
  const { format, installationId } = query
  if (installationId && !(await findInstallationRecord(reader, installationId, now))) refuse('not_found')

  const subject = { type: 'order_import', id: ids.next('imp') }
  const started = { installationId, status: 'running' }
  // Before the first order, so that the entry also exists if the upload is interrupted.
  await database.transaction(async (tx) => auditIn(tx, { subject, before: null, after: started }))

  const end = (after: object) =>
    database.transaction(async (tx) =>
      auditIn(tx, { subject, before: { status: 'running' }, after: { ...started, ...after } }),
    )
  try {
    const beginFulfillment = beginImportedFulfillment
    const shown = presentLineReport(
      await importOrderUpload({ database, ids, now, beginFulfillment, format, installationId, upload }),
    )
    await end({ status: 'completed', ...figuresOf(shown) })
    return shown
  } catch (error) {
    // Also if the browser was closed before the whole file had arrived.
    await end({ status: 'failed' })
    throw error
  }
}
