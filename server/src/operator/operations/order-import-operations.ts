import type { operatorOperations } from '@vitrine/contract/operator'
import { findInstallationRecord } from '../../features/installations/index.ts'
import { importOrderUpload } from '../../features/orders/index.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { OperatorHandler } from '../door/operator-handler.ts'
import { figuresOf, showLineReport } from './line-report.ts'

type Rows = typeof operatorOperations

/** POST /operator/v1/order-imports */
export const importOrders: OperatorHandler<Rows['importOrders']> = async ({ query }, context) => {
  const { database, reader, ids, now, upload, audit } = context
  const { format, installationId } = query
  if (installationId && !(await findInstallationRecord(reader, installationId, now))) refuse('not_found')

  const report = await importOrderUpload({ database, ids, now, format, installationId, upload })

  const shown = showLineReport(report)
  const id = ids.next('imp')
  audit({ subject: { type: 'order_import', id }, before: null, after: { installationId, ...figuresOf(shown) } })
  return shown
}
