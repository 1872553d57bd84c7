/** Exports for other code. */
export {
  CONFIRM_TRANSFER_PATH,
  confirmTransferAddress,
  findTransferToConfirm,
  holdOf,
  type TransferHold,
  type TransferToConfirm,
} from './confirm-transfer.ts'
export type { CheckoutDeps, CheckoutPageDeps, TransferTerms } from './deps.ts'
export { cancelForRevokedCart } from './end-session.ts'
export { expireSessions } from './expire-sessions.ts'
export { type CheckoutDay, checkoutsByDay } from './figures.ts'
export { checkoutOperations } from './operations.ts'
export {
  type AcceptedDocuments,
  type AddressInput,
  applyCode,
  cancelFromPage,
  findPageLocale,
  findPageSession,
  type PageAccess,
  type PageSession,
  payFromPage,
  selectShipping,
  updateAddresses,
} from './page-session.ts'
export { CHECKOUT_PATH } from './page-url.ts'
export { checkoutOutcome, lateSuccessOutcome } from './payment-outcome.ts'
export { deadlinesOf, givenIbans, isTransferOffered, lastDayOf } from './transfer.ts'
export { editableCheckoutMails, enqueueRestMail, transferJobs } from './transfer-mail.ts'
