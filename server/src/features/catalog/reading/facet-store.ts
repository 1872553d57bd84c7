import { sql } from 'kysely'
import { queries } from '../../../platform/postgres/query-builder.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type StoredOption, textIn } from '../stored-json.ts'
import {
  allOf,
  baseConditionsOf,
  joinSearched,
  type ListingQuery,
  narrowingsOf,
  pricedBetween,
  type Sql,
  searched,
  sellable,
} from './listing-store.ts'

/** The maximum number of values of a facet. */
export const VALUES_MAX = 50

/** Which facets to count. */
export interface RequestedFacets {
  readonly keys: 'all' | readonly string[]
  /** A list of one store cannot be filtered by store, and has no such facet. */
  readonly ofStore: boolean
}

export interface CountRow {
  readonly facet: string
  readonly value: string
  readonly count: bigint | number
  /** A product with the value, to look up its label. */
  readonly example: string | null
}

/**
 * How filters apply. A filter whose own facet is counted becomes a boolean column, so that the facet can leave it out; all
 * others narrow the matches.
 */
interface FacetPlan {
  readonly isRequested: (key: string) => boolean
  readonly areOptionsRequested: boolean
  readonly always: readonly Sql[]
  readonly flags: ReadonlyMap<string, { readonly column: string; readonly condition: Sql }>
}

export function isCounted({ keys, ofStore }: RequestedFacets, key: string): boolean {
  return (keys === 'all' || keys.includes(key)) && !(ofStore && key === 'store')
}

export function areOptionsCounted({ keys }: RequestedFacets): boolean {
  return keys === 'all' || keys.some((key) => key.startsWith('option.'))
}

export function planFacets(listing: ListingQuery, requested: RequestedFacets): FacetPlan {
  const isRequested = (key: string) => isCounted(requested, key)
  const active = [...narrowingsOf(listing)]
  const flagged = active.filter(([key]) => isRequested(key))
  return {
    isRequested,
    areOptionsRequested: areOptionsCounted(requested),
    always: [
      ...baseConditionsOf(listing),
      ...active.filter(([key]) => !isRequested(key)).map(([, condition]) => condition),
    ],
    flags: new Map(flagged.map(([key, condition], index) => [key, { column: `passes_${index}`, condition }])),
  }
}

/** The condition that a row passes all filters except that of the facet. */
function passingAllBut(plan: FacetPlan, facet: string | null): Sql {
  return allOf([...plan.flags].filter(([key]) => key !== facet).map(([, { column }]) => sql.ref(column)))
}

/** The matches, with only the columns that are counted: materializing an unused array costs as much as reading it. */
function matched(listing: ListingQuery, plan: FacetPlan, counted: readonly string[]): Sql {
  const columns = [
    ...counted.map((column) => sql.ref(`listing.${column}`)),
    ...[...plan.flags.values()].map(({ column, condition }) => sql`(${condition}) as ${sql.ref(column)}`),
  ]
  return sql`matched as materialized (
    select ${columns.length === 0 ? sql`1 as one` : sql.join(columns)}
    from listings listing ${joinSearched(listing)}
    where ${allOf(plan.always)})`
}

/** The values of the requested facets with their counts, the most frequent first, and the price quintiles as facet `cut`. */
export function countValues(
  reader: Reader,
  listing: ListingQuery,
  plan: FacetPlan,
  chosenCategories: readonly string[],
): Promise<CountRow[]> {
  const branches = [...facetBranches(listing, plan, chosenCategories), ...optionBranches(listing, plan)]
  const unions = sql.join(branches, sql` union all `)
  return reader.run<CountRow>(
    sql<CountRow>`${searched(listing)} ${matched(listing, plan, columnsFor(plan))},
    counted (facet, value, count, example, chosen) as (${unions}),
    ranked as (select *, row_number() over (
      partition by facet order by chosen desc nulls last, count desc, value collate "C") as place from counted)
    select facet, value, count, example from ranked where place <= ${VALUES_MAX} order by facet collate "C", place`.compile(
      queries,
    ),
  )
}

