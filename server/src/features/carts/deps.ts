import type { WriteContext } from '../../platform/http/handler.ts'
import type { CheckVatIds, RuleSnapshots } from '../pricing/index.ts'
import type { LockedCart } from './cart.ts'
import type { FindCustomer } from './open-new-cart.ts'
import type { QuoteSigners } from './quote-signature.ts'

/** Dependencies of the cart operations. */
export interface CartDeps {
  readonly rules: RuleSnapshots
  readonly signers: QuoteSigners
  readonly findCustomer: FindCustomer
  readonly checkVatIds: CheckVatIds
  /**
   * Cancels the checkout session of a locked cart before the cart is revoked. Injected, because checkout ranks above
   * carts. Refuses `payment_outcome_unknown` while the outcome of the payment is unknown.
   */
  cancelCheckout(cart: LockedCart, context: WriteContext): Promise<void>
}
