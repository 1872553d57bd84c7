import {
  areOptionsCounted,
  type CountRow,
  isCounted,
  type PriceCount,
  type PriceRange,
  type RequestedFacets,
} from '../reading/facet-store.ts'
import type { ListingQuery } from '../reading/listing-store.ts'
import { BITS_OF_ALL, type Columns, ENVIRONMENT_BITS, type OfferColumns } from './columns.ts'
import { grown, type NumberColumn, type Numbers } from './growing.ts'
import { priceCuts } from './price-cuts.ts'
import { compareBytes, ranked } from './ranked-values.ts'

interface CountRequest {
  readonly listing: Pick<ListingQuery, 'market' | 'environment' | 'narrowing'>
  readonly requested: RequestedFacets
  readonly chosenCategories: readonly string[]
  readonly archivedCategories: ReadonlySet<string>
  /** The ids of the products that a search has found; `null`: all products. */
  readonly found: readonly string[] | null
  /** The price ranges to count, given the prices that divide the products into five equal parts. */
  readonly rangesOf: (cuts: readonly number[]) => readonly PriceRange[]
}

export interface Counted {
  /** The number of products that pass all filters. */
  readonly total: number
  readonly rows: readonly CountRow[]
  readonly prices: readonly PriceCount[]
}

/** A filter, as a predicate on places. The facet with its key is counted without it. */
interface Filter {
  readonly key: string
  readonly passes: (place: number) => boolean
}

/** Counts the values of one column among the products that pass all filters except that of its facet. */
interface Counter {
  /** The key of the filter that it leaves out; `null`: none. */
  readonly leftOut: string | null
  readonly values: Numbers
  readonly counts: Uint32Array
  /** The first place with each value; `null` if not needed. */
  readonly firsts: Uint32Array | null
}

/** The most filters of counted facets: each takes a bit of a number. */
const FLAGS_MAX = 30

/**
 * Counts the products that each value of each requested facet would show, as `countFacets` does in PostgreSQL: with all filters except
 * that of the facet.
 *
 * @returns `null` if there are too many filters
 */
export function countListed(columns: Columns, request: CountRequest): Counted | null {
  const { listing, requested, rangesOf } = request
  const offers = columns.offersIn(listing.market.currency)
  if (offers === undefined) return { total: 0, rows: [], prices: [] }
  const filters = filtersOf(columns, offers, request)
  const flagged = filters.filter(({ key }) => isCounted(requested, key))
  if (flagged.length > FLAGS_MAX) return null
  const counters = countersOf(columns, offers, requested, flagged)
  const always = filters.filter((filter) => !flagged.includes(filter))
  const { total, priced } = tally(placesIn(columns, offers, request, always), flagged, counters.all)
  const rows = [
    ...(counters.category ? categoryRows(columns, counters.category, request) : []),
    ...(counters.store ? storeRows(columns, counters.store, request) : []),
    ...(counters.brand ? brandRows(columns, counters.brand, request) : []),
    ...(counters.availability ? availabilityRows(counters.availability, request) : []),
    ...optionRows(columns, counters.options, requested),
  ]
  const ranges = isCounted(requested, 'price') ? rangesOf(priceCuts(offers.priceMin.values, priced)) : []
  return { total, rows, prices: ranges.length === 0 ? [] : countRanges(offers, priced, ranges) }
}

