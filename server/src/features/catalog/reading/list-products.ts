import { PAGE_LIMIT_PUBLIC, type ProductListMeta, type ProductSummary } from '@vitrine/contract'
import type { Static } from 'typebox'
import { hashOfFilters, openCursor, refuseCursor, sealCursor } from '../../../platform/http/cursor.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { fold } from '../text-normalization.ts'
import { findCategoryIds } from './categories.ts'
import { countFacets } from './facets.ts'
import { listMeta } from './list-meta.ts'
import { identityOf, type ListRequest, optionFilters, requestedFacets, sortOf } from './list-request.ts'
import {
  countListings,
  isWalkable,
  type ListingQuery,
  type Narrowing,
  readPage,
  type SearchWords,
} from './listing-store.ts'
import type { Market } from './market-context.ts'
import { hydrateSummaries } from './product-store.ts'
import { presentSummaries } from './product-view.ts'
import { correctQuery } from './spelling.ts'

export interface ProductList {
  readonly data: ProductSummary[]
  readonly meta: Static<typeof ProductListMeta>
  /** The query used instead of a misspelled one. */
  readonly correctedQuery: string | null
}

/** The content of a cursor: where the next page begins, in which snapshot, and what the first page determined. */
interface Walk {
  readonly snapshot: string
  readonly epoch: number
  readonly key: string
  readonly id: string
  readonly total: number
  readonly anyWord: boolean
  readonly anyLanguage: boolean
  readonly corrected: string | null
}

/** One page of products: skeleton, hydrate, present. Refuses `invalid_cursor`. */
export async function listProducts(reader: Reader, request: ListRequest): Promise<ProductList> {
  const { market, environment, query, cursorSecret } = request
  const limit = query.limit ?? PAGE_LIMIT_PUBLIC
  const sort = sortOf(query)
  const filtersHash = hashOfFilters(identityOf(request, sort))
  const walk = query.cursor === undefined ? null : (openCursor(cursorSecret, filtersHash, query.cursor) as Walk)

  const narrowing = await narrowingOf(reader, query, market)
  const found = await skeleton(reader, { market, environment, narrowing, sort }, query.q, limit, walk)

  const listed = found.rows.slice(0, limit)
  const ids = listed.map((row) => row.product_id)
  const wanted = requestedFacets(request)
  const chosen = { categories: narrowing.categoryIds ?? [] }
  const [walkable, hydrated, facets, total] = await Promise.all([
    // After the page, not before it: rows swept in between would be missing unnoticed.
    walk === null ? true : isWalkable(reader, walk),
    hydrateSummaries(reader, ids, { environment, currency: market.currency }),
    wanted.keys.length === 0 ? [] : countFacets(reader, found.listing, wanted, chosen),
    walk?.total ?? countListings(reader, found.listing),
  ])
  if (!walkable) refuseCursor('expired', 'The cursor has expired. Start again from the first page.')

  const next = found.rows.length > limit ? walkAfter(listed.at(-1)!, found, walk, total) : null
  const nextCursor = next && sealCursor(cursorSecret, filtersHash, next)
  return {
    data: presentSummaries(hydrated, market),
    meta: listMeta(request, { limit, sort, total, facets, nextCursor }),
    correctedQuery: found.corrected,
  }
}

type Row = Awaited<ReturnType<typeof readPage>>[number]

interface Skeleton {
  readonly listing: ListingQuery
  readonly rows: readonly Row[]
  readonly corrected: string | null
}

function walkAfter(last: Row, { listing, corrected }: Skeleton, walk: Walk | null, total: number): Walk {
  return {
    snapshot: walk?.snapshot ?? last.snapshot,
    epoch: walk?.epoch ?? last.epoch,
    key: last.key,
    id: last.product_id,
    total,
    anyWord: listing.words?.anyWord ?? false,
    anyLanguage: listing.words?.anyLanguage ?? false,
    corrected,
  }
}

/**
 * The ids of the page. If a search finds nothing, the first page tries again: in the other languages of the stores, then
 * with misspelled words corrected, then with any of the words, each in the chosen language first. Later pages search as the
 * first one did.
 */
async function skeleton(
  reader: Reader,
  about: Omit<ListingQuery, 'words' | 'snapshot'>,
  q: string | undefined,
  limit: number,
  walk: Walk | null,
): Promise<Skeleton> {
  const search = async (words: SearchWords | null, corrected: string | null): Promise<Skeleton> => {
    const listing = { ...about, words, snapshot: walk?.snapshot ?? null }
    return { listing, corrected, rows: await readPage(reader, listing, limit, walk) }
  }
  if (q === undefined) return search(null, null)
  const wordsOf = (text: string, how: { anyWord?: boolean; anyLanguage?: boolean } = {}): SearchWords => ({
    text: fold(text),
    anyWord: how.anyWord ?? false,
    anyLanguage: how.anyLanguage ?? false,
  })
  if (walk !== null) return search(wordsOf(walk.corrected ?? q, walk), walk.corrected)

  const literal = await search(wordsOf(q), null)
  if (literal.rows.length > 0) return literal
  const corrected = await correctQuery(reader, q, [...about.market.storesById.keys()])
  const hasOtherLanguages = new Set(about.market.stores.flatMap(({ locales }) => locales)).size > 1
  const attempts = [
    { text: q, anyWord: false },
    ...(corrected === null ? [] : [{ text: corrected, anyWord: false }]),
    { text: corrected ?? q, anyWord: true },
  ]
  for (const { text, anyWord } of attempts) {
    for (const anyLanguage of hasOtherLanguages ? [false, true] : [false]) {
      if (text === q && !anyWord && !anyLanguage) continue
      const found = await search(wordsOf(text, { anyWord, anyLanguage }), text === q ? null : corrected)
      if (found.rows.length > 0) return found
    }
  }
  // A correction that finds nothing is none.
  return literal
}

async function narrowingOf(reader: Reader, query: ListRequest['query'], market: Market): Promise<Narrowing> {
  const { category, store, brand, product, priceMin, priceMax, availability } = query
  return {
    categoryIds: category === undefined ? null : await findCategoryIds(reader, category, market),
    storeIds:
      store === undefined
        ? null
        : market.stores.filter((each) => each.id === store || each.slug === store).map((each) => each.id),
    brands: brand ?? null,
    productIds: product ?? null,
    priceMin: priceMin ?? null,
    priceMax: priceMax ?? null,
    inStock: availability === 'in_stock',
    options: optionFilters(query),
  }
}
