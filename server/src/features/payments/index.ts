/** What other features and entry points may use of payments. */
export { type BankAccount, bankAccountIn, epcText, spacedIban } from './bank-account.ts'
export {
  beginCharge,
  beginLeasedCharge,
  beginRefund,
  type NewCharge,
  type NewRefund,
  requestVoid,
} from './intents/begin.ts'
export {
  type Intent,
  type IntentStatus,
  type Purpose,
  type RefundPurpose,
  transferReference,
} from './intents/intent.ts'
export { listPayments, type PaymentFilter, refundsOfCharge } from './intents/list.ts'
export { chargeOf, intentOf } from './intents/store.ts'
export type { Lease, LeaseTerms } from './intents/transitions.ts'
export {
  type Attempt,
  isUnknown,
  listUnsettledPayments,
  type PaymentHistory,
  paymentHistory,
  type UnsettledFigure,
  unsettledFigures,
} from './intents/unsettled.ts'
export {
  type AccountDetails,
  type AccountScope,
  type DefaultAccount,
  findNamedAccount,
  listNamedAccounts,
  type NamedAccount,
  nameAccount,
  type TransferFor,
  takesTransfers,
  transferAccount,
} from './named-accounts.ts'
export { NOTIFICATION_RETENTION_DAYS, sweepPaymentNotifications } from './notifications.ts'
export {
  type PaymentMethod,
  type PaymentOutcome,
  type PaymentOutcomes,
  Payments,
  type PaymentsDeps,
  paymentJobs,
} from './payments.ts'
export {
  type Notification,
  type NotificationRequest,
  type OrderToPay,
  PAYMENT_PATHS,
  type PaymentPlace,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  TEST_OUTCOMES,
  type TestOutcome,
} from './providers/provider.ts'
export { paymentProviders } from './providers/registry.ts'
export {
  type SimulatorServer,
  type SimulatorServerSettings,
  startSimulator,
} from './providers/simulator/simulator-server.ts'
export { checkStripeKeys } from './providers/stripe/rights.ts'
