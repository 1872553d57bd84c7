import { refuse } from '../../kernel/refusal.ts'
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import type { RequireGrant } from '../accounts/index.ts'
import { findStoreAccess, isGrantRequired } from './store.ts'
import type { StoreGrants } from './store-grants.ts'

/**
 * Refuses `store_access_required` if an operator requires a grant for the purpose and the token is not a valid one, or was used
 * too often: one solved challenge must not allow a thousand registrations. A grant of any active store is accepted, because all
 * stores require the same work.
 */
export function requireGrantFrom(grants: StoreGrants, limiter: RateLimiter): RequireGrant {
  return async (reader, { purpose, token, now }) => {
    const grant = token === null ? null : grants.read(token)
    const [required, store] = await Promise.all([
      isGrantRequired(reader, purpose),
      grant ? findStoreAccess(reader, grant.storeId) : undefined,
    ])
    if (!required) return
    const refuseGrant = () => refuse('store_access_required', { params: { purpose } })
    if (!grant || !store || !grants.opens(token, store, purpose, now)) return refuseGrant()
    const use = await limiter.take('grant', grant.challengeId, now.getTime())
    if (use?.allowed === false) refuseGrant()
  }
}
