/** Public interface of accounts: customers, registration, sign-in and password reset. */

export {
  type CustomerAddress,
  deleteAddress,
  insertAddress,
  listAddresses,
  refuseTooManyAddresses,
  saveAddress,
} from './addresses.ts'
export {
  type CustomerRecord,
  type CustomerSearch,
  findCustomerRecord,
  findCustomers,
  listCustomerRecords,
  lockCustomer,
  setCustomerStatus,
} from './customer-admin.ts'
export type { Customer, CustomerSecret } from './customer-store.ts'
export type { AccountDeps, RequireGrant } from './deps.ts'
export {
  confirmEmailChange,
  findOpenEmailChange,
  limitEmailChange,
  requestEmailChange,
  sweepEmailChanges,
  verifyEmailChange,
} from './email-change.ts'
export { accountLocale } from './locales.ts'
export { ACCOUNT_PATHS, editableAccountMails, type MailDeps } from './mails.ts'
export { hashNewPassword, newPasswordFault } from './new-password.ts'
export { accountJobs, accountOperations } from './operations.ts'
export { confirmReset, findOpenReset, limitReset, prepareReset, requestReset } from './password-reset.ts'
export { sweepResets } from './password-reset-store.ts'
export {
  changePassword,
  closeAccount,
  loadProfile,
  type Profile,
  saveProfile,
  setMarketingConsent,
} from './profile.ts'
export {
  confirmRegistration,
  findOpenRegistration,
  register,
  verifyRegistrationPassword,
} from './registration.ts'
export { sweepRegistrations } from './registration-store.ts'
export {
  endListedSession,
  endOtherSessions,
  endSession,
  endSessions,
  findCustomerSession,
  listSessions,
  openSession,
  replaceSession,
  type SessionRecord,
  sweepSessions,
} from './sessions.ts'
export { limitSignIn, verifyPassword, verifySignIn } from './sign-in.ts'
