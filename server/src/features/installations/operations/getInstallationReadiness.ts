import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { readRecordedProofs } from '../installation-store.ts'
import { presentReadiness } from '../installation-view.ts'
import { readinessOf } from '../readiness.ts'

/** GET /api/v1/open/installation/readiness */
export const getInstallationReadiness: Handler<typeof operations.getInstallationReadiness> = async (
  _input,
  { principal, reader },
) => {
  const recordedProofs = await readRecordedProofs(reader)

  const readiness = readinessOf({ ...principal, recordedProofs })

  return presentReadiness(readiness)
}
