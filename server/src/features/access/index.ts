/** The door of store access: how stores are entered, and what may be seen or done with a grant. */
export { accessOperations } from './access-operations.ts'
export type { StoreAccessChange, StoreSettings } from './access-settings.ts'
export { STORES, setStoreAccess } from './access-settings.ts'
export { sweepChallenges } from './access-store.ts'
export type { DemandablePurpose } from './challenge.ts'
export { grantDemand } from './demand-grant.ts'
export { type StoreDoor, type StoreGrants, storeGrants } from './store-grants.ts'
