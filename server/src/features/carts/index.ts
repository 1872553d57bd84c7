/** Exports for other features. */
export { addressFaults, refuseInvalidAddress, tidyAddress } from './address/address.ts'
export { addressLines, countryName, isPlaceFirst } from './address/address-lines.ts'
export { destinationOf, requiresShipping } from './address/destination.ts'
export { formatOf, regionCodeOf, regionsOf } from './address/formats.ts'
export { type Cart, type LockedCart, lockForCheckout } from './cart.ts'
export {
  type CheckoutCart,
  convertCart,
  createCartForCheckout,
  loadForCheckout,
  releaseCart,
  saveLocked,
  saveRecalculatedQuote,
} from './checkout.ts'
export { ENDED_CART_RETENTION_DAYS, expireIdleCarts, sweepEndedCarts } from './idle-carts.ts'
export { vatIdOf } from './load-cart.ts'
export { cartOperations } from './operations.ts'
export {
  addressBlockers,
  type Blocker,
  contentOf,
  presentBlockers,
  type Quote,
  type QuoteContent,
} from './quote.ts'
export { type QuoteSigners, quoteSigners } from './quote-signature.ts'
export {
  assertQuoteUsable,
  issueQuote,
  type QuoteDeps,
  type Recalculation,
  recalculateQuote,
  requoteWithCode,
  signRecalculation,
} from './quoting.ts'
export { refuseUnofferedShipping } from './shipping-choice.ts'
export { findCartOfSession, loadCartById } from './store.ts'
export { presentShippingOptions } from './view.ts'
