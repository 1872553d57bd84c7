import type { Facet, ProductListMeta } from '@vitrine/contract'
import type { Static } from 'typebox'
import type { AskedPrice } from '../search/price.ts'
import { type ListRequest, optionFilters } from './list-request.ts'
import { COUNT_MAX, type SortOrder } from './listing-store.ts'

interface ListResult {
  readonly limit: number
  readonly sort: SortOrder
  readonly total: number
  readonly facets: Facet[]
  readonly nextCursor: string | null
  /** The price that was found in the query. */
  readonly price: AskedPrice | null
}

/** Presents the `meta` of a product list. */
export function listMeta(
  request: ListRequest,
  { limit, sort, total, facets, nextCursor, price }: ListResult,
): Static<typeof ProductListMeta> {
  const { market, query, catalogRevision } = request
  return {
    page: {
      limit,
      nextCursor,
      hasNextPage: nextCursor !== null,
      totalCount: Math.min(total, COUNT_MAX),
      totalCountExact: total <= COUNT_MAX,
    },
    next: nextCursor && nextPath(request, nextCursor),
    sort,
    appliedFilters: appliedFilters({ ...query, ...(price && limitsOf(price)) }),
    facets,
    catalogRevision,
    locale: market.locale,
    currency: market.currency,
  }
}

/** The limits of a price, as filters. */
export function limitsOf({ min, max }: AskedPrice): { readonly priceMin?: number; readonly priceMax?: number } {
  return { ...(min === null ? {} : { priceMin: min }), ...(max === null ? {} : { priceMax: max }) }
}

function appliedFilters(query: ListRequest['query']): Static<typeof ProductListMeta>['appliedFilters'] {
  const { q, category, store, brand, product, priceMin, priceMax, availability, country } = query
  const options = optionFilters(query)
  return {
    ...(q === undefined ? {} : { q }),
    ...(category === undefined ? {} : { category: [...category] }),
    ...(store === undefined ? {} : { store }),
    ...(brand === undefined ? {} : { brand: [...brand] }),
    ...(product === undefined ? {} : { product: [...product] }),
    ...(priceMin === undefined ? {} : { priceMin }),
    ...(priceMax === undefined ? {} : { priceMax }),
    ...(availability === undefined ? {} : { availability }),
    ...(country === undefined ? {} : { country }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  }
}

/** The longest link in a response, as long as the head of a request may be. A longer one could not be followed. */
const NEXT_PATH_MAX = 16_384

function nextPath({ path, query }: ListRequest, cursor: string): string | null {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each))
  }
  const next = `${path}?${parameters}`
  return next.length <= NEXT_PATH_MAX ? next : null
}
