import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { listCategories, upperLevels } from '../reading/categories.ts'
import { listOpenStores, resolveMarket } from '../reading/market-context.ts'
import { ALL_CATALOGS, SITE, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/categories */
export const listCatalogCategories: Handler<typeof operations.listCatalogCategories> = async ({ query }, context) => {
  context.dependsOn(SITE)
  context.dependsOn(STORES)
  context.dependsOn(ALL_CATALOGS)
  const market = resolveMarket(await listOpenStores(context.reader), { ...query, languages: context.languages })
  return {
    data: upperLevels(await listCategories(context.reader, market)),
    meta: { catalogRevision: context.revisionOf(ALL_CATALOGS), locale: market.locale },
  }
}
