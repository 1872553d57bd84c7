import { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { listProducts } from '../reading/list-products.ts'
import { listOpenStores, resolveMarket } from '../reading/market-context.ts'
import { suggest } from '../search/suggestions.ts'
import { ALL_CATALOGS, SITE, STORES } from '../subjects.ts'

/** GET /api/v1/search */
export function searchCatalogProducts(cursorSecret: Buffer): Handler<typeof operations.searchCatalogProducts> {
  return async ({ query }, context) => {
    context.dependsOn(SITE)
    context.dependsOn(STORES)
    context.dependsOn(ALL_CATALOGS)
    const { reader, environment, languages } = context
    const market = resolveMarket(await listOpenStores(reader), { ...query, languages })
    const [{ data, meta, correctedQuery }, suggestions] = await Promise.all([
      listProducts(reader, {
        market,
        environment,
        query,
        path: operations.searchCatalogProducts.path,
        cursorSecret,
        catalogRevision: context.revisionOf(ALL_CATALOGS),
      }),
      query.cursor === undefined ? suggest(reader, query.q, market) : [],
    ])
    return { data, meta: { ...meta, correctedQuery, suggestions } }
  }
}
