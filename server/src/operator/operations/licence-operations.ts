import type { operatorOperations } from '@vitrine/contract/operator'
import {
  FulfilmentError,
  importLicenceUpload,
  type LicenceReport,
  type LicenceSafe,
  listPools,
} from '../../features/fulfilment/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../door/operator-handler.ts'
import { figuresOf, presentLineReport } from './line-report.ts'

type Rows = typeof operatorOperations

/** What the operations of licence pools stand on. */
export interface LicenceOperationDeps {
  readonly clock: Clock
  readonly licences: LicenceSafe
}

/** GET /operator/v1/licence-pools */
const listLicencePools: OperatorHandler<Rows['listLicencePools']> = async (_input, { reader }) => {
  return { items: await listPools(reader) }
}

/** POST /operator/v1/licence-pools/{skuId}/keys */
function importLicenceKeys(parts: LicenceOperationDeps): OperatorHandler<Rows['importLicenceKeys']> {
  const { clock, licences: safe } = parts
  return async ({ params: { skuId }, query: { environment = 'live' } }, { database, ids, upload, auditIn }) => {
    const pool = { skuId, environment }
    const onTaken = (tx: Transaction, batch: LicenceReport) => {
      const after = { environment, ...figuresOf(presentLineReport(batch)) }
      auditIn(tx, { subject: { type: 'licence_pool', id: skuId }, before: null, after })
    }
    const report = await importLicenceUpload({ database, ids, clock, safe, pool, upload, onTaken }).catch(refuseAbsent)
    return presentLineReport(report)
  }
}

export function licenceOperations(parts: LicenceOperationDeps) {
  return { listLicencePools, importLicenceKeys: importLicenceKeys(parts) }
}

function refuseAbsent(error: unknown): never {
  if (error instanceof FulfilmentError && error.fault === 'not_found') refuse('not_found')
  throw error
}
