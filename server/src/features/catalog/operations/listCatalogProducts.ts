import { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { listProducts } from '../list-products.ts'
import { marketOf, openStores } from '../market.ts'
import { ALL_CATALOGUES, STORES } from '../subjects.ts'

/** GET /api/v1/catalog/products */
export function listCatalogProducts(cursorSecret: Buffer): Handler<typeof operations.listCatalogProducts> {
  return async ({ query }, context) => {
    context.dependsOn(STORES)
    context.dependsOn(ALL_CATALOGUES)
    const { data, meta } = await listProducts(context.reader, {
      market: marketOf(await openStores(context.reader), { ...query, languages: context.languages }),
      environment: context.environment,
      query,
      path: operations.listCatalogProducts.path,
      cursorSecret,
      catalogRevision: context.revisionOf(ALL_CATALOGUES),
    })
    return { data, meta }
  }
}
