import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { listOpenStores, resolveMarket } from '../reading/market-context.ts'
import { readProduct } from '../reading/read-product.ts'
import { ALL_CATALOGS, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/products/{slug} */
export const getCatalogProduct: Handler<typeof operations.getCatalogProduct> = async ({ params, query }, context) => {
  context.showing(STORES)
  context.showing(ALL_CATALOGS)
  return readProduct(context.reader, params.slug, {
    market: resolveMarket(await listOpenStores(context.reader), { ...query, languages: context.languages }),
    environment: context.environment,
    currency: query.currency,
    catalogRevision: context.revisionOf(ALL_CATALOGS),
  })
}
