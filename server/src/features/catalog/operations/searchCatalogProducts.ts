import { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Kept } from '../../../platform/revisions/kept-by-revision.ts'
import { type SearchCounts, searchToCount } from '../merchandising/search-counts.ts'
import { limitsOf } from '../reading/list-meta.ts'
import { listProducts } from '../reading/list-products.ts'
import type { ListDeps } from '../reading/list-request.ts'
import { resolveMarket, type StoreRow, spokenIn } from '../reading/market-context.ts'
import { QUERY_MAX } from '../search/price.ts'
import { spelling } from '../search/spelling.ts'
import type { NamedCategory } from '../search/suggestion-store.ts'
import { suggest } from '../search/suggestions.ts'
import { ALL_CATALOGS } from '../subjects.ts'

/** The dependencies of a search, with what its process keeps in memory. */
interface SearchDeps extends ListDeps {
  readonly storesOf: Kept<readonly StoreRow[]>
  readonly categoriesOf: Kept<readonly NamedCategory[]>
}

/** GET /api/v1/search */
export function searchCatalogProducts(
  { cursorSecret, counts, editsOf, storesOf, categoriesOf }: SearchDeps,
  searches?: SearchCounts,
): Handler<typeof operations.searchCatalogProducts> {
  return async ({ query }, context) => {
    context.dependsOn(ALL_CATALOGS)
    const { reader, environment, languages } = context
    const [stores, edits, categories] = await Promise.all([storesOf(context), editsOf(context), categoriesOf(context)])
    const market = resolveMarket(stores, { ...query, languages })
    const correct = spelling(reader, spokenIn(market))
    const hidden = edits.ruleOf(query.q, market.locale)?.hidden ?? []
    const [list, suggestions] = await Promise.all([
      listProducts(reader, counts, {
        market,
        environment,
        query,
        readsPrice: true,
        path: operations.searchCatalogProducts.path,
        cursorSecret,
        catalogRevision: context.revisionOf(ALL_CATALOGS),
        edits,
        categories,
        correct,
      }),
      query.cursor === undefined ? suggest(reader, query.q, { market, categories, hidden, correct }) : [],
    ])
    const { data, meta, correctedQuery, price, rule } = list
    const counted = searchToCount({ query, market }, list)
    if (counted) context.onAnswer(() => searches?.record(counted))
    const understood = price && { text: price.text, query: price.rest, ...limitsOf(price) }
    // With its price, so that a search for the correction is understood the same way.
    const corrected = correctedQuery && price ? `${correctedQuery} ${price.text}`.slice(0, QUERY_MAX) : correctedQuery
    const redirect = rule?.redirect ?? null
    return { data, meta: { ...meta, correctedQuery: corrected, understood, suggestions, redirect } }
  }
}
