import type { operations } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { findInstallation, findKey } from '../installation-store.ts'
import { viewApiKeyIdentity } from '../installation-view.ts'

/** GET /api/v1/open/identity */
export const getApiKeyIdentity: Handler<typeof operations.getApiKeyIdentity> = async (
  _input,
  { principal, reader },
) => {
  const [key, installation] = await Promise.all([
    findKey(reader, principal.credential.id),
    findInstallation(reader, principal.installationId),
  ])
  return viewApiKeyIdentity(present(key, 'an authenticated key'), present(installation, 'its installation'))
}