function countersOf(
  columns: Columns,
  { optionSets }: OfferColumns,
  requested: RequestedFacets,
  flagged: readonly Filter[],
) {
  const keys = flagged.map(({ key }) => key)
  const counter = (facet: string | null, column: NumberColumn, size: number): Counter => ({
    leftOut: facet !== null && keys.includes(facet) ? facet : null,
    values: column.upTo(columns.size),
    counts: new Uint32Array(size),
    firsts: null,
  })
  const ofFacet = (facet: string, column: NumberColumn, size: number) =>
    isCounted(requested, facet) ? counter(facet, column, size) : null
  const category = ofFacet('category', columns.categorySetOf, columns.categories.size)
  const store = ofFacet('store', columns.placementOf, columns.placements.length + 1)
  const brand = ofFacet('brand', columns.brandOf, columns.brands.all.length + 1)
  const availability = ofFacet('availability', columns.sellableIn, BITS_OF_ALL + 1)
  // A filtered option is counted without its filter; the others with all filters.
  const leavingOut = areOptionsCounted(requested) ? [null, ...keys.filter((key) => key.startsWith('option.'))] : []
  const { size } = columns.options
  const options = leavingOut.map((facet) => ({
    ...counter(facet, optionSets, size),
    firsts: new Uint32Array(size),
  }))
  const all = [category, store, brand, availability, ...options].filter((each) => each !== null)
  return { category, store, brand, availability, options, all }
}

/** Products per block, so that results between two steps stay in the processor's cache. */
const BLOCK = 16_384
const failed = new Uint32Array(BLOCK)
const passing = new Uint32Array(BLOCK)
/** The places whose prices are counted. Reused by the next count: large arrays are expensive to allocate. */
let priced = new Uint32Array(0)

/** Counts in one pass. The result is valid until the next count. */
function tally(
  blocks: Iterable<Uint32Array>,
  flagged: readonly Filter[],
  counters: readonly Counter[],
): { readonly total: number; readonly priced: Uint32Array } {
  const bits = new Map(flagged.map(({ key }, index) => [key, 1 << index]))
  const bitOf = (key: string | null) => (key === null ? 0 : (bits.get(key) ?? 0))
  const all = counters.filter(({ leftOut }) => leftOut === null)
  const others = counters.filter(({ leftOut }) => leftOut !== null)
  let [total, pricedCount] = [0, 0]
  for (const places of blocks) {
    if (flagged.length > 0) markFailures(places, flagged)
    const kept = flagged.length === 0 ? places : passingAllBut(places, 0)
    total += kept.length
    for (const counter of all) count(kept, counter)
    priced = grown(priced, pricedCount + places.length)
    const ofPrices = bits.has('price') ? passingAllBut(places, bitOf('price')) : kept
    priced.set(ofPrices, pricedCount)
    pricedCount += ofPrices.length
    for (const counter of others) count(passingAllBut(places, bitOf(counter.leftOut)), counter)
  }
  return { total, priced: priced.subarray(0, pricedCount) }
}

function count(places: Uint32Array, { values, counts, firsts }: Counter): void {
  if (firsts === null) {
    for (let index = 0; index < places.length; index += 1) counts[values[places[index]!]!]! += 1
    return
  }
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index]!
    const value = values[place]!
    const known = counts[value]!
    if (known === 0) firsts[value] = place
    counts[value] = known + 1
  }
}

/** Sets a bit for each filter that a place fails. */
function markFailures(places: Uint32Array, flagged: readonly Filter[]): void {
  failed.fill(0, 0, places.length)
  for (const [filter, { passes }] of flagged.entries()) {
    const bit = 1 << filter
    for (let index = 0; index < places.length; index += 1) if (!passes(places[index]!)) failed[index]! |= bit
  }
}

/** The places that fail no filter except that of the given bit. Valid until the next call. */
function passingAllBut(places: Uint32Array, own: number): Uint32Array {
  let length = 0
  for (let index = 0; index < places.length; index += 1) {
    if (failed[index] !== 0 && failed[index] !== own) continue
    passing[length] = places[index]!
    length += 1
  }
  return passing.subarray(0, length)
}

