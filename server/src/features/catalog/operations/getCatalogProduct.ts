import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { marketOf, openStores } from '../market.ts'
import { readProduct } from '../read-product.ts'
import { ALL_CATALOGUES, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/products/{slug} */
export const getCatalogProduct: Handler<typeof operations.getCatalogProduct> = async ({ params, query }, context) => {
  context.dependsOn(STORES)
  context.dependsOn(ALL_CATALOGUES)
  return readProduct(context.reader, params.slug, {
    market: marketOf(await openStores(context.reader), { ...query, languages: context.languages }),
    environment: context.environment,
    currency: query.currency,
    catalogRevision: context.revisionOf(ALL_CATALOGUES),
  })
}
