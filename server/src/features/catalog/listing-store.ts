import { type RawBuilder, sql } from 'kysely'
import type { Environment } from '../../kernel/environment.ts'
import { queries } from '../../platform/postgres/query-builder.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Market } from './market.ts'
import { searchConfiguration } from './search-text.ts'

/** A piece of SQL with its values bound. */
export type Sql = RawBuilder<unknown>

export type SortOrder = 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'name_asc' | 'name_desc'

/** The ways to narrow a list that a facet may leave out. */
export interface Narrowing {
  /** Ids of the categories to choose from; `null` where none was asked for. */
  readonly categoryIds: readonly string[] | null
  readonly storeIds: readonly string[] | null
  readonly priceMin: number | null
  readonly priceMax: number | null
  readonly inStock: boolean
  readonly options: Readonly<Record<string, readonly string[]>>
}

/** What is looked for: words, whether one of them is enough, and whether in other languages than the reader's. */
export interface SearchWords {
  readonly text: string
  readonly anyWord: boolean
  readonly anyLanguage: boolean
}

/** A list, but for where its page begins. */
export interface ListingQuestion {
  readonly market: Market
  readonly environment: Environment
  readonly narrowing: Narrowing
  readonly words: SearchWords | null
  readonly sort: SortOrder
  /** The walk that a later page belongs to; `null` on a first page, which sees the list as it is. */
  readonly snapshot: string | null
}

/** Where a page begins: behind this product. */
export interface Position {
  readonly key: string
  readonly id: string
}

interface PageRow {
  readonly product_id: string
  readonly key: string
  readonly snapshot: string
  readonly epoch: number
}

/**
 * The ids of a page in order, each with its sort key, and the snapshot that they were seen in. One more than `limit`
 * where there is another page.
 */
export function readPage(
  reader: Reader,
  question: ListingQuestion,
  limit: number,
  after: Position | null,
): Promise<PageRow[]> {
  const { column, direction, type } = orders[question.sort]
  const key = sql.raw(column)
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  const begin = after
    ? sql`and (${key}, listing.product_id) ${beyond} (${after.key}::${sql.raw(type)}, ${after.id})`
    : sql``
  const order = sql.raw(direction)
  return reader.run<PageRow>(
    sql<PageRow>`${searched(question)} page as (
      select listing.product_id, (${key})::text as key, pg_current_snapshot()::text as snapshot,
        (select epoch from listing_epoch) as epoch
      from listings listing ${joinSearched(question)}
      where ${allOf(conditionsOf(question))} ${begin}
      order by ${key} ${order}, listing.product_id ${order}
      limit ${limit + 1})
      select * from page`.compile(queries),
  )
}

/** Each order has an index of its own that ends with the product's id, but relevance, which is known for what matches alone. */
const orders: Readonly<
  Record<SortOrder, { readonly column: string; readonly direction: 'asc' | 'desc'; readonly type: string }>
> = {
  relevance: { column: 'found.score', direction: 'desc', type: 'real' },
  newest: { column: 'listing.published_at', direction: 'desc', type: 'timestamptz' },
  price_asc: { column: 'listing.price_min', direction: 'asc', type: 'bigint' },
  price_desc: { column: 'listing.price_min', direction: 'desc', type: 'bigint' },
  name_asc: { column: 'listing.name_key', direction: 'asc', type: 'text' },
  name_desc: { column: 'listing.name_key', direction: 'desc', type: 'text' },
}

/** How far a list is counted. Beyond it, the count would cost more than the page. */
export const COUNT_MAX = 10_000

/** How many products the list has, counted as far as one beyond `COUNT_MAX`. */
export async function countListings(reader: Reader, question: ListingQuestion): Promise<number> {
  const [row] = await reader.run<{ count: bigint }>(
    sql<{ count: bigint }>`${searched(question)} counted as (
        select from listings listing ${joinSearched(question)}
        where ${allOf(conditionsOf(question))} limit ${COUNT_MAX + 1})
      select count(*) as count from counted`.compile(queries),
  )
  return Number(row?.count ?? 0n)
}

/** A transaction before the oldest that ran at the time of a snapshot is visible in it: few are looked at one by one. */
const readWalkable = statement<{ walkable: boolean }>(
  'catalog.read_walkable',
  `select epoch = $2::integer and not exists (
     select from swept_transactions swept
     where swept.id >= pg_snapshot_xmin($1::text::pg_snapshot)
       and not pg_visible_in_snapshot(swept.id, $1::text::pg_snapshot)) as walkable
   from listing_epoch`,
)

/** Whether all that a walk must still show is still kept. */
export async function isWalkable(
  reader: Reader,
  { snapshot, epoch }: { readonly snapshot: string; readonly epoch: number },
): Promise<boolean> {
  return (await reader.row(readWalkable, [snapshot, epoch]))?.walkable ?? false
}

/** What holds for every row of the list, whichever way it is narrowed. */
export function baseConditionsOf({ market, snapshot }: ListingQuestion): readonly Sql[] {
  return [sql`listing.currency = ${market.currency}`, servedIn(market, 'listing'), seenIn(snapshot, 'listing')]
}

