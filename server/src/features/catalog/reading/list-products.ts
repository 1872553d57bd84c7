import { PAGE_LIMIT_PUBLIC, type ProductListMeta, type ProductSummary } from '@vitrine/contract'
import type { Static } from 'typebox'
import { hashOfFilters, openCursor, refuseCursor, sealCursor } from '../../../platform/http/cursor.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { markOf, type Placement, type SearchEdits, type SearchRule, UNPLACED } from '../merchandising/search-edits.ts'
import { type RankedBy, rankedByOf, type SearchQuery, searchQuery } from '../search/terms.ts'
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
  searchedLocales,
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
  /** What operators set for the query. */
  readonly rule: SearchRule | null
}

/** The content of a cursor: where the next page begins, in which snapshot, and what the first page determined. */
interface Walk {
  readonly snapshot: string
  readonly epoch: number
  readonly key: string
  readonly id: string
  readonly total: number
  readonly search?: {
    readonly hasMost: boolean
    readonly anyLanguage: boolean
    readonly corrected: string | null
    readonly rankedBy: RankedBy
    readonly mark: string
  }
}

/** One page of products: skeleton, hydrate, present. Refuses `invalid_cursor`. */
export async function listProducts(reader: Reader, request: ListRequest): Promise<ProductList> {
  const { market, environment, query, cursorSecret } = request
  const limit = query.limit ?? PAGE_LIMIT_PUBLIC
  const sort = sortOf(query)
  const filtersHash = hashOfFilters(identityOf(request, sort))
  const walk = query.cursor === undefined ? null : (openCursor(cursorSecret, filtersHash, query.cursor) as Walk)

  const narrowing = await narrowingOf(reader, query, market)
  const found = await skeleton(
    reader,
    { market, environment, narrowing, sort, edits: request.edits },
    query.q,
    limit,
    walk,
  )

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
    rule: query.q === undefined ? null : ruleOf(request, query.q, found.corrected),
  }
}

type Row = Awaited<ReturnType<typeof readPage>>[number]

interface Skeleton {
  readonly listing: ListingQuery
  readonly rows: readonly Row[]
  readonly corrected: string | null
}

function walkAfter(last: Row, { listing: { words }, corrected }: Skeleton, walk: Walk | null, total: number): Walk {
  return {
    snapshot: walk?.snapshot ?? last.snapshot,
    epoch: walk?.epoch ?? last.epoch,
    key: last.key,
    id: last.product_id,
    total,
    ...(words && {
      search: {
        hasMost: words.hasMost,
        anyLanguage: words.anyLanguage,
        corrected,
        rankedBy: rankedByOf(words.query),
        mark: markOf(words.query, words.placed),
      },
    }),
  }
}

interface About extends Omit<ListingQuery, 'words' | 'snapshot'> {
  readonly edits: SearchEdits
}

/** What operators set for the query as it was typed, else for what it was corrected to. */
function ruleOf(
  { edits, market }: Pick<About, 'edits' | 'market'>,
  q: string,
  corrected: string | null,
): SearchRule | null {
  const ofTyped = edits.ruleOf(q, market.locale)
  return ofTyped ?? (corrected === null ? null : edits.ruleOf(corrected, market.locale))
}

/** Where operators place products. What is searched, corrected or relaxed is decided as if they placed none. */
function placedBy(rule: SearchRule | null): Placement {
  return rule === null || rule.pins.length + rule.hidden.length === 0 ? UNPLACED : rule
}

/** The query in these languages, in its words and those that operators added. */
function wordsOf(
  reader: Reader,
  { edits }: About,
  text: string,
  locales: readonly string[],
  rankedBy: RankedBy | null,
) {
  return searchQuery(reader, text, locales, rankedBy, (locale) => edits.synonymsIn(locale))
}

/** A search that finds fewer products goes on with those that have most of the words. */
const FEW = 10

