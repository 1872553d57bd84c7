import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { listCategories } from '../categories.ts'
import { marketOf, openStores } from '../market.ts'
import { ALL_CATALOGUES, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/categories */
export const listCatalogCategories: Handler<typeof operations.listCatalogCategories> = async ({ query }, context) => {
  context.dependsOn(STORES)
  context.dependsOn(ALL_CATALOGUES)
  const market = marketOf(await openStores(context.reader), { ...query, languages: context.languages })
  return {
    data: await listCategories(context.reader, market),
    meta: { catalogRevision: context.revisionOf(ALL_CATALOGUES), locale: market.locale },
  }
}
