import type { operations } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { findInstallation } from '../store.ts'
import { presentInstallationIdentity } from '../view.ts'

/** GET /api/v1/open/installation/identity */
export const getInstallationIdentity: Handler<typeof operations.getInstallationIdentity> = async (
  _input,
  { principal, reader },
) => {
  const installation = await findInstallation(reader, principal.installationId, principal.storeId)
  return presentInstallationIdentity(present(installation, 'an authenticated installation'), principal)
}
