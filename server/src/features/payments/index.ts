/** Exports for other features and entry points. */
export { bankAccountIn, epcText, spacedIban } from './bank-account.ts'
export {
  countOpenDisputes,
  type Dispute,
  type DisputeChange,
  disputedOf,
  disputesOf,
  type ListedDispute,
  listDisputes,
} from './disputes.ts'
export {
  beginCharge,
  beginLeasedCharge,
  beginRefund,
  type NewCharge,
  type NewRefund,
  requestVoid,
} from './intents/begin.ts'
export {
  amountTaken,
  type Intent,
  type RefundPurpose,
  transferReference,
} from './intents/intent.ts'
export { listPayments, refundsOfCharge } from './intents/list.ts'
export { DISPUTE_OPENED_JOB } from './intents/reconcile.ts'
export { intentOf, refundOfSubject } from './intents/store.ts'
export { capturesAt, isPlaced, type Lease, type LeaseTerms } from './intents/transitions.ts'
export {
  type Attempt,
  countUnsettledPayments,
  isUnknown,
  listUnsettledPayments,
  paymentHistory,
  unsettledFigures,
} from './intents/unsettled.ts'
export { paymentJobs } from './jobs.ts'
export {
  type AccountDetails,
  type DefaultAccount,
  findNamedAccount,
  listNamedAccounts,
  type NamedAccount,
  nameAccount,
  type TransferFor,
  takesTransfers,
  transferAccount,
  transferAccounts,
} from './named-accounts.ts'
export { NOTIFICATION_RETENTION_DAYS, sweepPaymentNotifications } from './notifications.ts'
export type { PaymentOutcome, PaymentOutcomes } from './outcome.ts'
export { type PaymentMethod, Payments } from './payments.ts'
export {
  type NotificationRequest,
  type OrderToPay,
  PAYMENT_PATHS,
  type PaymentPlace,
  type PaymentProvider,
  TEST_OUTCOMES,
  type TestOutcome,
} from './providers/provider.ts'
export { paymentProviders } from './providers/registry.ts'
export {
  type SimulatorServer,
  startSimulator,
} from './providers/simulator/simulator-server.ts'
export { checkStripeKeys } from './providers/stripe/rights.ts'
export { qrCode } from './qr-code.ts'
export { qrCodePicture } from './qr-code-picture.ts'
export {
  bookStatement,
  type MatchedStatement,
  matchStatement,
  refuseOtherPlan,
  type StatementPlace,
} from './statements/book.ts'
export type { CsvHints } from './statements/csv-statement.ts'
export type { Match } from './statements/match.ts'
export {
  insertTransferReturn,
  listTransfers,
  lockTransfer,
  receivedOf,
  type Transfer,
} from './statements/receipts.ts'
export type { StatementLine } from './statements/statement.ts'
export { readStatement, type UploadedStatement } from './statements/upload.ts'
