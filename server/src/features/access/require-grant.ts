import { refuse } from '../../kernel/refusal.ts'
import type { RequireGrant } from '../accounts/index.ts'
import { findStoreAccess, isGrantRequired } from './store.ts'
import type { StoreGrants } from './store-grants.ts'

/**
 * Refuses `store_access_required` if an operator requires a grant for the purpose and the token is not one. A grant
 * of any active store counts: the work is the same for all.
 */
export function requireGrantFrom(grants: StoreGrants): RequireGrant {
  return async (reader, { purpose, token, now }) => {
    const storeId = token === null ? null : grants.storeIdOf(token)
    const [required, store] = await Promise.all([
      isGrantRequired(reader, purpose),
      storeId === null ? undefined : findStoreAccess(reader, storeId),
    ])
    if (!required) return
    if (!store || !grants.opens(token, store, purpose, now)) refuse('store_access_required', { params: { purpose } })
  }
}
