import { refuse } from '../../kernel/refusal.ts'
import type { RequireGrant } from '../accounts/index.ts'
import { isGrantRequired, storeAccessById } from './store.ts'
import type { StoreGrants } from './store-grants.ts'

/**
 * Refuses `store_access_required` where an operator demands a grant for the purpose and the caller shows none. The grant
 * may be of any active store: the work is the same at each.
 */
export function requireGrantFrom(grants: StoreGrants): RequireGrant {
  return async (reader, { purpose, token, now }) => {
    const storeId = token === null ? null : grants.storeIdOf(token)
    const [demanded, store] = await Promise.all([
      isGrantRequired(reader, purpose),
      storeId === null ? undefined : storeAccessById(reader, storeId),
    ])
    if (!demanded) return
    if (!store || !grants.opens(token, store, purpose, now)) refuse('store_access_required', { params: { purpose } })
  }
}
