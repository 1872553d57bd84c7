import { CURSOR_MAX, PAGE_LIMIT_PUBLIC, type ProductListMeta, type ProductSummary } from '@vitrine/contract'
import type { Static } from 'typebox'
import { hashOfFilters, openCursor, refuseCursor, sealCursor } from '../../../platform/http/cursor.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { CatalogCounts } from '../counting/catalog-counts.ts'
import { markOf, type Placement, type SearchEdits, type SearchRule, UNPLACED } from '../merchandising/search-edits.ts'
import type { AskedPrice } from '../search/price.ts'
import { type Spelling, spelling } from '../search/spelling.ts'
import { type RankedBy, rankedByOf, type SearchQuery, searchQuery } from '../search/terms.ts'
import { findCategoryIds } from './categories.ts'
import { countList } from './list-counts.ts'
import { listMeta } from './list-meta.ts'
import {
  identityOf,
  isPriceGiven,
  type ListRequest,
  optionFilters,
  priceIn,
  requestedFacets,
  sortOf,
} from './list-request.ts'
import {
  countListings,
  narrowingsOf as filtersOf,
  isWalkable,
  type ListingPage,
  type ListingQuery,
  type Narrowing,
  type PageQuery,
  readPage,
  relaxed,
  type SearchWords,
  type SortOrder,
  searchedLocales,
} from './listing-store.ts'
import { type Market, spokenIn } from './market-context.ts'
import { hydrateSummaries } from './product-store.ts'
import { presentSummaries } from './product-view.ts'

export interface ProductList {
  readonly data: ProductSummary[]
  readonly meta: Static<typeof ProductListMeta>
  /** The query used instead of a misspelled one. */
  readonly correctedQuery: string | null
  /** The price that was found in the query and applied. */
  readonly price: AskedPrice | null
  /** The rule of operators for the query. */
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
    readonly isPriced: boolean
    /** `null` if they are too long for a cursor: with those of dozens of languages. The walk then ends when they change. */
    readonly rankedBy: RankedBy | null
    readonly mark: string
  }
}

/** One page of products: skeleton, hydrate, present. Refuses `invalid_cursor`. */
export async function listProducts(
  reader: Reader,
  counts: CatalogCounts | null,
  request: ListRequest,
): Promise<ProductList> {
  const { market, environment, query, cursorSecret } = request
  const limit = query.limit ?? PAGE_LIMIT_PUBLIC
  const sort = sortOf(query)
  const filtersHash = hashOfFilters(identityOf(request, sort))
  const walk = query.cursor === undefined ? null : (openCursor(cursorSecret, filtersHash, query.cursor) as Walk)
  const wanted = requestedFacets(request)
  if (limit === 0 && wanted.keys.length === 0) return notSearched(request, sort)

  const narrowing = await narrowingOf(reader, query, market)
  const about = { market, environment, narrowing, sort, edits: request.edits }
  // Also while the counts are still being loaded, so that the statement has the same text before and after: few texts are prepared.
  const withMatches = walk === null && counts !== null
  const found = await skeleton(reader, about, request, { limit, after: walk, withMatches })

  const listed = found.rows.slice(0, limit)
  const ids = listed.map((row) => row.product_id)
  const [walkable, hydrated, { total, facets }] = await Promise.all([
    // After the page, not before it: if rows are swept in between, nothing would show that they are missing.
    walk === null ? true : isWalkable(reader, walk),
    hydrateSummaries(reader, ids, { environment, currency: market.currency }),
    countList(reader, counts, found.listing, {
      requested: wanted,
      chosenCategories: narrowing.categoryIds ?? [],
      categories: request.categories,
      knownTotal: walk?.total ?? null,
      matches: found.matches,
    }),
  ])
  if (!walkable) refuseCursor('expired', 'The cursor has expired. Start again from the first page.')

  const cursorWith = (areWeightsCarried: boolean) =>
    sealCursor(cursorSecret, filtersHash, walkAfter(listed.at(-1)!, found, { walk, total, areWeightsCarried }))
  const hasNext = limit > 0 && found.rows.length > limit
  const carrying = hasNext ? cursorWith(walk?.search?.rankedBy !== null) : null
  const nextCursor = carrying !== null && carrying.length > CURSOR_MAX ? cursorWith(false) : carrying
  const data = presentSummaries(hydrated, market)
  const price = isPriceGiven(query) ? null : found.price
  return {
    data: sort === 'relevance' ? soldOutLater(data, listed) : data,
    meta: listMeta(request, { limit, sort, total, facets, nextCursor, price }),
    correctedQuery: found.rows.length > 0 ? found.corrected : null,
    price,
    rule: ruleOf(about, { q: query.q, ...found }),
  }
}

