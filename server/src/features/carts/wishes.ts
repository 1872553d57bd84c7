import type { Principal } from '../../platform/http/handler.ts'
import type { Wish } from './cart.ts'
import type { Skus } from './load-cart.ts'
import { offerOf } from './skus.ts'

/** What a request asks for, with what is known of its SKU. `pointer` names the object in the body that asks. */
export function wishOf(
  { skuId, quantity }: { readonly skuId: string; readonly quantity: number },
  skus: Skus,
  { storeId }: Pick<Principal, 'storeId'>,
  pointer = '',
): Wish {
  return { skuId, quantity, offer: offerOf(skus.get(skuId), { storeId }), skuIn: 'body', pointer }
}
