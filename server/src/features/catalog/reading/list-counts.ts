import type { Facet } from '@vitrine/contract'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { CatalogCounts } from '../counting/catalog-counts.ts'
import { type Counted, countListed } from '../counting/count.ts'
import type { CategoryNames } from './categories.ts'
import type { RequestedFacets } from './facet-store.ts'
import { countFacets, presentFacets, priceRanges } from './facets.ts'
import { countListings, findMatches, type ListingQuery } from './listing-store.ts'

interface CountsRequest {
  readonly requested: RequestedFacets
  readonly chosenCategories: readonly string[]
  /** The categories kept in memory. If absent, their names are read. */
  readonly categories?: readonly CategoryNames[] | undefined
  /** The total of the first page; `null` on the first page itself. */
  readonly knownTotal: number | null
  /** The ids that the page has found for the words; `null` if it did not read them. */
  readonly matches: readonly string[] | null
}

interface ListCounts {
  readonly total: number
  readonly facets: Facet[]
}

/** Counts a list and its facets: in memory, or in PostgreSQL if the columns are not loaded or the list is of an earlier snapshot. */
export async function countList(
  reader: Reader,
  counts: CatalogCounts | null,
  listing: ListingQuery,
  request: CountsRequest,
): Promise<ListCounts> {
  const { requested, chosenCategories, knownTotal } = request
  const areFacetsCounted = requested.keys.length > 0
  if (knownTotal !== null && !areFacetsCounted) return { total: knownTotal, facets: [] }
  const present = (counted: Parameters<typeof presentFacets>[4]) =>
    presentFacets(reader, listing, requested, request, counted)

  const counted = counts === null ? null : await countInMemory(reader, counts, listing, request)
  if (counted !== null) {
    return { total: knownTotal ?? counted.total, facets: areFacetsCounted ? await present(counted) : [] }
  }
  const [total, facets] = await Promise.all([
    knownTotal ?? countListings(reader, listing),
    areFacetsCounted ? countFacets(reader, listing, requested, chosenCategories).then(present) : [],
  ])
  return { total, facets }
}

async function countInMemory(
  reader: Reader,
  counts: CatalogCounts,
  listing: ListingQuery,
  { requested, chosenCategories, matches }: CountsRequest,
): Promise<Counted | null> {
  if (listing.snapshot !== null) return null
  const [current, found] = await Promise.all([
    counts.current(),
    matches ?? (listing.words === null ? null : findMatches(reader, listing)),
  ])
  if (current === null || (listing.words !== null && found === null)) return null
  const { columns, archivedCategories } = current
  return countListed(columns, {
    listing,
    requested,
    chosenCategories,
    archivedCategories,
    found,
    rangesOf: priceRanges,
  })
}
