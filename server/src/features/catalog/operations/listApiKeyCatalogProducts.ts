import { operations, PAGE_LIMIT_INSTALLATION } from '@vitrine/contract'
import { ownerKey } from '../../../kernel/owner.ts'
import { hashOfFilters, openCursor, sealCursor } from '../../../platform/http/cursor.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { COUNT_MAX } from '../reading/listing-store.ts'
import { listVisibleStores, resolveMarket } from '../reading/market-context.ts'
import { countProducts, hydrateProducts, productIdsAfter } from '../reading/product-store.ts'
import { presentProducts } from '../reading/product-view.ts'
import { catalogSeenBy } from '../subjects.ts'

/** The content of a cursor: the last id, and the total counted by the first page. */
interface Walk {
  readonly id: string
  readonly total: number
}

/** GET /api/v1/open/catalog/products */
export function listApiKeyCatalogProducts(cursorSecret: Secret): Handler<typeof operations.listApiKeyCatalogProducts> {
  return async ({ query }, { reader, principal, environment, languages, revisionOf }) => {
    const { path } = operations.listApiKeyCatalogProducts
    const list = hashOfFilters([path, ownerKey(principal)])
    const walk = query.cursor === undefined ? null : (openCursor(cursorSecret, list, query.cursor) as Walk)
    const market = resolveMarket(await listVisibleStores(reader, principal), { languages })
    const storeIds = [...market.storesById.keys()]
    const limit = PAGE_LIMIT_INSTALLATION

    const [ids, total] = await Promise.all([
      productIdsAfter(reader, storeIds, walk?.id ?? '', limit + 1),
      walk?.total ?? countProducts(reader, storeIds, COUNT_MAX),
    ])
    const pageIds = ids.slice(0, limit)
    const hydrated = await hydrateProducts(reader, pageIds, { environment, currency: undefined })

    const catalogRevision = revisionOf(catalogSeenBy(principal))
    const nextCursor =
      ids.length > limit ? sealCursor(cursorSecret, list, { id: pageIds.at(-1)!, total } satisfies Walk) : null
    return {
      data: presentProducts(hydrated, market, { currency: undefined, catalogRevision, inAllCurrencies: true }),
      meta: {
        page: {
          limit,
          nextCursor,
          hasNextPage: nextCursor !== null,
          totalCount: Math.min(total, COUNT_MAX),
          totalCountExact: total <= COUNT_MAX,
        },
        next: nextCursor && `${path}?cursor=${nextCursor}`,
        catalogRevision,
        locale: market.locale,
        currency: market.currency,
      },
    }
  }
}
