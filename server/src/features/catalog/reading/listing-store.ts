import { type RawBuilder, sql } from 'kysely'
import type { Environment } from '../../../kernel/environment.ts'
import { queries } from '../../../platform/postgres/query-builder.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { type Statement, statement } from '../../../platform/postgres/statement.ts'
import type { Placement } from '../merchandising/search-edits.ts'
import { matchOf, scored } from '../search/matching.ts'
import { totalOf, weightedByHead, withAll } from '../search/ranking.ts'
import type { SearchQuery } from '../search/terms.ts'
import type { Market } from './market-context.ts'

/** A SQL fragment with bound values. */
export type Sql = RawBuilder<unknown>

export type SortOrder = 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'name_asc' | 'name_desc'

/** The filters that have a facet. */
export interface Narrowing {
  /** `null` is no filter. */
  readonly categoryIds: readonly string[] | null
  readonly storeIds: readonly string[] | null
  readonly brands: readonly string[] | null
  readonly productIds: readonly string[] | null
  readonly priceMin: number | null
  readonly priceMax: number | null
  readonly inStock: boolean
  readonly options: Readonly<Record<string, readonly string[]>>
}

/**
 * The query in the words of each locale, whether most of its words suffice, whether all languages are searched, and the products that
 * operators pin or hide.
 */
export interface SearchWords {
  readonly query: SearchQuery
  readonly hasMost: boolean
  readonly anyLanguage: boolean
  readonly placed: Placement
}

/** A product list: what it contains and in which order. */
export interface ListingQuery {
  readonly market: Market
  readonly environment: Environment
  readonly narrowing: Narrowing
  readonly words: SearchWords | null
  readonly sort: SortOrder
  /** The snapshot of the first page; `null` on the first page itself. */
  readonly snapshot: string | null
}

/** The last product of the previous page. */
export interface Position {
  readonly key: string
  readonly id: string
}

interface PageRow {
  readonly product_id: string
  readonly key: string
  readonly snapshot: string
  readonly epoch: number
  readonly matches?: string | null
}

export interface PageQuery {
  readonly limit: number
  /** `null` on the first page. */
  readonly after: Position | null
  /** Whether to read the ids of all matches too, for counting. */
  readonly withMatches: boolean
}

export interface ListingPage {
  /** The ids with their sort keys and snapshot. One more than `limit` if there is another page. */
  readonly rows: readonly PageRow[]
  /** The ids of all products that match the words, whatever the filters; `null` if they were not read. */
  readonly matches: readonly string[] | null
}

/** Reads a page. Its statement finds all matches anyway, so that reading their ids needs no second one. */
export async function readPage(
  reader: Reader,
  listing: ListingQuery,
  { limit, after, withMatches }: PageQuery,
): Promise<ListingPage> {
  const { column, direction, type } = orders[listing.sort]
  const isRanked = listing.sort === 'relevance'
  const key = sql.raw(column)
  const id = sql.raw(isRanked ? 'found.product_id' : 'listing.product_id')
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  const begin = after ? sql`and (${key}, ${id}) ${beyond} (${after.key}::${sql.raw(type)}, ${after.id})` : sql``
  const order = sql`${key} ${sql.raw(direction)}, ${id} ${sql.raw(direction)}`
  const matches =
    withMatches && listing.words !== null
      ? sql`, case when row_number() over () = 1 then (select ${MATCHES} from found) end as matches`
      : sql``
  // Ordered before the join, so that only the listings of the best matches are looked up: 25 of 843.
  const from = isRanked
    ? sql`(select * from found order by ${order}) as found join listings listing ${onFound(listing)}`
    : sql`listings listing ${joinSearched(listing)}`
  // Values that all rows share are read outside: the snapshot as text for each of 843 matches took as long as the search.
  const query = sql<PageRow>`${searched(listing, isRanked)} page as (
      select listing.product_id, ${key} as key from ${from}
      where ${allOf(conditionsOf(listing))} ${begin}
      order by ${order}
      limit ${limit + 1})
      select product_id, key::text, (select pg_current_snapshot()::text) as snapshot,
        (select epoch from listing_epoch) as epoch${matches}
      from page`.compile(queries)
  const prepared = isRanked ? preparedSearch(query.sql) : null
  const rows = await (prepared ? reader.rows(prepared, query.parameters) : reader.run(query))
  return { rows, matches: rows[0]?.matches?.split(' ') ?? null }
}

