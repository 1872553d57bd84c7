import type { CartDeps } from './deps.ts'
import { addPublicCartItem } from './operations/addPublicCartItem.ts'
import { applyPublicCartPromotion } from './operations/applyPublicCartPromotion.ts'
import { clearPublicCart } from './operations/clearPublicCart.ts'
import { createPublicCart } from './operations/createPublicCart.ts'
import { getPublicCart } from './operations/getPublicCart.ts'
import { quotePublicCart } from './operations/quotePublicCart.ts'
import { quotePublicCartCheckout } from './operations/quotePublicCartCheckout.ts'
import { removePublicCartItem } from './operations/removePublicCartItem.ts'
import { removePublicCartPromotion } from './operations/removePublicCartPromotion.ts'
import { revokePublicCart } from './operations/revokePublicCart.ts'
import { setPublicCartAddress } from './operations/setPublicCartAddress.ts'
import { updatePublicCartItemQuantity } from './operations/updatePublicCartItemQuantity.ts'

/** Handlers of rows 31 to 42 of the contract. */
export function cartOperations(deps: CartDeps) {
  return {
    createPublicCart: createPublicCart(deps),
    getPublicCart: getPublicCart(deps),
    addPublicCartItem: addPublicCartItem(deps),
    updatePublicCartItemQuantity: updatePublicCartItemQuantity(deps),
    removePublicCartItem: removePublicCartItem(deps),
    setPublicCartAddress: setPublicCartAddress(deps),
    clearPublicCart: clearPublicCart(deps),
    revokePublicCart: revokePublicCart(deps),
    applyPublicCartPromotion: applyPublicCartPromotion(deps),
    removePublicCartPromotion: removePublicCartPromotion(deps),
    quotePublicCart: quotePublicCart(deps),
    quotePublicCartCheckout: quotePublicCartCheckout(deps),
  }
}
