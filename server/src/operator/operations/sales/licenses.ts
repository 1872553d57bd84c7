import type { operatorOperations } from '@vitrine/contract/operator'
import { importLicenseUpload, type LicenseVault, listPools } from '../../../features/fulfillment/index.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { LineReport } from '../../../platform/line-files/invalid-line.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { figuresOf, presentLineReport } from './line-report.ts'

type Rows = typeof operatorOperations

/** Dependencies of the license pool operations. */
export interface LicenseOperationDeps {
  readonly clock: Clock
  readonly licenses: LicenseVault
}

/** GET /operator/v1/licence-pools */
const listLicensePools: OperatorHandler<Rows['listLicensePools']> = async (_input, { reader }) => {
  return { items: await listPools(reader) }
}

/** POST /operator/v1/licence-pools/{skuId}/keys */
function importLicenseKeys(deps: LicenseOperationDeps): OperatorHandler<Rows['importLicenseKeys']> {
  const { clock, licenses: vault } = deps
  return async ({ params: { skuId }, query: { environment = 'live' } }, { database, ids, upload, auditIn }) => {
    const pool = { skuId, environment }
    const onTaken = (tx: Transaction, batch: LineReport) => {
      const after = { environment, ...figuresOf(presentLineReport(batch)) }
      auditIn(tx, { subject: { type: 'licence_pool', id: skuId }, before: null, after })
    }
    const report = await importLicenseUpload({ database, ids, clock, vault, pool, upload, onTaken })
    return presentLineReport(report)
  }
}

export function licenseOperations(deps: LicenseOperationDeps) {
  return { listLicensePools, importLicenseKeys: importLicenseKeys(deps) }
}