/** Products whose scores differ by a smaller share are equally good. */
const NEAR_SHARE = 0.998

/**
 * Moves sold-out products behind available ones that are about as good, within the page: stock changes at any time, and the order of a
 * walk must not. Products whose code or name is the query score far above all others, and stay first.
 */
function soldOutLater(data: readonly ProductSummary[], listed: readonly Row[]): ProductSummary[] {
  const scores = new Map(listed.map(({ product_id, key }) => [product_id, Number(key)]))
  const weight = ({ id, availability }: ProductSummary) =>
    (scores.get(id) ?? 0) * (availability === 'out_of_stock' ? NEAR_SHARE : 1)
  return data.toSorted((a, b) => weight(b) - weight(a))
}

/** The answer to a request for neither products nor facets. */
function notSearched(request: ListRequest, sort: SortOrder): ProductList {
  const meta = listMeta(request, { limit: 0, sort, total: 0, facets: [], nextCursor: null, price: null })
  const page = { ...meta.page, totalCountExact: false }
  const rule = ruleOf(request, { q: request.query.q, price: null, corrected: null })
  return { data: [], meta: { ...meta, page }, correctedQuery: null, price: null, rule }
}

type Row = ListingPage['rows'][number]

interface Skeleton extends ListingPage {
  readonly listing: ListingQuery
  readonly corrected: string | null
  readonly price: AskedPrice | null
}

interface WalkFacts {
  readonly walk: Walk | null
  readonly total: number
  readonly areWeightsCarried: boolean
}

function walkAfter(last: Row, found: Skeleton, { walk, total, areWeightsCarried }: WalkFacts): Walk {
  const {
    listing: { words },
    corrected,
    price,
  } = found
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
        isPriced: price !== null,
        rankedBy: areWeightsCarried ? rankedByOf(words.query) : null,
        mark: markOf(words.query, words.placed, areWeightsCarried),
      },
    }),
  }
}

type PageOf = (words: SearchWords | null, corrected: string | null) => Promise<Skeleton>

interface About extends Omit<ListingQuery, 'words' | 'snapshot'> {
  readonly edits: SearchEdits
}

/** The wordings of a query: as typed, its price, and as corrected. */
interface Wordings {
  readonly q: string | undefined
  readonly price: AskedPrice | null
  readonly corrected: string | null
}

/** The rule for the first wording of the query that has one. */
function ruleOf(
  { edits, market }: Pick<About, 'edits' | 'market'>,
  { q, price, corrected }: Wordings,
): SearchRule | null {
  const wordings = [q, price?.rest, corrected].filter((each) => typeof each === 'string')
  return wordings.map((each) => edits.ruleOf(each, market.locale)).find((rule) => rule !== null) ?? null
}

/** The products that a rule pins and hides. Words are searched, corrected and relaxed as if there were none. */
function placedBy(rule: SearchRule | null): Placement {
  return rule === null || rule.pins.length + rule.hidden.length === 0 ? UNPLACED : rule
}

/** The query in these languages, with its words and the synonyms of operators. */
function wordsOf(
  reader: Reader,
  { edits }: About,
  text: string,
  locales: readonly string[],
  rankedBy: RankedBy | null,
) {
  return searchQuery(reader, text, locales, rankedBy, (locale) => edits.synonymsIn(locale))
}

/** A search that finds fewer products also shows those that have most of the words. */
const FEW = 10

/** Finds the ids of the page. */
async function skeleton(
  reader: Reader,
  about: About,
  request: ListRequest,
  paging: PageQuery & { readonly after: Walk | null },
): Promise<Skeleton> {
  const { q, match } = request.query
  const { after: walk, limit } = paging
  const pages = (price: AskedPrice | null): PageOf => {
    const narrowing = isPriceGiven(request.query) ? about.narrowing : pricedBy(price, about.narrowing)
    return async (words, corrected) => {
      const listing = { ...about, narrowing, words, snapshot: walk?.snapshot ?? null }
      return { listing, corrected, price, ...(await readPage(reader, listing, paging)) }
    }
  }
  if (q === undefined) return pages(null)(null, null)
  if (walk?.search) {
    const { hasMost, anyLanguage, corrected, isPriced, rankedBy, mark } = walk.search
    const price = isPriced ? priceIn(request) : null
    const locales = searchedLocales(about.market, anyLanguage)
    const asked = await wordsOf(reader, about, corrected ?? price?.rest ?? q, locales, rankedBy)
    const isWeighed = rankedBy !== null || !hasMost
    const query = isWeighed ? asked : await relaxed(reader, about.market, asked, anyLanguage)
    const placed = placedBy(ruleOf(about, { q, price, corrected }))
    if (mark !== markOf(query, placed, rankedBy !== null)) {
      refuseCursor('expired', 'The search has changed. Start again from the first page.')
    }
    return pages(price)({ query, hasMost, anyLanguage, placed }, corrected)
  }
  const correct = match === 'literal' ? null : (request.correct ?? spelling(reader, spokenIn(about.market)))
  const price = priceIn(request)
  if (price !== null) {
    const priced = await firstPage(reader, about, { q, price, correct, limit }, pages(price))
    // If the price leaves no products, the number may have been something else.
    const isShown = priced.rows.length > 0 && !isPriceGiven(request.query)
    if (isShown || !(await findsNothing(reader, priced))) return priced
  }
  return firstPage(reader, about, { q, price: null, correct, limit }, pages(null))
}

