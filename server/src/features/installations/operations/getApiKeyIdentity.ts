import type { operations } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { findLastUse } from '../keys.ts'
import { findInstallation } from '../store.ts'
import { presentApiKeyIdentity } from '../view.ts'

/** GET /api/v1/open/identity */
export const getApiKeyIdentity: Handler<typeof operations.getApiKeyIdentity> = async (
  _input,
  { principal, reader },
) => {
  const [lastUsedAt, installation] = await Promise.all([
    findLastUse(reader, principal.credential.id),
    findInstallation(reader, principal.installationId, principal.storeId),
  ])
  return presentApiKeyIdentity(principal, present(installation, 'an authenticated installation'), lastUsedAt)
}
