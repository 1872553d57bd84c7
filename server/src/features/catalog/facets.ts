import type { Facet } from '@vitrine/contract'
import { sql } from 'kysely'
import { exponentOf } from '../../kernel/currencies.ts'
import { queries } from '../../platform/postgres/query-builder.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { categoryLabels } from './categories.ts'
import {
  allOf,
  baseConditionsOf,
  joinSearched,
  type ListingQuestion,
  narrowingsOf,
  pricedBetween,
  type Sql,
  searched,
  sellable,
} from './listing-store.ts'
import { textIn } from './locale.ts'
import type { StoredOption } from './stored.ts'

/** The most facets of a list, and the most values of one. */
const FACETS_MAX = 20
const VALUES_MAX = 50

/** Which facets to count: every one, or those named. */
export type WantedFacets = 'all' | readonly string[]

interface CountRow {
  readonly facet: string
  readonly value: string
  readonly count: bigint
  /** A product that has the value, where its label must be looked up. */
  readonly example: string | null
}

/**
 * Counts what each choice of each facet would show. The counts of a facet leave out the filter of the same name, and
 * heed all others.
 */
export async function countFacets(
  reader: Reader,
  question: ListingQuestion,
  wanted: WantedFacets,
  chosen: { readonly categories: readonly string[] },
): Promise<Facet[]> {
  const isWanted = (key: string) => wanted === 'all' || wanted.includes(key)
  const plan = planOf(question, isWanted)
  const rows = await reader.run<CountRow>(
    countQuery(question, plan, wanted, isWanted, chosen.categories).compile(queries),
  )
  const byFacet = Map.groupBy(rows, (row) => row.facet)
  const options = rows.filter((row) => row.facet.startsWith('option.'))
  const [categories, labels, prices] = await Promise.all([
    categoryLabels(
      reader,
      (byFacet.get('category') ?? []).map((row) => row.value),
      question.market.locale,
    ),
    optionLabelsOf(reader, options, question.market.locale),
    isWanted('price') ? countPrices(reader, question, plan, byFacet.get('cut') ?? []) : [],
  ])

  const { narrowing, market } = question
  const said = wordsFor(market.locale)
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
    return values.length === 0 ? [] : [{ key, label, type: 'terms', values }]
  }
  const storeName = (id: string) =>
    textIn(market.storesById.get(id)?.names, market.localeByStore.get(id) ?? market.locale, market.locale)
  const optionKeys = [...byFacet.keys()].filter((key) => key.startsWith('option.') && isWanted(key))
  return [
    ...terms(
      'category',
      said.category,
      (id) => categories.get(id),
      (id) => narrowing.categoryIds !== null && chosen.categories.includes(id),
    ),
    ...terms('store', said.store, storeName, (id) => narrowing.storeIds?.includes(id) ?? false),
    ...terms(
      'brand',
      said.brand,
      (brand) => brand,
      () => false,
    ),
    ...prices,
    ...terms(
      'availability',
      said.availability,
      (value) => said[value as 'in_stock' | 'any'],
      (value) => (value === 'in_stock') === narrowing.inStock,
    ),
    ...optionKeys.flatMap((key) => {
      const name = key.slice('option.'.length)
      const isChosen = (value: string) => narrowing.options[name]?.includes(value) ?? false
      return terms(key, labels.get(key) ?? name, (value) => labels.get(`${key}=${value}`), isChosen)
    }),
  ].slice(0, FACETS_MAX)
}

/** How filters take part: those whose own facet is counted as columns of what matches, the others by narrowing it. */
interface FacetPlan {
  readonly always: readonly Sql[]
  readonly flags: ReadonlyMap<string, { readonly column: string; readonly condition: Sql }>
}

function planOf(question: ListingQuestion, isWanted: (key: string) => boolean): FacetPlan {
  const inForce = [...narrowingsOf(question)]
  const flagged = inForce.filter(([key]) => isWanted(key))
  return {
    always: [
      ...baseConditionsOf(question),
      ...inForce.filter(([key]) => !isWanted(key)).map(([, condition]) => condition),
    ],
    flags: new Map(flagged.map(([key, condition], index) => [key, { column: `passes_${index}`, condition }])),
  }
}

