import { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { EditsSource } from '../merchandising/edit-store.ts'
import { type SearchCounts, searchToCount } from '../merchandising/search-counts.ts'
import { listProducts } from '../reading/list-products.ts'
import { listOpenStores, resolveMarket } from '../reading/market-context.ts'
import { ALL_CATALOGS, SITE, STORES } from '../subjects.ts'

/** GET /api/v1/search */
export function searchCatalogProducts(
  cursorSecret: Buffer,
  editsOf: EditsSource,
  searches?: SearchCounts,
): Handler<typeof operations.searchCatalogProducts> {
  return async ({ query }, context) => {
    context.dependsOn(SITE)
    context.dependsOn(STORES)
    context.dependsOn(ALL_CATALOGS)
    const market = resolveMarket(await listOpenStores(context.reader), { ...query, languages: context.languages })
    const list = await listProducts(context.reader, {
      market,
      environment: context.environment,
      query,
      path: operations.searchCatalogProducts.path,
      cursorSecret,
      catalogRevision: context.revisionOf(ALL_CATALOGS),
      edits: await editsOf(context),
    })
    const { data, meta, correctedQuery, rule } = list
    const counted = searchToCount({ query, market }, list)
    if (counted) context.onAnswer(() => searches?.record(counted))
    return { data, meta: { ...meta, correctedQuery, redirect: rule?.redirect ?? null } }
  }
}
