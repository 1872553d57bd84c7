/** The door of carts: what other features may use, and nothing else. */
export { faultsOf, refuseInvalidAddress, tidyAddress } from './address/address.ts'
export { addressLines, countryName, isPlaceFirst } from './address/address-lines.ts'
export { COUNTRIES, formatOf, regionsOf } from './address/formats.ts'
export { type Cart, type LockedCart, lockForCheckout } from './cart.ts'
export {
  type CartToCheckOut,
  convertCart,
  loadForCheckout,
  openForCheckout,
  releaseCart,
  saveCompleted,
  saveLocked,
} from './checkout.ts'
export type { CartDeps } from './deps.ts'
export { ENDED_CART_RETENTION_DAYS, expireIdleCarts, sweepEndedCarts } from './idle-carts.ts'
export type { PricingContext } from './load-cart.ts'
export { cartOperations } from './operations.ts'
export { contentOf, type Quote, type QuoteContent } from './quote.ts'
export { type QuoteSigner, quoteSigner } from './quote-signature.ts'
export {
  type Completed,
  completeNow,
  promiseNow,
  type QuoteDeps,
  refuseBrokenPromise,
  signCompleted,
} from './quoting.ts'
export { refuseUnofferedShipping } from './shipping-choice.ts'
export { readCart } from './store.ts'
export { presentShippingOptions } from './view.ts'
