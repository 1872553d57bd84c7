import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { StoreGrants } from '../../access/index.ts'
import { marketOf, requireStoreAccess, storeBySlug } from '../market.ts'
import { readProduct } from '../read-product.ts'
import { catalogueOf, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/merchants/{merchantSlug}/products/{productSlug} */
export function getStoreProduct(grants: StoreGrants): Handler<typeof operations.getStoreProduct> {
  return async ({ params, query }, context) => {
    context.dependsOn(STORES)
    const store = await storeBySlug(context.reader, params.merchantSlug)
    requireStoreAccess(grants, store, context)

    context.dependsOn(catalogueOf(store.id))
    return readProduct(context.reader, params.productSlug, {
      market: marketOf([store], { ...query, languages: context.languages }),
      environment: context.environment,
      currency: query.currency,
      catalogRevision: context.revisionOf(catalogueOf(store.id)),
    })
  }
}