/** The found products that are listed in the market and pass these filters, in blocks. A block is valid until the next one. */
function* placesIn(
  columns: Columns,
  { optionSets }: OfferColumns,
  { listing, found }: CountRequest,
  filters: readonly Filter[],
): Iterable<Uint32Array> {
  const { localeByStore } = listing.market
  const isServed = Uint8Array.from([
    0,
    ...columns.placements.map(({ storeId, locales }) => Number(locales.includes(localeByStore.get(storeId) ?? ''))),
  ])
  const [placements, sets] = [columns.placementOf.upTo(columns.size), optionSets.upTo(columns.size)]
  const among = found === null ? null : columns.placesOf(found)
  const end = among?.length ?? columns.size
  const block = new Uint32Array(BLOCK)
  for (let begin = 0; begin < end; begin += BLOCK) {
    const last = Math.min(begin + BLOCK, end)
    let length = 0
    for (let index = begin; index < last; index += 1) {
      const place = among === null ? index : among[index]!
      if (isServed[placements[place]!] === 0 || sets[place] === 0) continue
      block[length] = place
      length += 1
    }
    yield narrowed(block.subarray(0, length), filters)
  }
}

/** Removes the places that fail a filter, in place. */
function narrowed(places: Uint32Array, filters: readonly Filter[]): Uint32Array {
  let { length } = places
  for (const { passes } of filters) {
    let left = 0
    for (let index = 0; index < length; index += 1) {
      const place = places[index]!
      if (!passes(place)) continue
      places[left] = place
      left += 1
    }
    length = left
  }
  return places.subarray(0, length)
}

function filtersOf(columns: Columns, offers: OfferColumns, { listing }: CountRequest): readonly Filter[] {
  const { categoryIds, storeIds, brands, productIds, priceMin, priceMax, inStock, options } = listing.narrowing
  const { size } = columns
  const filters: Filter[] = []
  const among = (key: string, values: Numbers, wanted: Uint8Array) =>
    filters.push({ key, passes: (place) => wanted[values[place]!] === 1 })
  if (categoryIds !== null) {
    among('category', columns.categorySetOf.upTo(size), columns.categories.withAny(categoryIds))
  }
  if (storeIds !== null) {
    const isWanted = columns.placements.map(({ storeId }) => Number(storeIds.includes(storeId)))
    among('store', columns.placementOf.upTo(size), Uint8Array.from([0, ...isWanted]))
  }
  if (brands !== null) {
    const wanted = new Uint8Array(columns.brands.all.length + 1)
    for (const brand of brands) wanted[(columns.brands.find(brand) ?? -1) + 1] = 1
    wanted[0] = 0
    among('brand', columns.brandOf.upTo(size), wanted)
  }
  if (productIds !== null) {
    const wanted = new Set(columns.placesOf(productIds))
    filters.push({ key: 'product', passes: (place) => wanted.has(place) })
  }
  const [lowest, highest] = [offers.priceMin.upTo(size), offers.priceMax.upTo(size)]
  if (priceMin !== null || priceMax !== null) {
    const [from, to] = [priceMin ?? 0, priceMax ?? Number.POSITIVE_INFINITY]
    filters.push({ key: 'price', passes: (place) => highest[place]! >= from && lowest[place]! <= to })
  }
  if (inStock) {
    const [values, bit] = [columns.sellableIn.upTo(size), ENVIRONMENT_BITS[listing.environment]]
    filters.push({ key: 'availability', passes: (place) => (values[place]! & bit) !== 0 })
  }
  const optionSets = offers.optionSets.upTo(size)
  for (const [name, values] of Object.entries(options)) {
    among(`option.${name}`, optionSets, columns.options.withAny(values.map((value) => `${name}=${value}`)))
  }
  return filters
}

function categoryRows(
  { categories }: Columns,
  { counts }: Counter,
  { archivedCategories, chosenCategories }: CountRequest,
): readonly CountRow[] {
  const values = categories
    .countsOfTexts(counts, counts)
    .flatMap(({ text, count: products }) => (archivedCategories.has(text) ? [] : [{ value: text, count: products }]))
  return ranked('category', values, chosenCategories)
}

function storeRows({ placements }: Columns, { counts }: Counter, { listing }: CountRequest): readonly CountRow[] {
  const byStore = new Map<string, number>()
  for (const [index, { storeId }] of placements.entries()) {
    byStore.set(storeId, (byStore.get(storeId) ?? 0) + counts[index + 1]!)
  }
  const values = [...byStore].map(([value, products]) => ({ value, count: products }))
  return ranked('store', values, listing.narrowing.storeIds ?? [])
}

