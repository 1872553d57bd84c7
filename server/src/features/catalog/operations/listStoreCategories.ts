import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { StoreGrants } from '../../access/index.ts'
import { listCategoriesInUse, upperLevels } from '../reading/categories.ts'
import { loadStoreBySlug, requireStoreAccess, resolveStoreMarket } from '../reading/market-context.ts'
import { catalogOf, MARKETPLACE_CATEGORIES, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/merchants/{slug}/categories */
export function listStoreCategories(grants: StoreGrants): Handler<typeof operations.listStoreCategories> {
  return async ({ params, query }, context) => {
    context.dependsOn(STORES)
    const store = await loadStoreBySlug(context.reader, params.slug)
    requireStoreAccess(grants, store, context)

    context.dependsOn(catalogOf(store.id))
    context.dependsOn(MARKETPLACE_CATEGORIES)
    const market = await resolveStoreMarket(context.reader, store, { ...query, languages: context.languages })
    return {
      data: upperLevels(await listCategoriesInUse(context.reader, market)),
      meta: { catalogRevision: context.revisionOf(catalogOf(store.id)), locale: market.locale },
    }
  }
}
