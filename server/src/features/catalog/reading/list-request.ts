import { OPTION_FILTERS_MAX, type OptionFilters, type ProductsQuery, type SearchQuery } from '@vitrine/contract'
import type { Environment } from '../../../kernel/environment.ts'
import { refuseField } from '../../../kernel/refusal.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { CatalogCounts } from '../counting/catalog-counts.ts'
import type { EditsSource } from '../merchandising/edit-store.ts'
import type { SearchEdits } from '../merchandising/search-edits.ts'
import { type AskedPrice, askedPrice } from '../search/price.ts'
import type { Spelling } from '../search/spelling.ts'
import type { CategoryNames } from './categories.ts'
import type { RequestedFacets } from './facet-store.ts'
import type { SortOrder } from './listing-store.ts'
import type { Market } from './market-context.ts'

/** The dependencies of product lists. */
export interface ListDeps {
  readonly cursorSecret: Secret
  /** Counts facets in memory; `null`: PostgreSQL counts them. */
  readonly counts: CatalogCounts | null
  readonly editsOf: EditsSource
}

/** A request for one page of a product list. */
export interface ListRequest {
  readonly market: Market
  readonly environment: Environment
  readonly query: ProductsQuery & OptionFilters & Pick<SearchQuery, 'match'>
  /** The path of the operation, for the link to the next page. */
  readonly path: string
  /** Whether it lists one store, and has no filter by store. */
  readonly ofStore?: boolean
  /** Whether a price in the query becomes a filter, which the answer then returns. */
  readonly readsPrice?: boolean
  readonly cursorSecret: Secret
  readonly catalogRevision: string
  /** The edits of operators. */
  readonly edits: SearchEdits
  /** The categories kept in memory. If absent, their names are read. */
  readonly categories?: readonly CategoryNames[]
  /** Shared with the suggestions, which correct the same query. */
  readonly correct?: Spelling
}

/** Relevance needs a search query. Without one, the newest products come first. */
export function sortOf({ sort, q }: ListRequest['query']): SortOrder {
  if (q === undefined) return sort === undefined || sort === 'relevance' ? 'newest' : sort
  return sort ?? 'relevance'
}

/** What a cursor is bound to. The page size and the facets may change between pages. */
export function identityOf({ market, query, path, environment }: ListRequest, sort: SortOrder): unknown {
  const { limit: _limit, cursor: _cursor, facets: _facets, sort: _sort, locale: _locale, ...filters } = query
  const named = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  return [path, environment, named, sort, market.currency, market.locale]
}

/** By default all on the first page and none on later ones, where they would be the same. */
export function requestedFacets({ query: { facets, cursor }, ofStore = false }: ListRequest): RequestedFacets {
  if (facets === undefined) return { keys: cursor === undefined ? 'all' : [], ofStore }
  return { keys: facets.includes('none') ? [] : facets, ofStore }
}

const OPTION_PREFIX = 'option.'

/** The values of the `option.<name>` filters, by option. Refusal: `validation_failed` for too many. */
export function optionFilters(query: ListRequest['query']): Record<string, string[]> {
  const named = Object.entries(query).flatMap(([name, values]) =>
    name.startsWith(OPTION_PREFIX)
      ? [[name.slice(OPTION_PREFIX.length), [...(values as readonly string[])]] as [string, string[]]]
      : [],
  )
  const beyond = named[OPTION_FILTERS_MAX]
  if (beyond !== undefined) {
    const message = `At most ${OPTION_FILTERS_MAX} options can be filtered by.`
    refuseField(`${OPTION_PREFIX}${beyond[0]}`, 'too_many', message)
  }
  return Object.fromEntries(named)
}

/** The price in the query, unless the caller wants the words taken literally. */
export function priceIn({ query: { q, match }, market, readsPrice }: ListRequest): AskedPrice | null {
  return readsPrice && match !== 'literal' && q !== undefined ? askedPrice(q, market.currency) : null
}

/** Whether the caller filters by price, which replaces the price in the query. */
export function isPriceGiven({ priceMin, priceMax }: ListRequest['query']): boolean {
  return priceMin !== undefined || priceMax !== undefined
}
