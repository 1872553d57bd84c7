import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { StoreGrants } from '../../access/index.ts'
import { loadProduct } from '../reading/load-product.ts'
import { loadStoreBySlug, requireStoreAccess, resolveStoreMarket } from '../reading/market-context.ts'
import { catalogOf, MARKETPLACE_CATEGORIES, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/merchants/{merchantSlug}/products/{productSlug} */
export function getStoreProduct(grants: StoreGrants): Handler<typeof operations.getStoreProduct> {
  return async ({ params, query }, context) => {
    context.dependsOn(STORES)
    const store = await loadStoreBySlug(context.reader, params.merchantSlug)
    requireStoreAccess(grants, store, context)

    context.dependsOn(catalogOf(store.id))
    context.dependsOn(MARKETPLACE_CATEGORIES)
    return loadProduct(context.reader, params.productSlug, {
      market: await resolveStoreMarket(context.reader, store, { ...query, languages: context.languages }),
      environment: context.environment,
      currency: query.currency,
      catalogRevision: context.revisionOf(catalogOf(store.id)),
    })
  }
}
