/** The door of payments: money that is taken and given back, each effect once. */
export {
  beginCharge,
  beginHeldCharge,
  beginRefund,
  type NewCharge,
  type NewRefund,
  requestVoid,
} from './intents/begin.ts'
export type { Intent, IntentStatus, Purpose, RefundPurpose } from './intents/intent.ts'
export { listPayments, type PaymentQuestion, refundsOfCharge } from './intents/list.ts'
export type { Claim, LeaseTerms } from './intents/moves.ts'
export { chargeOf, intentOf } from './intents/store.ts'
export { type Attempt, listUnsettledPayments, type PaymentHistory, paymentHistory } from './intents/unsettled.ts'
export { paymentJobs } from './jobs.ts'
export { lookAgain } from './look-again.ts'
export { NOTIFICATION_RETENTION_DAYS, sweepPaymentNotifications } from './notifications.ts'
export type { PaymentOutcome, PaymentOutcomes } from './outcomes.ts'
export { isUnknown, type UnsettledFigure, unsettledFigures } from './payment-figures.ts'
export { PAYMENT_PATHS } from './payment-paths.ts'
export { type PaymentMethod, Payments, type PaymentsDeps } from './payments.ts'
export type {
  Notification,
  NotificationRequest,
  PaymentProvider,
  ProviderAnswer,
  ProviderCall,
} from './providers/provider.ts'
export { paymentProviders } from './providers/registry.ts'
export {
  type SimulatorServer,
  type SimulatorServerSettings,
  startSimulator,
} from './providers/simulator/simulator-server.ts'
