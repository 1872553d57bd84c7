import type { AccountDeps } from './account-parts.ts'
import { confirmOfficialPasswordReset } from './operations/confirmOfficialPasswordReset.ts'
import { registerOfficialStorefrontCustomer } from './operations/registerOfficialStorefrontCustomer.ts'
import { requestOfficialPasswordReset } from './operations/requestOfficialPasswordReset.ts'

/** Rows 15 to 17 of the contract. */
export function accountOperations(parts: AccountDeps) {
  return {
    confirmOfficialPasswordReset: confirmOfficialPasswordReset(parts),
    requestOfficialPasswordReset: requestOfficialPasswordReset(parts),
    registerOfficialStorefrontCustomer: registerOfficialStorefrontCustomer(parts),
  }
}
