import { crashPoint } from '../../platform/crash/crash-points.ts'
import { afterCommit } from '../../platform/http/handler.ts'
import type { CheckoutDeps } from './deps.ts'
import { cancelHostedCheckoutSession } from './operations/cancelHostedCheckoutSession.ts'
import { checkoutPublicCart } from './operations/checkoutPublicCart.ts'
import { createHostedCheckoutSession } from './operations/createHostedCheckoutSession.ts'
import { getHostedCheckoutSession } from './operations/getHostedCheckoutSession.ts'

/** Handlers of rows 26 to 28 and 43 of the contract. */
export function checkoutOperations(deps: CheckoutDeps) {
  return {
    createHostedCheckoutSession: afterCommit(createHostedCheckoutSession(deps), committed),
    getHostedCheckoutSession: getHostedCheckoutSession(deps),
    cancelHostedCheckoutSession: cancelHostedCheckoutSession(deps),
    checkoutPublicCart: afterCommit(checkoutPublicCart(deps), committed),
  }
}

function committed(): void {
  crashPoint('checkout.committed')
}