/** The most texts that are prepared on a connection, which keeps 0.3 MB for each. */
const PREPARED_MAX = 16
const preparedSearches = new Map<string, Statement<PageRow>>()

/**
 * The prepared statement of a search by relevance: parsing and planning one of two words took 1.3 of 2.6 ms. Its text depends on the
 * number of forms of its terms: 72 real queries have 17 texts, of which seven cover four fifths. `null` if too many are prepared.
 */
function preparedSearch(text: string): Statement<PageRow> | null {
  const known = preparedSearches.get(text)
  if (known !== undefined || preparedSearches.size >= PREPARED_MAX) return known ?? null
  const made = statement<PageRow>(`catalog.read_search_${preparedSearches.size}`, text)
  preparedSearches.set(text, made)
  return made
}

/** Each order has an index that ends with the product id, except relevance, which is computed for the matches. */
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

/** Counting further would cost more than the page itself. */
export const COUNT_MAX = 10_000

/** The number of products of the list, at most `countMax + 1`. */
export async function countListings(reader: Reader, listing: ListingQuery, countMax = COUNT_MAX): Promise<number> {
  const [row] = await reader.run<{ count: bigint }>(
    sql<{ count: bigint }>`${searched(listing)} counted as (
        select from listings listing ${joinSearched(listing)}
        where ${allOf(conditionsOf(listing))} limit ${countMax + 1})
      select count(*) as count from counted`.compile(queries),
  )
  return Number(row?.count ?? 0n)
}

/** Transactions older than the snapshot's xmin are visible in it, so that few are checked one by one. */
const readWalkable = statement<{ walkable: boolean }>(
  'catalog.read_walkable',
  `select epoch = $2::integer and not exists (
     select from swept_transactions swept
     where swept.id >= pg_snapshot_xmin($1::text::pg_snapshot)
       and not pg_visible_in_snapshot(swept.id, $1::text::pg_snapshot)) as walkable
   from listing_epoch`,
)

/** Whether all rows of a snapshot still exist. */
export async function isWalkable(
  reader: Reader,
  { snapshot, epoch }: { readonly snapshot: string; readonly epoch: number },
): Promise<boolean> {
  return (await reader.row(readWalkable, [snapshot, epoch]))?.walkable ?? false
}

/** The conditions that no facet leaves out. */
export function baseConditionsOf({ market, snapshot }: ListingQuery): readonly Sql[] {
  return [sql`listing.currency = ${market.currency}`, servedIn(market, LISTING), seenIn(snapshot, LISTING)]
}

/** The active filters, by facet. */
export function narrowingsOf({ narrowing, environment }: ListingQuery): ReadonlyMap<string, Sql> {
  const { categoryIds, storeIds, brands, productIds, priceMin, priceMax, inStock, options } = narrowing
  const active: [string, Sql | null][] = [
    ['category', categoryIds && sql`listing.lineage && ${categoryIds}::text[]`],
    ['store', storeIds && sql`listing.store_id = any(${storeIds}::text[])`],
    ['brand', brands && sql`listing.brand = any(${brands}::text[])`],
    ['product', productIds && sql`listing.product_id = any(${productIds}::text[])`],
    ['price', priceMin === null && priceMax === null ? null : pricedBetween(priceMin, priceMax)],
    ['availability', inStock ? sellable(environment) : null],
    ...Object.entries(options).map(([name, values]): [string, Sql] => [
      `option.${name}`,
      sql`listing.option_values && ${values.map((value) => `${name}=${value}`)}::text[]`,
    ]),
  ]
  return new Map(active.filter((each): each is [string, Sql] => each[1] !== null))
}

