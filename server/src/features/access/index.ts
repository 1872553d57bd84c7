/** Public interface of store access: access modes of stores, challenges and grants. */

export { loadStoreToEnter, returnWithGrant, STORE_ACCESS_PATH, verifyStorePassword } from './by-password.ts'
export type { GrantPurpose } from './challenge.ts'
export { accessOperations } from './operations.ts'
export { requireGrantFrom } from './require-grant.ts'
export type { StoreAccessChange } from './settings.ts'
export { prepareStoreAccess, STORES, setStoreAccess } from './settings.ts'
export { sweepChallenges } from './store.ts'
export { type StoreGrants, storeGrants } from './store-grants.ts'
