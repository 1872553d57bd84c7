import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { loadProduct } from '../reading/load-product.ts'
import { listOpenStores, resolveMarket } from '../reading/market-context.ts'
import { ALL_CATALOGS, SITE, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/products/{slug} */
export const getCatalogProduct: Handler<typeof operations.getCatalogProduct> = async ({ params, query }, context) => {
  context.dependsOn(SITE)
  context.dependsOn(STORES)
  context.dependsOn(ALL_CATALOGS)
  return loadProduct(context.reader, params.slug, {
    market: resolveMarket(await listOpenStores(context.reader), { ...query, languages: context.languages }),
    environment: context.environment,
    currency: query.currency,
    catalogRevision: context.revisionOf(ALL_CATALOGS),
  })
}
