import { type FieldFault, refuse } from '../../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { LocalizedText, StoredImage } from '../stored-json.ts'
import { forgetHashes } from '../writing/draft-writes.ts'
import type { ProductRecord } from '../writing/product-records.ts'

/** A product shown with another one, as the console names it. */
export interface RelatedProduct {
  readonly id: string
  readonly status: 'published' | 'draft' | 'archived'
  readonly names: LocalizedText
  readonly image: StoredImage | null
}

const readRelated = statement<RelatedProduct>(
  'catalog.read_related_products',
  `select product.id, product.status, product.images -> 0 as image,
     (select jsonb_object_agg(locale, name) from product_texts where product_id = product.id) as names
   from related_products related join products product on product.id = related.related_product_id
   where related.product_id = $1 order by related.position`,
)

/** The related products of a product, published or not, in the merchant's order. */
export function listRelatedProducts(reader: Reader, productId: string): Promise<RelatedProduct[]> {
  return reader.rows(readRelated, [productId])
}

const readOfStore = statement<{ id: string }>(
  'catalog.read_products_of_store',
  // Locked, so that they are not removed before they are related.
  'select id from products where id = any($2::text[]) and store_id = $1 for key share',
)
const remove = statement('catalog.remove_related_products', 'delete from related_products where product_id = $1')
const insert = statement(
  'catalog.insert_related_products',
  `insert into related_products (product_id, store_id, related_product_id, position)
   select $1, $2, id, place - 1 from unnest($3::text[]) with ordinality as said (id, place)`,
)

/**
 * Replaces the related products of a product. The next write of the product counts as a change.
 *
 * Refusals: `not_found` for one that the store does not have, `validation_failed` for the product itself.
 *
 * @returns the previous ids
 */
export async function saveRelatedProducts(
  tx: Transaction,
  { id, storeId }: Pick<ProductRecord, 'id' | 'storeId'>,
  relatedIds: readonly string[],
): Promise<readonly string[]> {
  const [related, known] = await Promise.all([listRelatedProducts(tx, id), tx.rows(readOfStore, [storeId, relatedIds])])
  const before = related.map((product) => product.id)
  const knownIds = new Set(known.map((product) => product.id))
  const faultsOf = (isWrong: (relatedId: string) => boolean, fault: Omit<FieldFault, 'field'>) =>
    relatedIds.flatMap((relatedId, index) =>
      isWrong(relatedId) ? [{ ...fault, field: `relatedProductIds/${index}` }] : [],
    )
  const unknown = faultsOf((relatedId) => !knownIds.has(relatedId), {
    code: 'not_found',
    message: 'The store has no such product.',
  })
  if (unknown.length > 0) refuse('not_found', { faults: unknown })
  const itself = faultsOf((relatedId) => relatedId === id, {
    code: 'not_possible',
    message: 'A product cannot be related to itself.',
  })
  if (itself.length > 0) refuse('validation_failed', { faults: itself })
  if (before.join() === relatedIds.join()) return before

  tx.write(remove, [id])
  tx.write(insert, [id, storeId, relatedIds])
  tx.write(forgetHashes, [[id]])
  return before
}
