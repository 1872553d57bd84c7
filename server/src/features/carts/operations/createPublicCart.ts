import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { priceNow } from '../load-cart.ts'
import { openNewCart } from '../open-new-cart.ts'
import { insertCart } from '../store.ts'
import { presentCart } from '../view.ts'

/** POST /api/v1/open/storefront/carts */
export function createPublicCart({ rules, findCustomer }: CartDeps): Handler<typeof operations.createPublicCart> {
  return async ({ body }, context) => {
    const opened = await openNewCart(findCustomer, body, context)

    insertCart(context.tx, opened.cart)
    recordCartEvent(context, 'cart.created', opened.cart)
    return presentCart(opened, await priceNow(context.tx, rules, opened, context))
  }
}