/** The rows that every filter passes but that of the facet. */
function passingAllBut(plan: FacetPlan, facet: string | null): Sql {
  return allOf([...plan.flags].filter(([key]) => key !== facet).map(([, { column }]) => sql.ref(column)))
}

/** What matches, with the columns that are counted by and no others: an array that nobody reads costs as much as one read. */
function matched(question: ListingQuestion, plan: FacetPlan, counted: readonly string[]): Sql {
  const columns = [
    ...counted.map((column) => sql.ref(`listing.${column}`)),
    ...[...plan.flags.values()].map(({ column, condition }) => sql`(${condition}) as ${sql.ref(column)}`),
  ]
  return sql`matched as materialized (
    select ${columns.length === 0 ? sql`1 as one` : sql.join(columns)}
    from listings listing ${joinSearched(question)}
    where ${allOf(plan.always)})`
}

function countQuery(
  question: ListingQuestion,
  plan: FacetPlan,
  wanted: WantedFacets,
  isWanted: (key: string) => boolean,
  chosenCategories: readonly string[],
) {
  const all = (facet: string | null) => passingAllBut(plan, facet)
  const chosenOptions = Object.entries(question.narrowing.options)
  const namedOptions = chosenOptions.map(([name]) => name)
  const optionOf = sql`split_part(value, '=', 1)`
  const optionBranch = (facet: string | null, condition: Sql) =>
    sql`select 'option.' || ${optionOf} as facet, substr(value, strpos(value, '=') + 1) as value, count(*) as count,
        min(product_id) as example, null::boolean as chosen
      from matched, unnest(option_values) as value where ${all(facet)} and ${condition} group by value`
  const branches: readonly (readonly [string, Sql])[] = [
    [
      'category',
      sql`select 'category' as facet, value, count(*) as count, null as example,
      value = any(${chosenCategories}::text[]) as chosen
      from matched, unnest(lineage) as value where ${all('category')} group by value`,
    ],
    [
      'store',
      sql`select 'store', store_id, count(*), null, store_id = any(${question.narrowing.storeIds ?? []}::text[])
      from matched where ${all('store')} group by store_id`,
    ],
    [
      'brand',
      sql`select 'brand', brand, count(*), null, false
      from matched where brand is not null and ${all('brand')} group by brand`,
    ],
    [
      'availability',
      sql`select 'availability', value, count, null, null::boolean
      from (select count(*) as every, count(*) filter (where ${sellable(question.environment)}) as in_stock
        from matched listing where ${all('availability')}) as counts,
      lateral (values ('any', every), ('in_stock', in_stock)) as each (value, count) where count > 0`,
    ],
    [
      'price',
      sql`select 'cut', cut::text, 0::bigint, null, null::boolean
      from (select percentile_disc(array[0.2, 0.4, 0.6, 0.8]) within group (order by price_min) as cuts
        from matched where ${all('price')}) as spread, unnest(cuts) as cut where cut is not null`,
    ],
  ]
  const wantedBranches = branches.filter(([key]) => isWanted(key)).map(([, branch]) => branch)
  const areOptionsWanted = wanted === 'all' || wanted.some((key) => key.startsWith('option.'))
  const optionBranches = !areOptionsWanted
    ? []
    : [
        optionBranch(null, sql`${optionOf} <> all(${namedOptions}::text[])`),
        ...namedOptions.map((name) => optionBranch(`option.${name}`, sql`${optionOf} = ${name}`)),
      ]
  const unions = sql.join([...wantedBranches, ...optionBranches], sql` union all `)
  return sql<CountRow>`${searched(question)} ${matched(question, plan, columnsFor(isWanted, areOptionsWanted))},
    counted (facet, value, count, example, chosen) as (${unions}),
    ranked as (select *, row_number() over (
      partition by facet order by chosen desc nulls last, count desc, value) as place from counted)
    select facet, value, count, example from ranked where place <= ${VALUES_MAX} order by facet, place`
}

