import { type DemoProduct, type DemoStore, licenceKeys, mailedProducts, stores } from '../../../demo/index.ts'
import { importLicenses, openLicenseVault } from '../../features/fulfillment/index.ts'
import { present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { statement, type Transaction } from '../../platform/postgres/index.ts'

const skusOf = statement<{ id: string; code: string; slug: string }>(
  'demo.skus_to_mail',
  `select sku.id, sku.code, product.slug from skus sku join products product on product.id = sku.product_id
   where product.slug = any($1::text[]) order by sku.code`,
)

/** Fills the pools of what is mailed. For tests alone: nobody should sell an invented key for money. */
export async function writeDemoLicences(
  tx: Transaction,
  { ids, now, randomness }: { readonly ids: IdSource; readonly now: Date; readonly randomness: Randomness },
): Promise<void> {
  const [vault, skus] = await Promise.all([
    openLicenseVault(tx, randomness),
    tx.rows(skusOf, [stores.flatMap((store) => mailedProducts(store))]),
  ])
  await Promise.all(
    skus.map(({ id, code, slug }) => {
      const store = present(
        stores.find((each) => mailedProducts(each).includes(slug)),
        slug,
      )
      const keys = licenceKeys(store, productOf(store, slug), code)
      return importLicenses(tx, { skuId: id, environment: 'test' }, keys, { ids, now, vault })
    }),
  )
}

function productOf({ products }: DemoStore, slug: string): DemoProduct {
  return present(
    products.find((each) => each.slug === slug),
    slug,
  )
}
