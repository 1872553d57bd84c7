import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { StoreGrants } from '../../access/index.ts'
import { listCategoriesInUse } from '../categories.ts'
import { marketOf, requireStoreAccess, storeBySlug } from '../market.ts'
import { catalogueOf, MARKETPLACE_CATEGORIES, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/merchants/{slug}/categories */
export function listStoreCategories(grants: StoreGrants): Handler<typeof operations.listStoreCategories> {
  return async ({ params, query }, context) => {
    context.dependsOn(STORES)
    const store = await storeBySlug(context.reader, params.slug)
    requireStoreAccess(grants, store, context)

    context.dependsOn(catalogueOf(store.id))
    context.dependsOn(MARKETPLACE_CATEGORIES)
    const market = marketOf([store], { ...query, languages: context.languages })
    return {
      data: await listCategoriesInUse(context.reader, market),
      meta: { catalogRevision: context.revisionOf(catalogueOf(store.id)), locale: market.locale },
    }
  }
}