/** The ids of the page. */
async function skeleton(
  reader: Reader,
  about: About,
  q: string | undefined,
  limit: number,
  walk: Walk | null,
): Promise<Skeleton> {
  const page = async (words: SearchWords | null, corrected: string | null): Promise<Skeleton> => {
    const listing = { ...about, words, snapshot: walk?.snapshot ?? null }
    return { listing, corrected, rows: await readPage(reader, listing, limit, walk) }
  }
  if (q === undefined) return page(null, null)
  if (walk?.search) {
    const { hasMost, anyLanguage, corrected, rankedBy, mark } = walk.search
    const locales = searchedLocales(about.market, anyLanguage)
    const query = await wordsOf(reader, about, corrected ?? q, locales, rankedBy)
    const placed = placedBy(ruleOf(about, q, corrected))
    if (mark !== markOf(query, placed))
      refuseCursor('expired', 'The search has changed. Start again from the first page.')
    return page({ query, hasMost, anyLanguage, placed }, corrected)
  }
  return firstPage(reader, about, q, page)
}

/**
 * The first page of a search. If it finds nothing, it tries again: in the other languages of the stores, then with misspelled words
 * corrected, each in the chosen language first. If it finds few products, also those that have most of the words. Later pages search
 * as the first one did.
 */
async function firstPage(
  reader: Reader,
  about: About,
  q: string,
  page: (words: SearchWords, corrected: string | null) => Promise<Skeleton>,
): Promise<Skeleton> {
  const { market } = about
  const languages = new Set(market.stores.flatMap(({ locales }) => locales)).size > 1 ? [false, true] : [false]
  const attempt = async (text: string, hasMost: boolean): Promise<Skeleton | null> => {
    for (const anyLanguage of languages) {
      const query = await wordsOf(reader, about, text, searchedLocales(market, anyLanguage), null)
      const corrected = text === q ? null : text
      const placed = placedBy(ruleOf(about, q, corrected))
      const found = await page({ query, hasMost, anyLanguage, placed }, corrected)
      if (await findsNothing(reader, found)) continue
      const mayBeFew = !hasMost && (found.rows.length < FEW || placed !== UNPLACED) && canRelax(query)
      const isFew = mayBeFew && (await findsFew(reader, found.listing))
      return isFew ? page({ query, hasMost: true, anyLanguage, placed }, corrected) : found
    }
    return null
  }
  const literal = await attempt(q, false)
  if (literal !== null) return literal
  const corrected = await correctQuery(reader, q, [...market.storesById.keys()])
  const found = corrected === null ? null : await attempt(corrected, false)
  // A correction that finds nothing is none.
  if (found !== null) return found
  const most = await attempt(corrected ?? q, true)
  if (most !== null) return most
  const placed = placedBy(ruleOf(about, q, null))
  const nothing = { locales: [], whole: '' }
  const query = placed === UNPLACED ? nothing : await wordsOf(reader, about, q, searchedLocales(market, false), null)
  return page({ query, hasMost: false, anyLanguage: false, placed }, null)
}

async function findsNothing(reader: Reader, { rows, listing }: Skeleton): Promise<boolean> {
  if (listing.words?.placed === UNPLACED) return rows.length === 0
  return (await countListings(reader, unplaced(listing), 0)) === 0
}

function unplaced(listing: ListingQuery): ListingQuery {
  return { ...listing, words: listing.words && { ...listing.words, placed: UNPLACED } }
}

function canRelax({ locales }: SearchQuery): boolean {
  return locales.some(({ terms }) => terms.length > 1)
}

/** Without the filters, so that those of a facet show what it has counted. */
async function findsFew(reader: Reader, listing: ListingQuery): Promise<boolean> {
  return (await countListings(reader, { ...unplaced(listing), narrowing: NO_NARROWING }, FEW)) < FEW
}

const NO_NARROWING: Narrowing = {
  categoryIds: null,
  storeIds: null,
  brands: null,
  productIds: null,
  priceMin: null,
  priceMax: null,
  inStock: false,
  options: {},
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
