import type { Facet, OptionFilters, ProductListMeta, ProductSummary, ProductsQuery } from '@vitrine/contract'
import { PAGE_LIMIT_PUBLIC } from '@vitrine/contract'
import type { Static } from 'typebox'
import type { Environment } from '../../kernel/environment.ts'
import { hashOfFilters, openCursor, refuseCursor, sealCursor } from '../../platform/http/cursor.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { findCategoryIds } from './categories.ts'
import { countFacets, type WantedFacets } from './facets.ts'
import { fold } from './fold.ts'
import {
  COUNT_MAX,
  countListings,
  isWalkable,
  type ListingQuestion,
  type Narrowing,
  readPage,
  type SearchWords,
  type SortOrder,
} from './listing-store.ts'
import type { Market } from './market.ts'
import { hydrateSummaries } from './product-store.ts'
import { presentSummaries } from './product-view.ts'
import { correctQuery } from './vocabulary.ts'

/** A request for a page of a list, with what the operation knows beside it. */
export interface ListRequest {
  readonly market: Market
  readonly environment: Environment
  readonly query: ProductsQuery & OptionFilters
  /** The path of the operation, for the ready-made link to the next page. */
  readonly path: string
  readonly cursorSecret: Buffer
  readonly catalogRevision: string
}

export interface ProductList {
  readonly data: ProductSummary[]
  readonly meta: Static<typeof ProductListMeta>
  /** What was looked for instead, where the query was misspelt. */
  readonly correctedQuery: string | null
}

/** What a cursor carries: where the next page begins, in which snapshot, and what the first page has found out. */
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

/** One page of products: skeleton, hydrate, hide, present. Refuses `invalid_cursor`. */
export async function listProducts(reader: Reader, request: ListRequest): Promise<ProductList> {
  const { market, environment, query, cursorSecret } = request
  const limit = query.limit ?? PAGE_LIMIT_PUBLIC
  const sort = sortOf(query)
  const filtersHash = hashOfFilters(identityOf(request, sort))
  const walk = query.cursor === undefined ? null : (openCursor(cursorSecret, filtersHash, query.cursor) as Walk)

  const narrowing = await narrowingOf(reader, query, market)
  const about = { market, environment, narrowing, sort }
  const found = await skeleton(reader, about, query.q, limit, walk)

  const { question, rows } = found
  const shown = rows.slice(0, limit)
  const ids = shown.map((row) => row.product_id)
  const [walkable, hydrated, facets, total] = await Promise.all([
    // Behind the page, not before it: rows swept between the two would be missed, and nothing would tell.
    walk === null ? true : isWalkable(reader, walk),
    hydrateSummaries(reader, ids, { environment, currency: market.currency }),
    facetsOf(reader, question, wantedFacets(query), narrowing),
    walk?.total ?? countListings(reader, question),
  ])
  if (!walkable) refuseCursor('expired', 'The walk has lasted too long. Begin again from the first page.')

  const last = shown.at(-1)
  const hasNextPage = rows.length > limit && last !== undefined
  const next: Walk | null = hasNextPage
    ? {
        snapshot: walk?.snapshot ?? last.snapshot,
        epoch: walk?.epoch ?? last.epoch,
        key: last.key,
        id: last.product_id,
        total,
        anyWord: question.words?.anyWord ?? false,
        anyLanguage: question.words?.anyLanguage ?? false,
        corrected: found.corrected,
      }
    : null
  const nextCursor = next && sealCursor(cursorSecret, filtersHash, next)
  return {
    data: presentSummaries(hydrated, market),
    meta: {
      page: {
        limit,
        nextCursor,
        hasNextPage,
        totalCount: Math.min(total, COUNT_MAX),
        totalCountExact: total <= COUNT_MAX,
      },
      next: nextCursor && nextPath(request, nextCursor),
      sort,
      appliedFilters: appliedFilters(query),
      facets,
      catalogRevision: request.catalogRevision,
      locale: market.locale,
      currency: market.currency,
    },
    correctedQuery: found.corrected,
  }
}

interface Found {
  readonly question: ListingQuestion
  readonly rows: Awaited<ReturnType<typeof readPage>>
  readonly corrected: string | null
}

/**
 * The ids of the page. A first page that finds nothing for its words looks again: in the other languages of the stores,
 * with misspelt words corrected, and then for any of the words. Later pages look as the first one did.
 */