function facetBranches(listing: ListingQuery, plan: FacetPlan, chosenCategories: readonly string[]): readonly Sql[] {
  const passing = (facet: string) => passingAllBut(plan, facet)
  const branches: readonly (readonly [string, Sql])[] = [
    [
      'category',
      sql`select 'category' as facet, value, count(*) as count, null as example,
      value = any(${chosenCategories}::text[]) as chosen
      from matched, unnest(lineage) as value
      where value <> all(array(select id from categories where archived_at is not null)) and ${passing('category')} group by value`,
    ],
    [
      'store',
      sql`select 'store', store_id, count(*), null, store_id = any(${listing.narrowing.storeIds ?? []}::text[])
      from matched where ${passing('store')} group by store_id`,
    ],
    [
      'brand',
      sql`select 'brand', brand, count(*), null, brand = any(${listing.narrowing.brands ?? []}::text[])
      from matched where brand is not null and ${passing('brand')} group by brand`,
    ],
    [
      'availability',
      sql`select 'availability', value, count, null, null::boolean
      from (select count(*) as every, count(*) filter (where ${sellable(listing.environment)}) as in_stock
        from matched listing where ${passing('availability')}) as counts,
      lateral (values ('any', every), ('in_stock', in_stock)) as each (value, count) where count > 0`,
    ],
    [
      'price',
      sql`select 'cut', cut::text, 0::bigint, null, null::boolean
      from (select percentile_disc(array[0.2, 0.4, 0.6, 0.8]) within group (order by price_min) as cuts
        from matched where ${passing('price')}) as spread, unnest(cuts) as cut where cut is not null`,
    ],
  ]
  return branches.filter(([key]) => plan.isRequested(key)).map(([, branch]) => branch)
}

function optionBranches(listing: ListingQuery, plan: FacetPlan): readonly Sql[] {
  if (!plan.areOptionsRequested) return []
  const filtered = Object.keys(listing.narrowing.options)
  const optionOf = sql`split_part(value, '=', 1)`
  const branch = (facet: string | null, condition: Sql) =>
    sql`select 'option.' || ${optionOf} as facet, substr(value, strpos(value, '=') + 1) as value, count(*) as count,
        min(product_id) as example, null::boolean as chosen
      from matched, unnest(option_values) as value where ${passingAllBut(plan, facet)} and ${condition} group by value`
  return [
    branch(null, sql`${optionOf} <> all(${filtered}::text[])`),
    ...filtered.map((name) => branch(`option.${name}`, sql`${optionOf} = ${name}`)),
  ]
}

/** The columns that the requested facets count by. */
function columnsFor({ isRequested, areOptionsRequested }: FacetPlan): readonly string[] {
  const byFacet: readonly (readonly [boolean, readonly string[]])[] = [
    [isRequested('category'), ['lineage']],
    [isRequested('store'), ['store_id']],
    [isRequested('brand'), ['brand']],
    [isRequested('availability'), ['product_id']],
    [isRequested('price'), ['price_min']],
    [areOptionsRequested, ['product_id', 'option_values']],
  ]
  return [...new Set(byFacet.flatMap(([requested, columns]) => (requested ? columns : [])))]
}

export interface PriceRange {
  /** Minor units, inclusive; `null` is open. */
  readonly from: number | null
  readonly to: number | null
}

/** A price range with the number of its products. */
export interface PriceCount extends PriceRange {
  readonly count: number
}

/** Counts the matches with a price in each range, without the price filter. */
export async function countPriceRanges(
  reader: Reader,
  listing: ListingQuery,
  plan: FacetPlan,
  ranges: readonly PriceRange[],
): Promise<PriceCount[]> {
  if (ranges.length === 0) return []
  const counts = ranges.map(
    ({ from, to }, index) => sql`count(*) filter (where ${pricedBetween(from, to)}) as ${sql.ref(`range_${index}`)}`,
  )
  const [row] = await reader.run<Record<string, bigint>>(
    sql<Record<string, bigint>>`${searched(listing)} ${matched(listing, plan, ['price_min', 'price_max'])}
      select ${sql.join(counts)} from matched listing where ${passingAllBut(plan, 'price')}`.compile(queries),
  )
  return ranges.map((range, index) => ({ ...range, count: Number(row?.[`range_${index}`] ?? 0n) }))
}

const readOptions = statement<{ options: readonly StoredOption[] }>(
  'catalog.read_options',
  'select options from products where id = any($1::text[])',
)

/** The labels of options and their values, by `option.color` and `option.color=blue`. */
export async function readOptionLabels(
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
