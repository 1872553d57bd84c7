import type { WriteContext } from '../../platform/http/handler.ts'
import type { RuleSnapshots } from '../pricing/index.ts'
import type { LockedCart } from './cart.ts'
import type { FindCustomer } from './customer-token.ts'
import type { QuoteSigner } from './quote-signature.ts'

/** What the operations of carts stand on, beside the request. */
export interface CartDeps {
  readonly rules: RuleSnapshots
  readonly signer: QuoteSigner
  readonly findCustomer: FindCustomer
  /**
   * Cancels the checkout session that holds a cart, before the cart is revoked. Checkout stands above carts, so it is
   * handed in. Refuses `payment_outcome_unknown` while nobody knows whether the shopper has paid.
   */
  cancelCheckout(cart: LockedCart, context: WriteContext): Promise<void>
}
