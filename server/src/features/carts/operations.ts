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

/** Rows 31 to 42 of the contract. */
export function cartOperations(parts: CartDeps) {
  return {
    createPublicCart: createPublicCart(parts),
    getPublicCart: getPublicCart(parts),
    addPublicCartItem: addPublicCartItem(parts),
    updatePublicCartItemQuantity: updatePublicCartItemQuantity(parts),
    removePublicCartItem: removePublicCartItem(parts),
    setPublicCartAddress: setPublicCartAddress(parts),
    clearPublicCart: clearPublicCart(parts),
    revokePublicCart: revokePublicCart(parts),
    applyPublicCartPromotion: applyPublicCartPromotion(parts),
    removePublicCartPromotion: removePublicCartPromotion(parts),
    quotePublicCart: quotePublicCart(parts),
    quotePublicCartCheckout: quotePublicCartCheckout(parts),
  }
}