/** Whether any price of the product lies in the range. */
export function pricedBetween(min: number | null, max: number | null): Sql {
  return allOf([
    ...(min === null ? [] : [sql`listing.price_max >= ${min}`]),
    ...(max === null ? [] : [sql`listing.price_min <= ${max}`]),
  ])
}

/** The condition that a product can be bought now, by current stock, not that of the snapshot: sold-out products should not be listed. */
export function sellable(environment: Environment): Sql {
  return sql`exists (select from stock_levels stock
    where stock.product_id = listing.product_id and stock.environment = ${sql.lit(environment)} and stock.offered
      and (not stock.counted or stock.on_hand > stock.held))`
}

function conditionsOf(listing: ListingQuery): readonly Sql[] {
  return [...baseConditionsOf(listing), ...narrowingsOf(listing).values()]
}

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

// Written out: `sql.ref` parses its name on every call, which took 2 % of the server's processor time.
const LISTING = sql`listing`
const DOCUMENT = sql`document`

/** The stores of the market, each in its served language. */
function servedIn(market: Market, table: Sql): Sql {
  const byLocale = Map.groupBy(market.localeByStore, ([, locale]) => locale)
  if (byLocale.size === 0) return sql`false`
  const branches = [...byLocale].map(([locale, stores]) => {
    const storeIds = stores.map(([storeId]) => storeId)
    return sql`(${table}.locale = ${locale} and ${table}.store_id = any(${storeIds}::text[]))`
  })
  return sql`(${sql.join(branches, sql` or `)})`
}

/** The stores of the market, in every language. */
function soldIn(market: Market, table: Sql): Sql {
  return sql`${table}.store_id = any(${[...market.storesById.keys()]}::text[])`
}

/** The rows that were current at the time of the snapshot. See docs/decisions/0006-stable-listing-walks.md. */
function seenIn(snapshot: string | null, table: Sql): Sql {
  if (snapshot === null) return sql`${table}.superseded_by is null`
  return sql`pg_visible_in_snapshot(${table}.listed_by, ${snapshot}::pg_snapshot)
    and (${table}.superseded_by is null or not pg_visible_in_snapshot(${table}.superseded_by, ${snapshot}::pg_snapshot))`
}

/** The languages in which a market is searched: those served, or all that its stores offer. */
export function searchedLocales(market: Market, anyLanguage: boolean): readonly string[] {
  return [...new Set(anyLanguage ? market.stores.flatMap(({ locales }) => locales) : market.localeByStore.values())]
}

/** The `with` clause of a query, with the products that match the words, and their scores if it orders by them. */
export function searched({ market, snapshot, words }: ListingQuery, isScored = false): Sql {
  if (words === null) return sql`with`
  const { anyLanguage, query, hasMost, placed } = words
  const there = anyLanguage ? soldIn(market, DOCUMENT) : servedIn(market, DOCUMENT)
  const matches = query.locales.map((each) => {
    const matching = sql`document.locale = ${each.locale} and document.document @@ ${matchOf(each, query.whole, hasMost)}
      and ${there} and ${seenIn(snapshot, DOCUMENT)}${isUnplaced(placed)}`
    if (isScored) return scored(each, query.whole, matching)
    return sql`select document.product_id, document.locale, 0::real as score from search_documents document where ${matching}`
  })
  if (placed.pins.length > 0) matches.push(sql`${pinned(placed.pins)} and ${there} and ${seenIn(snapshot, DOCUMENT)}`)
  if (matches.length === 0) return sql`with found as (select '' as product_id, '' as locale, 0::real as score limit 0),`
  const all = sql.join(matches, sql` union all `)
  if (!anyLanguage) return sql`with found as materialized (${all}),`
  // A word shared by two languages must match a product only once.
  return sql`with found as materialized (select product_id, max(score) as score from (${all}) as match group by product_id),`
}

