/** The door of carts: what other features may use, and nothing else. */
export { cartOperations } from './cart-operations.ts'
export { ENDED_CART_RETENTION_DAYS, expireIdleCarts, sweepEndedCarts } from './idle-carts.ts'
export type { CartParts } from './parts.ts'
export { type QuoteSigner, quoteSigner } from './quote-signature.ts'