interface FirstSearch {
  readonly q: string
  readonly price: AskedPrice | null
  /** `null`: the query is searched as it is. */
  readonly correct: Spelling | null
  readonly limit: number
}

/**
 * The first page of a search. If it finds nothing, it tries again: in the other languages of the stores, then with misspelled words
 * corrected, each in the chosen language first. If it finds few products, it adds those that have most of the words. Later pages search
 * in the same way.
 */
async function firstPage(
  reader: Reader,
  about: About,
  { q, price, correct, limit }: FirstSearch,
  page: PageOf,
): Promise<Skeleton> {
  const { market } = about
  const searched = price?.rest ?? q
  const languages = new Set(market.stores.flatMap(({ locales }) => locales)).size > 1 ? [false, true] : [false]
  const attempt = async (text: string, hasMost: boolean): Promise<Skeleton | null> => {
    for (const anyLanguage of languages) {
      const asked = await wordsOf(reader, about, text, searchedLocales(market, anyLanguage), null)
      const query = hasMost ? await relaxed(reader, market, asked, anyLanguage) : asked
      const corrected = text === searched ? null : text
      const placed = placedBy(ruleOf(about, { q, price, corrected }))
      const found = await page({ query, hasMost, anyLanguage, placed }, corrected)
      const isNothing = await findsNothing(reader, found)
      const mayBeFew = !hasMost && (found.rows.length < FEW || placed !== UNPLACED) && canRelax(query)
      const isAll = found.rows.length <= limit && placed === UNPLACED && filtersOf(found.listing).size === 0
      const isFew = mayBeFew && (isAll ? !isNothing : await findsFew(reader, found.listing))
      const shown = isFew
        ? await page(
            { query: await relaxed(reader, market, asked, anyLanguage), hasMost: true, anyLanguage, placed },
            corrected,
          )
        : found
      if (isFew ? await findsNothing(reader, shown) : isNothing) continue
      return shown
    }
    return null
  }
  const literal = await attempt(searched, false)
  if (literal !== null) return literal
  const corrected = correct === null ? null : await correct(searched)
  const found = corrected === null ? null : await attempt(corrected, false)
  // A correction that finds nothing is dropped.
  if (found !== null) return found
  const most = await attempt(corrected ?? searched, true)
  if (most !== null) return most
  const placed = placedBy(ruleOf(about, { q, price, corrected: null }))
  const nothing = { locales: [], whole: '' }
  const query =
    placed === UNPLACED ? nothing : await wordsOf(reader, about, searched, searchedLocales(market, false), null)
  return page({ query, hasMost: false, anyLanguage: false, placed }, null)
}

/** Without the filters, which must not change how a query is understood: a facet counts what a query with another filter finds. */
async function findsNothing(reader: Reader, { rows, listing, price }: Skeleton): Promise<boolean> {
  const asked = pricedBy(price)
  const { words, narrowing } = listing
  const isPriced = price === null || (narrowing.priceMin === asked.priceMin && narrowing.priceMax === asked.priceMax)
  const isUnfiltered = filtersOf(listing).size === (price === null ? 0 : 1)
  if (words?.placed === UNPLACED && isPriced && (rows.length > 0 || isUnfiltered)) return rows.length === 0
  return (await countListings(reader, { ...unplaced(listing), narrowing: asked }, 0)) === 0
}

function pricedBy(price: AskedPrice | null, narrowing = NO_NARROWING): Narrowing {
  return price === null ? narrowing : { ...narrowing, priceMin: price.min, priceMax: price.max }
}

function unplaced(listing: ListingQuery): ListingQuery {
  return { ...listing, words: listing.words && { ...listing.words, placed: UNPLACED } }
}

function canRelax({ locales }: SearchQuery): boolean {
  return locales.some(({ terms }) => terms.length > 1)
}

/** Counts without the filters, so that the filter of a facet shows the products that the facet has counted. */
async function findsFew(reader: Reader, listing: ListingQuery): Promise<boolean> {
  const count = await countListings(reader, { ...unplaced(listing), narrowing: NO_NARROWING }, FEW)
  return count > 0 && count < FEW
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
