/** The door of store access: how stores are entered, and what may be seen or done with a grant. */

export type { GrantPurpose } from './challenge.ts'
export { accessOperations } from './operations.ts'
export { requireGrantFrom } from './require-grant.ts'
export type { StoreAccessChange, StoreSettings } from './settings.ts'
export { STORES, setStoreAccess } from './settings.ts'
export { sweepChallenges } from './store.ts'
export { type StoreAccessState, type StoreGrants, storeGrants } from './store-grants.ts'
