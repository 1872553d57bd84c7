import { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { searchEditsFor } from '../merchandising/edit-store.ts'
import { listProducts } from '../reading/list-products.ts'
import type { ListDeps } from '../reading/list-request.ts'
import { listOpenStores, resolveMarket } from '../reading/market-context.ts'
import { ALL_CATALOGS, SITE, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/products */
export function listCatalogProducts({
  cursorSecret,
  counts,
  editsOf,
}: ListDeps): Handler<typeof operations.listCatalogProducts> {
  return async ({ query }, context) => {
    context.dependsOn(SITE)
    context.dependsOn(STORES)
    context.dependsOn(ALL_CATALOGS)
    const { data, meta } = await listProducts(context.reader, counts, {
      market: resolveMarket(await listOpenStores(context.reader), { ...query, languages: context.languages }),
      environment: context.environment,
      query,
      path: operations.listCatalogProducts.path,
      cursorSecret,
      catalogRevision: context.revisionOf(ALL_CATALOGS),
      edits: await searchEditsFor(query, editsOf, context),
    })
    return { data, meta }
  }
}