/** What each facet counts by. */
function columnsFor(isWanted: (key: string) => boolean, areOptionsWanted: boolean): readonly string[] {
  const byFacet: readonly (readonly [boolean, readonly string[]])[] = [
    [isWanted('category'), ['lineage']],
    [isWanted('store'), ['store_id']],
    [isWanted('brand'), ['brand']],
    [isWanted('availability'), ['product_id']],
    [isWanted('price'), ['price_min']],
    [areOptionsWanted, ['product_id', 'option_values']],
  ]
  return [...new Set(byFacet.flatMap(([wanted, columns]) => (wanted ? columns : [])))]
}

const readOptions = statement<{ options: readonly StoredOption[] }>(
  'catalog.read_options',
  'select options from products where id = any($1::text[])',
)

/** What options and their values are called, by `option.colour` and `option.colour=blue`. */
async function optionLabelsOf(
  reader: Reader,
  rows: readonly CountRow[],
  locale: string,
): Promise<ReadonlyMap<string, string>> {
  const examples = [...new Set(rows.flatMap((row) => row.example ?? []))]
  const labels = new Map<string, string>()
  if (examples.length === 0) return labels
  for (const { options } of await reader.rows(readOptions, [examples])) {
    for (const option of options) {
      const key = `option.${option.name}`
      labels.set(key, labels.get(key) ?? textIn(option.labels, locale, locale) ?? option.name)
      for (const { value, labels: texts } of option.values) {
        labels.set(`${key}=${value}`, labels.get(`${key}=${value}`) ?? textIn(texts, locale, locale) ?? value)
      }
    }
  }
  return labels
}

/** Prices in about five ranges that hold alike many products, with round ends. */
async function countPrices(
  reader: Reader,
  question: ListingQuestion,
  plan: FacetPlan,
  cuts: readonly CountRow[],
): Promise<Facet[]> {
  const edges = [...new Set(cuts.map((row) => roundAmount(Number(row.value))))]
    .filter((edge) => edge > 0)
    .sort((a, b) => a - b)
  if (edges.length === 0) return []
  const ranges = [null, ...edges].map((from, index) => ({
    from,
    to: edges[index] === undefined ? null : edges[index] - 1,
  }))
  const counts = ranges.map(
    ({ from, to }, index) => sql`count(*) filter (where ${pricedBetween(from, to)}) as ${sql.ref(`range_${index}`)}`,
  )
  const [row] = await reader.run<Record<string, bigint>>(
    sql<Record<string, bigint>>`${searched(question)} ${matched(question, plan, ['price_min', 'price_max'])}
      select ${sql.join(counts)} from matched listing where ${passingAllBut(plan, 'price')}`.compile(queries),
  )
  const { narrowing, market } = question
  const values = ranges.map(({ from, to }, index) => ({
    value: `${from ?? ''}-${to ?? ''}`,
    label: rangeLabel(from, to, market.currency, market.locale),
    count: Number(row?.[`range_${index}`] ?? 0n),
    selected: narrowing.priceMin === from && narrowing.priceMax === to,
  }))
  return [{ key: 'price', label: wordsFor(market.locale).price, type: 'range', values }]
}

/** To two digits: 104199 → 100000. */
function roundAmount(amount: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(amount, 1))) - 1)
  return Math.round(amount / unit) * unit
}

function rangeLabel(from: number | null, to: number | null, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const unit = 10 ** exponentOf(currency)
  const text = (amount: number) => format.format(amount / unit)
  if (from === null) return `≤ ${text(to!)}`
  return to === null ? `≥ ${text(from)}` : `${text(from)} – ${text(to)}`
}

/** What our own facets are called. A language that is not here reads them in English. */
const english = {
  category: 'Category',
  store: 'Store',
  brand: 'Brand',
  price: 'Price',
  availability: 'Availability',
  in_stock: 'In stock',
  any: 'All',
}
const words: Readonly<Record<string, typeof english>> = {
  en: english,
  de: {
    category: 'Kategorie',
    store: 'Shop',
    brand: 'Marke',
    price: 'Preis',
    availability: 'Verfügbarkeit',
    in_stock: 'Auf Lager',
    any: 'Alle',
  },
}

function wordsFor(locale: string): typeof english {
  return words[locale.split('-')[0]!.toLowerCase()] ?? english
}
