/** The door of accounts: customers, how they sign in, and what is done for them off the request. */
export type { CheckAcceptance } from './acceptance.ts'
export { accountJobs } from './account-jobs.ts'
export { accountLocale } from './account-locales.ts'
export { ACCOUNT_PATHS, type MailDeps } from './account-mails.ts'
export { accountOperations } from './account-operations.ts'
export type { AccountDeps } from './account-parts.ts'
export {
  type CustomerRecord,
  type CustomerSearch,
  findCustomerRecord,
  lockCustomer,
  pageOfCustomers,
  setCustomerStatus,
} from './customer-admin.ts'
export type { Customer, CustomerSecret } from './customer-store.ts'
export type { DemandGrant } from './grant-demand.ts'
export { hashNewPassword } from './new-password.ts'
export type { PasswordFault } from './password-rules.ts'
export { confirmRegistration, findOpenRegistration, type Registering, register } from './register.ts'
export { sweepRegistrations } from './registration-store.ts'
export { confirmReset, findOpenReset, limitReset, prepareReset, requestReset } from './reset-password.ts'
export { sweepResets } from './reset-store.ts'
export { endSession, endSessions, findSession, openSession, sweepSessions } from './sessions.ts'
export { limitSignIn, verifySignIn } from './sign-in.ts'
