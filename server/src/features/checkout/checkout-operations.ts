import { cancelHostedCheckoutSession } from './operations/cancelHostedCheckoutSession.ts'
import { checkoutPublicCart } from './operations/checkoutPublicCart.ts'
import { createHostedCheckoutSession } from './operations/createHostedCheckoutSession.ts'
import { getHostedCheckoutSession } from './operations/getHostedCheckoutSession.ts'
import type { CheckoutParts } from './parts.ts'

/** Rows 26 to 28 and 43 of the contract. */
export function checkoutOperations(parts: CheckoutParts) {
  return {
    createHostedCheckoutSession: createHostedCheckoutSession(parts),
    getHostedCheckoutSession: getHostedCheckoutSession(parts),
    cancelHostedCheckoutSession: cancelHostedCheckoutSession(parts),
    checkoutPublicCart: checkoutPublicCart(parts),
  }
}
