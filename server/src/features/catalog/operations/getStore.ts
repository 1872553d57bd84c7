import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { loadStoreBySlug, resolveStoreMarket } from '../reading/market-context.ts'
import { presentStore } from '../reading/store-view.ts'
import { STORES } from '../subjects.ts'

/** GET /api/v1/catalog/merchants/{slug} */
export const getStore: Handler<typeof operations.getStore> = async ({ params, query }, context) => {
  context.dependsOn(STORES)
  const store = await loadStoreBySlug(context.reader, params.slug)
  return presentStore(
    store,
    await resolveStoreMarket(context.reader, store, { ...query, languages: context.languages }),
  )
}
