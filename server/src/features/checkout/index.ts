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
export { CHECKOUT_PATH } from './checkout-paths.ts'
