/** The door of checkout: from a cart to an order, on our pages. */

export type {
  AcceptedDocuments,
  CheckoutForPages,
  GivenOnPage,
  PageAccess,
  PageSession,
  PaymentBegun,
  PaymentWish,
} from './checkout-for-pages.ts'
export type { CheckoutDeps } from './deps.ts'
export { endForRevoke } from './end-session.ts'
export { expireSessions } from './expire-sessions.ts'
export { type CheckoutFigures, checkoutFigures } from './figures.ts'
export { checkoutOperations } from './operations.ts'
export { checkoutForPages } from './page-session.ts'
export { CHECKOUT_PATH } from './page-url.ts'
export { checkoutOutcome, lateSuccessOutcome } from './payment-outcome.ts'