async function skeleton(
  reader: Reader,
  about: Omit<ListingQuestion, 'words' | 'snapshot'>,
  q: string | undefined,
  limit: number,
  walk: Walk | null,
): Promise<Found> {
  const look = async (words: SearchWords | null, corrected: string | null): Promise<Found> => {
    const question = { ...about, words, snapshot: walk?.snapshot ?? null }
    return { question, corrected, rows: await readPage(reader, question, limit, walk) }
  }
  if (q === undefined) return look(null, null)
  const wordsOf = (text: string, how: { anyWord?: boolean; anyLanguage?: boolean } = {}): SearchWords => ({
    text: fold(text),
    anyWord: how.anyWord ?? false,
    anyLanguage: how.anyLanguage ?? false,
  })
  if (walk !== null) return look(wordsOf(walk.corrected ?? q, walk), walk.corrected)

  const literal = await look(wordsOf(q), null)
  if (literal.rows.length > 0) return literal
  const elsewhere = await look(wordsOf(q, { anyLanguage: true }), null)
  if (elsewhere.rows.length > 0) return elsewhere
  const corrected = await correctQuery(reader, q, [...about.market.storesById.keys()])
  const correctedWords = corrected === null ? literal : await look(wordsOf(corrected), corrected)
  if (correctedWords.rows.length > 0) return correctedWords
  return look(wordsOf(corrected ?? q, { anyWord: true }), corrected)
}

/** Relevance is known for what was looked for alone; without words, the newest come first. */
function sortOf({ sort, q }: ListRequest['query']): SortOrder {
  if (q === undefined) return sort === undefined || sort === 'relevance' ? 'newest' : sort
  return sort ?? 'relevance'
}

/** What a cursor belongs to. The page's size may change along a walk, and what is counted beside it. */
function identityOf({ market, query, path, environment }: ListRequest, sort: SortOrder): unknown {
  const { limit: _limit, cursor: _cursor, facets: _facets, sort: _sort, locale: _locale, ...filters } = query
  const named = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  return [path, environment, named, sort, market.currency, market.locale]
}

async function narrowingOf(reader: Reader, query: ListRequest['query'], market: Market): Promise<Narrowing> {
  const { category, store, priceMin, priceMax, availability } = query
  return {
    categoryIds: category === undefined ? null : await findCategoryIds(reader, category, market),
    storeIds:
      store === undefined
        ? null
        : market.stores.filter((each) => each.id === store || each.slug === store).map((each) => each.id),
    priceMin: priceMin ?? null,
    priceMax: priceMax ?? null,
    inStock: availability === 'in_stock',
    options: optionsOf(query),
  }
}

const OPTION_PREFIX = 'option.'

function optionsOf(query: ListRequest['query']): Record<string, string[]> {
  const named = Object.entries(query).flatMap(([name, values]) =>
    name.startsWith(OPTION_PREFIX)
      ? [[name.slice(OPTION_PREFIX.length), [...(values as readonly string[])]] as [string, string[]]]
      : [],
  )
  return Object.fromEntries(named)
}

/** All on a first page; behind it none that was not asked for, because they are the same along a walk. */
function wantedFacets({ facets, cursor }: ListRequest['query']): WantedFacets {
  if (facets !== undefined) return facets.includes('none') ? [] : facets
  return cursor === undefined ? 'all' : []
}

async function facetsOf(
  reader: Reader,
  question: ListingQuestion,
  wanted: WantedFacets,
  { categoryIds }: Narrowing,
): Promise<Facet[]> {
  return wanted.length === 0 ? [] : countFacets(reader, question, wanted, { categories: categoryIds ?? [] })
}

function appliedFilters(query: ListRequest['query']): Static<typeof ProductListMeta>['appliedFilters'] {
  const { q, category, store, priceMin, priceMax, availability, country } = query
  const options = optionsOf(query)
  return {
    ...(q === undefined ? {} : { q }),
    ...(category === undefined ? {} : { category: [...category] }),
    ...(store === undefined ? {} : { store }),
    ...(priceMin === undefined ? {} : { priceMin }),
    ...(priceMax === undefined ? {} : { priceMax }),
    ...(availability === undefined ? {} : { availability }),
    ...(country === undefined ? {} : { country }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  }
}

/** The longest link that an answer carries; `page.nextCursor` leads on where the filters alone are longer. */
const NEXT_PATH_MAX = 4096

function nextPath({ path, query }: ListRequest, cursor: string): string | null {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each))
  }
  const next = `${path}?${parameters}`
  return next.length <= NEXT_PATH_MAX ? next : null
}