function brandRows({ brands }: Columns, { counts }: Counter, { listing }: CountRequest): readonly CountRow[] {
  const values = brands.all.map((value, index) => ({ value, count: counts[index + 1]! }))
  return ranked('brand', values, listing.narrowing.brands ?? [])
}

function availabilityRows({ counts }: Counter, { listing }: CountRequest): readonly CountRow[] {
  const bit = ENVIRONMENT_BITS[listing.environment]
  let [every, inStock] = [0, 0]
  for (const [bits, products] of counts.entries()) {
    every += products
    if ((bits & bit) !== 0) inStock += products
  }
  return ranked('availability', [
    { value: 'any', count: every },
    { value: 'in_stock', count: inStock },
  ])
}

function optionRows(
  { options, ids }: Columns,
  counters: readonly (Counter & { readonly firsts: Uint32Array })[],
  requested: RequestedFacets,
): readonly CountRow[] {
  const filtered = new Set(counters.map(({ leftOut }) => leftOut))
  const values = counters.flatMap(({ leftOut, counts, firsts }) =>
    options.countsOfTexts(counts, firsts).flatMap(({ text, count: products, first }) => {
      const end = text.indexOf('=')
      const facet = `option.${text.slice(0, end)}`
      const isOwn = leftOut === null ? !filtered.has(facet) : leftOut === facet
      return isOwn && isCounted(requested, facet) ? [{ facet, value: text.slice(end + 1), count: products, first }] : []
    }),
  )
  return [...Map.groupBy(values, ({ facet }) => facet)]
    .sort(([a], [b]) => compareBytes(a, b))
    .flatMap(([facet, each]) => ranked(facet, each).map(({ first, ...row }) => ({ ...row, example: ids.at(first) })))
}

/** A product is in all ranges from that of its lowest price to that of its highest. */
function countRanges(
  { priceMin, priceMax }: OfferColumns,
  places: Uint32Array,
  ranges: readonly PriceRange[],
): readonly PriceCount[] {
  const edges = Float64Array.from(ranges.slice(1), ({ from }) => from ?? 0)
  /** The products that begin in a range, minus those that end in the previous one. */
  const changes = new Int32Array(ranges.length + 1)
  countEnds(priceMin.values, places, edges, changes, 1, 0)
  countEnds(priceMax.values, places, edges, changes, -1, 1)
  let products = 0
  return ranges.map((range, index) => {
    products += changes[index]!
    return { ...range, count: products }
  })
}

const STEP = 64
const STEPS = 65_536
const SEVERAL = 255

/**
 * Adds `change` at the range of each price, or `after` ranges later. Ranges are looked up: a comparison with each edge costs three times
 * as much, because processors cannot predict it.
 */
function countEnds(
  prices: Numbers,
  places: Uint32Array,
  edges: Float64Array,
  changes: Int32Array,
  change: number,
  after: number,
): void {
  const known = knownRanges(edges)
  for (let index = 0; index < places.length; index += 1) {
    const price = prices[places[index]!]!
    let range = known[Math.min(price * (1 / STEP), STEPS - 1) >>> 0]!
    if (range === SEVERAL) {
      range = 0
      while (range < edges.length && price >= edges[range]!) range += 1
    }
    changes[range + after]! += change
  }
}

/** The range of each price step; `SEVERAL` if an edge is inside it. */
function knownRanges(edges: Float64Array): Uint8Array {
  const known = new Uint8Array(STEPS)
  for (const [index, edge] of edges.entries()) known.fill(index + 1, Math.min(STEPS, Math.ceil(edge / STEP)))
  for (const edge of edges) known[Math.min(Math.floor(edge / STEP), STEPS - 1)] = SEVERAL
  // The last step includes all higher prices.
  known[STEPS - 1] = SEVERAL
  return known
}
