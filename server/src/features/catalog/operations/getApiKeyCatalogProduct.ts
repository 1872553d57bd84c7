import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { listVisibleStores, resolveMarket } from '../reading/market-context.ts'
import { readProduct } from '../reading/read-product.ts'
import { catalogSeenBy } from '../subjects.ts'

/** GET /api/v1/open/catalog/products/{slug} */
export const getApiKeyCatalogProduct: Handler<typeof operations.getApiKeyCatalogProduct> = async (
  { params, query },
  context,
) => {
  const stores = await listVisibleStores(context.reader, context.principal)
  return readProduct(context.reader, params.slug, {
    market: resolveMarket(stores, { ...query, languages: context.languages }),
    environment: context.environment,
    currency: query.currency,
    catalogRevision: context.revisionOf(catalogSeenBy(context.principal)),
  })
}