/** For each tsquery, whether any product of the stores matches it. */
// The tsquery is a column of a row: for a value that it knows, the planner expected an early match among all products, and PostgreSQL
// read 19,406 of them for a word that none has: 36 ms instead of 0.6.
const readFacts = statement<{ isThere: boolean; isKind: boolean }>(
  'catalog.read_term_facts',
  `select ${['words', 'kinds']
    .map(
      (query) => `exists (select from search_documents document
        where document.locale = said.locale and document.document @@ said.${query}::tsquery
          and document.store_id = any(string_to_array(said.stores, ' ')) and document.superseded_by is null)`,
    )
    .map((exists, index) => `${exists} as ${['"isThere"', '"isKind"'][index]}`)
    .join(', ')}
   from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::text[])) with ordinality as said (locale, words, kinds, stores, place)
   order by said.place`,
)

/** The query for products that have most of its terms, which are weighted by the products of this market. */
export async function relaxed(
  reader: Reader,
  market: Market,
  query: SearchQuery,
  anyLanguage: boolean,
): Promise<SearchQuery> {
  const storesIn = (locale: string) =>
    [...market.localeByStore].flatMap(([store, served]) => (anyLanguage || served === locale ? [store] : [])).join(' ')
  const terms = query.locales.flatMap(({ locale, terms }) => terms.map((term) => ({ locale, term })))
  const facts = await reader.rows(readFacts, [
    terms.map(({ locale }) => locale),
    terms.map(({ term }) => withAll([term])),
    terms.map(({ term }) => term.kinds ?? ''),
    terms.map(({ locale }) => storesIn(locale)),
  ])
  const locales = query.locales.map((words, index) => {
    const before = query.locales.slice(0, index).reduce((sum, { terms }) => sum + terms.length, 0)
    const terms = weightedByHead(words.terms, facts.slice(before))
    return totalOf(terms) > 0 ? { ...words, terms } : words
  })
  return { ...query, locales }
}

/** As one text: the driver takes several times as long to read as many rows. */
const MATCHES = sql`string_agg(product_id, ' ')`

/** The ids of all products that match the words of a search. */
export async function findMatches(reader: Reader, listing: ListingQuery): Promise<readonly string[]> {
  const [row] = await reader.run<{ ids: string | null }>(
    sql<{ ids: string | null }>`${searched(listing)} matches as (select ${MATCHES} as ids from found)
      select ids from matches`.compile(queries),
  )
  return row?.ids ? row.ids.split(' ') : []
}

function isUnplaced({ pins, hidden }: Placement): Sql {
  const apart = [...pins, ...hidden]
  return apart.length === 0 ? sql`` : sql` and document.product_id <> all(${apart}::text[])`
}

/** Pinned products, in their order and above every score. They match any query, but only in their stores and if they pass the filters. */
function pinned(pins: readonly string[]): Sql {
  return sql`select document.product_id, document.locale, (${sql.lit(PINNED_SCORE)} * power(0.99, pin.place))::real as score
    from unnest(${[...pins]}::text[]) with ordinality as pin (id, place)
    join search_documents document on document.product_id = pin.id where true`
}

/** Each pin scores a hundredth less than the previous one: too far apart to be reordered as nearly equal scores are. */
const PINNED_SCORE = 1_000_000

export function joinSearched(listing: ListingQuery): Sql {
  return listing.words === null ? sql`` : sql`join found ${onFound(listing)}`
}

function onFound({ words }: ListingQuery): Sql {
  const sameLanguage = words?.anyLanguage ? sql`` : sql`and found.locale = listing.locale`
  return sql`on found.product_id = listing.product_id ${sameLanguage}`
}
