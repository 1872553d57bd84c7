import { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { listProducts } from '../list-products.ts'
import { marketOf, openStores } from '../market.ts'
import { ALL_CATALOGUES, STORES } from '../subjects.ts'

/** GET /api/v1/search */
export function searchCatalogProducts(cursorSecret: Buffer): Handler<typeof operations.searchCatalogProducts> {
  return async ({ query }, context) => {
    context.dependsOn(STORES)
    context.dependsOn(ALL_CATALOGUES)
    const { data, meta, correctedQuery } = await listProducts(context.reader, {
      market: marketOf(await openStores(context.reader), { ...query, languages: context.languages }),
      environment: context.environment,
      query,
      path: operations.searchCatalogProducts.path,
      cursorSecret,
      catalogRevision: context.revisionOf(ALL_CATALOGUES),
    })
    return { data, meta: { ...meta, correctedQuery } }
  }
}
