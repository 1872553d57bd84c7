import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { readinessOf } from '../readiness.ts'
import { loadRecordedProofs } from '../readiness-store.ts'
import { presentReadiness } from '../view.ts'

/** GET /api/v1/open/installation/readiness */
export const getInstallationReadiness: Handler<typeof operations.getInstallationReadiness> = async (
  _input,
  { principal, reader },
) => {
  const recordedProofs = await loadRecordedProofs(reader)

  const readiness = readinessOf({ ...principal, recordedProofs })

  return presentReadiness(readiness)
}
