import type { Principal } from '../../platform/http/handler.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { type SellableRow, type SellableSku, sellableStatement } from '../catalog/index.ts'
import type { Cart, Offer } from './cart.ts'

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
 * What is true now of the SKUs of a cart and of those that are about to be added. It finds the cart's lines by itself, so
 * it travels together with the statement that locks the cart.
 */
export function readSkusOfCart(
  tx: Transaction,
  principal: Principal,
  cartId: string,
  addedSkuIds: readonly string[],
): Promise<SellableRow[]> {
  return tx.rows(ofCart, [cartId, addedSkuIds, principal.environment, principal.storeId])
}

const named = sellableStatement('carts.read_named_skus', {
  wanted: 'select unnest((select $1::text[])), $2::boolean',
  currency: '$3',
  environment: '$4',
  storeId: '$5::text',
})

/** The same of SKUs by name: those that a cart holds already, or those that it is to begin with. */
export function readNamedSkus(
  reader: Reader,
  { environment, storeId }: Pick<Principal, 'environment' | 'storeId'>,
  { skuIds, held, currency }: { readonly skuIds: readonly string[]; readonly held: boolean; readonly currency: string },
): Promise<SellableRow[]> {
  return reader.rows(named, [skuIds, held, currency, environment, storeId])
}

/** What a cart may take of a SKU; nothing where its store shows it to nobody without a challenge. */
export function offerOf(sku: SellableSku | undefined, { storeId }: Pick<Cart, 'storeId'>): Offer | undefined {
  const isHidden = storeId === null && sku?.store.accessMode !== 'open'
  return isHidden ? undefined : sku
}
