import type { Principal } from '../../platform/http/handler.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { type SellableRow, type SellableSku, sellableStatement } from '../catalog/index.ts'
import type { Cart, LineInput, Offer } from './cart.ts'

/** SKUs by id, including every SKU in the cart. */
export type Skus = ReadonlyMap<string, SellableSku>

const ofCart = sellableStatement('carts.read_skus_of_cart', {
  wanted: `select sku_id, bool_or(held) from (
       select sku_id, true as held from cart_lines where cart_id = $1
       union all select unnest((select $2::text[])), false) as named
     group by sku_id`,
  currency: '(select currency from carts where id = $1)',
  environment: '$3',
  storeId: '$4::text',
})

/**
 * Current facts of the SKUs in a cart and of those about to be added. The statement finds the cart's lines itself, so it
 * shares the round trip that locks the cart.
 */
export function readSkusOfCart(
  tx: Transaction,
  principal: Principal,
  cartId: string,
  addedSkuIds: readonly string[],
): Promise<SellableRow[]> {
  return tx.rows(ofCart, [cartId, addedSkuIds, principal.environment, principal.storeId])
}

const held = sellableStatement('carts.read_held_skus', {
  wanted: 'select sku_id, true from cart_lines where cart_id = $1',
  currency: '(select currency from carts where id = $1)',
  environment: '$2',
  storeId: 'null::text',
})

/** Current facts of the SKUs in a cart. Like {@link readSkusOfCart}, it shares the round trip that reads the cart. */
export function readHeldSkus(
  reader: Reader,
  { environment }: Pick<Principal, 'environment'>,
  cartId: string,
): Promise<SellableRow[]> {
  return reader.rows(held, [cartId, environment])
}

const named = sellableStatement('carts.read_named_skus', {
  wanted: 'select unnest((select $1::text[])), $2::boolean',
  currency: '$3',
  environment: '$4',
  storeId: '$5::text',
})

/** Current facts of SKUs by id. `held`: they are in a cart already. */
export function readNamedSkus(
  reader: Reader,
  { environment, storeId }: Pick<Principal, 'environment' | 'storeId'>,
  { skuIds, held, currency }: { readonly skuIds: readonly string[]; readonly held: boolean; readonly currency: string },
): Promise<SellableRow[]> {
  return reader.rows(named, [skuIds, held, currency, environment, storeId])
}

/**
 * The offer of a SKU to a cart; `undefined` if it is hidden. A marketplace cart cannot buy from a store with restricted access,
 * and a store's cart cannot buy from another store, whatever the credential.
 */
export function offerOf(sku: SellableSku | undefined, { storeId }: Pick<Cart, 'storeId'>): Offer | undefined {
  const isHidden = storeId === null ? sku?.store.accessMode !== 'open' : sku?.storeId !== storeId
  return isHidden ? undefined : sku
}

/** A requested SKU and quantity, with the SKU's offer. */
export function lineInput(
  { skuId, quantity }: { readonly skuId: string; readonly quantity: number },
  skus: Skus,
  cart: Pick<Cart, 'storeId'>,
): LineInput {
  return { skuId, quantity, offer: offerOf(skus.get(skuId), cart) }
}