/** The narrowings that are in force, by the facet that leaves each out. */
export function narrowingsOf({ narrowing, environment }: ListingQuestion): ReadonlyMap<string, Sql> {
  const { categoryIds, storeIds, priceMin, priceMax, inStock, options } = narrowing
  const inForce: [string, Sql | null][] = [
    ['category', categoryIds && sql`listing.lineage && ${categoryIds}::text[]`],
    ['store', storeIds && sql`listing.store_id = any(${storeIds}::text[])`],
    ['price', priceMin === null && priceMax === null ? null : pricedBetween(priceMin, priceMax)],
    ['availability', inStock ? sellable(environment) : null],
    ...Object.entries(options).map(([name, values]): [string, Sql] => [
      `option.${name}`,
      sql`listing.option_values && ${values.map((value) => `${name}=${value}`)}::text[]`,
    ]),
  ]
  return new Map(inForce.filter((each): each is [string, Sql] => each[1] !== null))
}

/** Whether any price of the product lies in the range. */
export function pricedBetween(min: number | null, max: number | null): Sql {
  return allOf([
    ...(min === null ? [] : [sql`listing.price_max >= ${min}`]),
    ...(max === null ? [] : [sql`listing.price_min <= ${max}`]),
  ])
}

/** Whether units of it can be sold now. Not part of the walk's snapshot: nobody wants to be shown what is gone. */
export function sellable(environment: Environment): Sql {
  return sql`exists (select from stock_levels stock
    where stock.product_id = listing.product_id and stock.environment = ${sql.lit(environment)} and stock.offered
      and (not stock.counted or stock.on_hand > stock.held))`
}

function conditionsOf(question: ListingQuestion): readonly Sql[] {
  return [...baseConditionsOf(question), ...narrowingsOf(question).values()]
}

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** The stores of the market, each in the language that it serves this reader in. */
function servedIn(market: Market, table: string): Sql {
  const byLocale = Map.groupBy(market.localeByStore, ([, locale]) => locale)
  if (byLocale.size === 0) return sql`false`
  const branches = [...byLocale].map(([locale, stores]) => {
    const storeIds = stores.map(([storeId]) => storeId)
    return sql`(${sql.ref(`${table}.locale`)} = ${locale} and ${sql.ref(`${table}.store_id`)} = any(${storeIds}::text[]))`
  })
  return sql`(${sql.join(branches, sql` or `)})`
}

/** The stores of the market, in every language. */
function soldIn(market: Market, table: string): Sql {
  return sql`${sql.ref(`${table}.store_id`)} = any(${[...market.storesById.keys()]}::text[])`
}

/** The rows that were current when the walk began. See docs/decisions/0006-stable-listing-walks.md. */
function seenIn(snapshot: string | null, table: string): Sql {
  const listedBy = sql.ref(`${table}.listed_by`)
  const supersededBy = sql.ref(`${table}.superseded_by`)
  if (snapshot === null) return sql`${supersededBy} is null`
  return sql`pg_visible_in_snapshot(${listedBy}, ${snapshot}::pg_snapshot)
    and (${supersededBy} is null or not pg_visible_in_snapshot(${supersededBy}, ${snapshot}::pg_snapshot))`
}

/** The products that the words are found in, with how well they fit: what a query begins with. */
export function searched({ market, snapshot, words }: ListingQuestion): Sql {
  if (words === null) return sql`with`
  const { anyLanguage } = words
  const locales = new Set(anyLanguage ? market.stores.flatMap((store) => store.locales) : market.localeByStore.values())
  const there = anyLanguage ? soldIn(market, 'document') : servedIn(market, 'document')
  const matches = [...locales].map((locale) => {
    const lookedFor = textQuery(locale, words)
    return sql`select document.product_id, document.locale, ${scoreOf(lookedFor)} as score
      from search_documents document
      where document.locale = ${locale} and document.document @@ ${lookedFor}
        and ${there} and ${seenIn(snapshot, 'document')}`
  })
  if (matches.length === 0) return sql`with found as (select '' as product_id, '' as locale, 0::real as score limit 0),`
  const all = sql.join(matches, sql` union all `)
  if (!anyLanguage) return sql`with found as materialized (${all}),`
  // A word that two languages share finds a product once.
  return sql`with found as materialized (select product_id, max(score) as score from (${all}) as match group by product_id),`
}

export function joinSearched({ words }: ListingQuestion): Sql {
  if (words === null) return sql``
  const sameLanguage = words.anyLanguage ? sql`` : sql`and found.locale = listing.locale`
  return sql`join found on found.product_id = listing.product_id ${sameLanguage}`
}

/** The query in the words of the locale's stemmer: all of the words, or any of them. */
function textQuery(locale: string, { text, anyWord }: SearchWords): Sql {
  const all = sql`plainto_tsquery(${sql.lit(searchConfiguration(locale))}, ${text})`
  return anyWord ? sql`replace(${all}::text, '&', '|')::tsquery` : all
}

/** D, C, B, A: description, facts, kind, name. Chosen on rated queries; see README, "How search is judged". */
const WEIGHTS = '{0.05, 0.05, 0.3, 1.0}'
/** How much a long name weighs against it: a word among three says more of a thing than a word among thirty. */
const NAME_LENGTH_DAMPING = 4

function scoreOf(lookedFor: Sql): Sql {
  return sql`(ts_rank(${sql.lit(WEIGHTS)}::real[], document.document, ${lookedFor})
    / (${sql.lit(NAME_LENGTH_DAMPING)} + ln(1 + length(ts_filter(document.document, '{a}')))))::real`
}
