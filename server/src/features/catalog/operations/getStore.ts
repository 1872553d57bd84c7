import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { marketOf, storeBySlug } from '../market.ts'
import { presentStore } from '../store-view.ts'
import { STORES } from '../subjects.ts'

/** GET /api/v1/catalog/merchants/{slug} */
export const getStore: Handler<typeof operations.getStore> = async ({ params, query }, context) => {
  context.dependsOn(STORES)
  const store = await storeBySlug(context.reader, params.slug)
  return presentStore(store, marketOf([store], { ...query, languages: context.languages }))
}
