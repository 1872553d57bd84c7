/** The door of payments: money that is taken and given back, each effect once. */
export { askToVoid, beginCharge, beginHeldCharge, beginRefund, type NewCharge, type NewRefund } from './begin.ts'
export type { Intent, IntentStatus, Purpose, RefundPurpose } from './intent.ts'
export type { Claim, Occasion } from './intent-moves.ts'
export { chargeOf, intentOf } from './intent-store.ts'
export { NOTIFICATION_RETENTION_DAYS, sweepPaymentNotifications } from './notification-store.ts'
export type { PaymentOutcome, PaymentOutcomes } from './outcomes.ts'
export { isUnknown, type UnsettledFigure, unsettledFigures } from './payment-figures.ts'
export { paymentJobs } from './payment-jobs.ts'
export { listPayments, type PaymentQuestion, refundsOfCharge } from './payment-list.ts'
export { PAYMENT_PATHS } from './payment-paths.ts'
export type {
  Notification,
  NotificationRequest,
  PaymentProvider,
  ProviderAnswer,
  ProviderCall,
} from './payment-provider.ts'
export { type PaymentMethod, Payments, type PaymentsDeps } from './payments.ts'
export { paymentProviders } from './providers.ts'
export { type SimulatorServer, type SimulatorServerSettings, startSimulator } from './simulator/simulator-server.ts'
export { type Attempt, listUnsettledPayments, type PaymentHistory, paymentHistory } from './unsettled.ts'
