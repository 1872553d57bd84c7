import type { Facet } from '@vitrine/contract'
import { formatMoney } from '../../../kernel/format-money.ts'
import { textsIn } from '../../../kernel/languages/texts.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { textIn } from '../stored-json.ts'
import { type CategoryNames, categoryLabels } from './categories.ts'
import {
  type CountRow,
  countPriceRanges,
  countValues,
  isCounted,
  type PriceCount,
  type PriceRange,
  planFacets,
  type RequestedFacets,
  readOptionLabels,
} from './facet-store.ts'
import type { ListingQuery } from './listing-store.ts'

const FACETS_MAX = 20

/** The labels of values, by key and value. */
interface Labels {
  readonly categories: ReadonlyMap<string, string>
  readonly options: ReadonlyMap<string, string>
}

/** The counted values of facets, from PostgreSQL or from memory. */
interface FacetCounts {
  readonly rows: readonly CountRow[]
  readonly prices: readonly PriceCount[]
}

/**
 * Counts in PostgreSQL the products that each value of each requested facet would show. The counts of a facet ignore its own filter,
 * and respect all others.
 */
export async function countFacets(
  reader: Reader,
  listing: ListingQuery,
  requested: RequestedFacets,
  chosenCategories: readonly string[],
): Promise<FacetCounts> {
  const plan = planFacets(listing, requested)
  const rows = await countValues(reader, listing, plan, chosenCategories)
  const cuts = rows.filter(({ facet }) => facet === 'cut').map(({ value }) => Number(value))
  return { rows, prices: await countPriceRanges(reader, listing, plan, priceRanges(cuts)) }
}

interface FacetNames {
  readonly chosenCategories: readonly string[]
  /** The categories kept in memory. If absent, their names are read. */
  readonly categories?: readonly CategoryNames[] | undefined
}

/** Presents the requested facets in their order, with labels. */
export async function presentFacets(
  reader: Reader,
  listing: ListingQuery,
  requested: RequestedFacets,
  { chosenCategories, categories: known }: FacetNames,
  { rows, prices }: FacetCounts,
): Promise<Facet[]> {
  const byFacet = Map.groupBy(rows, (row) => row.facet)
  const categoryIds = (byFacet.get('category') ?? []).map((row) => row.value)
  const optionRows = rows.filter((row) => row.facet.startsWith('option.'))
  const [categories, options] = await Promise.all([
    categoryLabels(reader, categoryIds, listing.market, known),
    readOptionLabels(reader, optionRows, listing.market.locale),
  ])
  const termsOf = termFacets(listing, byFacet, { categories, options }, chosenCategories)
  const optionKeys = [...byFacet.keys()].filter((key) => key.startsWith('option.') && isCounted(requested, key))
  return [
    ...termsOf.category(),
    ...termsOf.store(),
    ...termsOf.brand(),
    ...priceFacet(listing, prices),
    ...termsOf.availability(),
    ...optionKeys.flatMap(termsOf.option),
  ].slice(0, FACETS_MAX)
}

/** Presents the facets of type `terms`. A facet without values is left out. */
function termFacets(
  { narrowing, market }: ListingQuery,
  byFacet: ReadonlyMap<string, readonly CountRow[]>,
  labels: Labels,
  chosenCategories: readonly string[],
) {
  const words = textsIn(market.locale).facets
  const terms = (
    key: string,
    label: string,
    labelOf: (value: string) => string | undefined,
    isChosen: (value: string) => boolean,
  ): Facet[] => {
    const values = (byFacet.get(key) ?? []).map(({ value, count }) => ({
      value,
      label: labelOf(value) || value,
      count: Number(count),
      selected: isChosen(value),
    }))
    return values.length === 0 ? [] : [{ key, label, type: 'terms', parameters: [key], values }]
  }
  const storeName = (id: string) =>
    textIn(market.storesById.get(id)?.names, market.localeByStore.get(id) ?? market.locale, market.locale)
  const isChosenCategory = (id: string) => narrowing.categoryIds !== null && chosenCategories.includes(id)
  return {
    category: () => terms('category', words.category, (id) => labels.categories.get(id), isChosenCategory),
    store: () => terms('store', words.store, storeName, (id) => narrowing.storeIds?.includes(id) ?? false),
    brand: () =>
      terms(
        'brand',
        words.brand,
        (brand) => brand,
        (brand) => narrowing.brands?.includes(brand) ?? false,
      ),
    availability: () =>
      terms(
        'availability',
        words.availability,
        (value) => words[value as 'in_stock' | 'any'],
        (value) => (value === 'in_stock') === narrowing.inStock,
      ),
    option: (key: string) => {
      const name = key.slice('option.'.length)
      const isChosen = (value: string) => narrowing.options[name]?.includes(value) ?? false
      return terms(key, labels.options.get(key) ?? name, (value) => labels.options.get(`${key}=${value}`), isChosen)
    },
  }
}

/** About five price ranges of similar size, with round limits. */
export function priceRanges(cuts: readonly number[]): readonly PriceRange[] {
  const edges = [...new Set(cuts.map(roundAmount))].filter((edge) => edge > 0).sort((a, b) => a - b)
  if (edges.length === 0) return []
  return [null, ...edges].map((from, index) => ({
    from,
    to: edges[index] === undefined ? null : edges[index] - 1,
  }))
}

function priceFacet({ narrowing, market }: ListingQuery, prices: readonly PriceCount[]): Facet[] {
  const ranges = prices.map(({ from, to, count }) => ({
    value: `${from ?? ''}-${to ?? ''}`,
    label: rangeLabel(from, to, market.currency, market.locale),
    count,
    selected: narrowing.priceMin === from && narrowing.priceMax === to,
  }))
  // Rounding may leave no product below the first limit.
  const values = ranges.filter(({ count, selected }) => count > 0 || selected)
  if (values.length === 0) return []
  return [
    {
      key: 'price',
      label: textsIn(market.locale).facets.price,
      type: 'range',
      parameters: ['priceMin', 'priceMax'],
      values,
    },
  ]
}

/** Rounds to two significant digits: 104199 → 100000. */
function roundAmount(amount: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(amount, 1))) - 1)
  return Math.round(amount / unit) * unit
}

function rangeLabel(from: number | null, to: number | null, currency: string, locale: string): string {
  const text = (amount: number) => formatMoney(locale, BigInt(amount), currency)
  if (from === null) return `≤ ${text(to!)}`
  return to === null ? `≥ ${text(from)}` : `${text(from)} – ${text(to)}`
}
