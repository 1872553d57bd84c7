/** The door of checkout: from a cart to an order, on our pages. */
export { type CheckoutFigures, checkoutFigures } from './checkout-figures.ts'
export type {
  AcceptedDocuments,
  CheckoutForPages,
  GivenOnPage,
  PageAccess,
  PageSession,
  PaymentBegun,
  PaymentWish,
} from './checkout-for-pages.ts'
export { checkoutOperations } from './checkout-operations.ts'
export { checkoutOutcome, lateSuccessOutcome } from './checkout-outcome.ts'
export { CHECKOUT_PATH } from './checkout-paths.ts'
export { endForRevoke } from './end-session.ts'
export { expireSessions } from './expire-sessions.ts'
export { checkoutForPages } from './on-page.ts'
export type { CheckoutDeps } from './parts.ts'
