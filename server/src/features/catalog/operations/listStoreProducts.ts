import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { StoreGrants } from '../../access/index.ts'
import { searchEditsFor } from '../merchandising/edit-store.ts'
import { listProducts } from '../reading/list-products.ts'
import type { ListDeps } from '../reading/list-request.ts'
import { loadStoreBySlug, requireStoreAccess, resolveStoreMarket } from '../reading/market-context.ts'
import { catalogOf, MARKETPLACE_CATEGORIES, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/merchants/{slug}/products */
export function listStoreProducts(
  { cursorSecret, counts, editsOf }: ListDeps,
  grants: StoreGrants,
): Handler<typeof operations.listStoreProducts> {
  return async ({ params, query }, context) => {
    context.dependsOn(STORES)
    const store = await loadStoreBySlug(context.reader, params.slug)
    requireStoreAccess(grants, store, context)

    context.dependsOn(catalogOf(store.id))
    context.dependsOn(MARKETPLACE_CATEGORIES)
    const { data, meta } = await listProducts(context.reader, counts, {
      market: await resolveStoreMarket(context.reader, store, { ...query, languages: context.languages }),
      environment: context.environment,
      query,
      ofStore: true,
      path: `/api/v1/catalog/merchants/${store.slug}/products`,
      cursorSecret,
      catalogRevision: context.revisionOf(catalogOf(store.id)),
      edits: await searchEditsFor(query, editsOf, context),
    })
    return { data, meta }
  }
}
