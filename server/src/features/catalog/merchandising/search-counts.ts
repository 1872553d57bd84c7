import type { Clock } from '../../../kernel/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../../platform/postgres/statement.ts'
import type { ProductList } from '../reading/list-products.ts'
import { type ListRequest, optionFilters } from '../reading/list-request.ts'
import { foldedText } from '../text-normalization.ts'

/** A search and its result. */
interface CountedSearch {
  readonly locale: string
  /** Folded words; empty for a text that is not kept. */
  readonly query: string
  readonly foundNothing: boolean
  readonly correctedTo: string | null
  /** Whether it had a rule of an operator. */
  readonly edited: boolean
}

interface Count {
  readonly day: string
  readonly locale: string
  readonly query: string
  searches: number
  found_nothing: number
  corrected: number
  edited: number
  corrected_to: string | null
}

/** Queries that a process counts one by one on a day. Further ones are counted together. */
const QUERIES_MAX = 5000
const QUERY_LENGTH_MAX = 80

const addCounts = statement(
  'catalog.add_search_counts',
  `insert into search_counts (day, locale, query, searches, found_nothing, corrected, edited, corrected_to)
   select * from unnest($1::date[], $2::text[], $3::text[], $4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::text[])
   on conflict (day, locale, query) do update set searches = search_counts.searches + excluded.searches,
     found_nothing = search_counts.found_nothing + excluded.found_nothing,
     corrected = search_counts.corrected + excluded.corrected, edited = search_counts.edited + excluded.edited,
     corrected_to = coalesce(excluded.corrected_to, search_counts.corrected_to)`,
)

/** Counts searches in memory. Written every minute, outside of requests. */
export class SearchCounts {
  readonly #clock: Clock
  #counts = new Map<string, Count>()
  #day = ''
  readonly #queriesOfDay = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  record({ locale, query, foundNothing, correctedTo, edited }: CountedSearch): void {
    const day = this.#clock.now().toISOString().slice(0, 10)
    const kept = this.#keeps(day, `${locale} ${query}`) ? query : ''
    this.#add(`${day} ${locale} ${kept}`, {
      day,
      locale,
      query: kept,
      searches: 1,
      found_nothing: foundNothing ? 1 : 0,
      corrected: correctedTo === null ? 0 : 1,
      edited: edited ? 1 : 0,
      corrected_to: kept === '' ? null : correctedTo,
    })
  }

  /** Writes what was counted since the last flush. If that fails, it is written with the next counts. */
  async flush(database: Pick<Database, 'transaction'>): Promise<void> {
    if (this.#counts.size === 0) return
    // Taken before the transaction, which may be repeated.
    const counted = this.#counts
    this.#counts = new Map()
    // In one order, so that two processes that write the same rows do not deadlock.
    const counts = [...counted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count)
    const column = <Name extends keyof Count>(name: Name) => counts.map((count) => count[name])
    const columns = [
      column('day'),
      column('locale'),
      column('query'),
      column('searches'),
      column('found_nothing'),
      column('corrected'),
      column('edited'),
      column('corrected_to'),
    ]
    try {
      await database.transaction(async (tx) => tx.write(addCounts, columns))
    } catch (error) {
      const since = this.#counts
      this.#counts = counted
      for (const [key, count] of since) this.#add(key, count)
      throw error
    }
  }

  #add(key: string, more: Count): void {
    const count = this.#counts.get(key)
    if (count === undefined) {
      this.#counts.set(key, more)
      return
    }
    count.searches += more.searches
    count.found_nothing += more.found_nothing
    count.corrected += more.corrected
    count.edited += more.edited
    count.corrected_to = more.corrected_to ?? count.corrected_to
  }

  #keeps(day: string, query: string): boolean {
    if (day !== this.#day) {
      this.#day = day
      this.#queriesOfDay.clear()
    }
    if (this.#queriesOfDay.has(query)) return true
    if (this.#queriesOfDay.size >= QUERIES_MAX) return false
    this.#queriesOfDay.add(query)
    return true
  }
}

/** Requests for fewer results are for suggestions: they are sent with each letter typed. */
const RESULTS_MIN = 10

/**
 * The search that a request counts as: the first page of a search without filters. `null` for another order, a filter or a further
 * page, which repeat the same search.
 */
export function searchToCount(
  { query, market }: Pick<ListRequest, 'query' | 'market'>,
  { meta, correctedQuery, rule }: Pick<ProductList, 'meta' | 'correctedQuery' | 'rule'>,
): CountedSearch | null {
  const { q = '', cursor, sort = 'relevance', limit = RESULTS_MIN, store, category, brand, product } = query
  const { priceMin, priceMax, availability = 'any' } = query
  const narrowed = [cursor, store, category, brand, product, priceMin, priceMax].some((each) => each !== undefined)
  const isOther = sort !== 'relevance' || availability !== 'any' || Object.keys(optionFilters(query)).length > 0
  if (q === '' || limit < RESULTS_MIN || narrowed || isOther) return null
  return {
    locale: market.locale,
    query: keptText(q),
    foundNothing: meta.page.totalCount === 0,
    correctedTo: correctedQuery,
    edited: rule !== null,
  }
}

/** Seven digits, with any separators: a phone, card or account number. */
const LONG_NUMBER = /(?:\p{Number}[\s\p{Punctuation}\p{Format}+]*){7}/u

/** The folded words of a query; empty if it may be an email address, a personal number or a longer text. */
export function keptText(q: string): string {
  const folded = foldedText(q)
  // Also in the full width of Asian keyboards.
  const isPersonal = q.normalize('NFKC').includes('@') || LONG_NUMBER.test(q) || folded.length > QUERY_LENGTH_MAX
  return isPersonal ? '' : folded
}

export const SEARCH_COUNTS_RETENTION_DAYS = 180
export const sweepSearchCounts = sweepStatement('search_counts', 'day')

/** A query with fewer searches may be about one person. */
const SHOWN_SEARCHES_MIN = 3
const LISTED_MAX = 50

interface DayRow {
  readonly day: string
  readonly searches: number
  readonly found_nothing: number
  readonly corrected: number
  readonly edited: number
}

interface QueryRow extends Omit<DayRow, 'day'> {
  readonly query: string
  readonly corrected_to: string | null
}

const SUMS = `sum(searches)::integer as searches, sum(found_nothing)::integer as found_nothing,
  sum(corrected)::integer as corrected, sum(edited)::integer as edited`
const PERIOD = `day between $1::date and $2::date and ($3::text is null or locale = $3)`
const readDays = statement<DayRow>(
  'catalog.search_counts_by_day',
  `select day::text as day, ${SUMS} from search_counts where ${PERIOD} group by day order by day`,
)
const readQueries = (name: string, column: string) =>
  statement<QueryRow>(
    `catalog.search_counts_${name}`,
    `select query, ${SUMS}, max(corrected_to) as corrected_to from search_counts
     where ${PERIOD} and query <> '' group by query
     having sum(searches) >= ${SHOWN_SEARCHES_MIN} and sum(${column}) > 0
     order by sum(${column}) desc, query limit ${LISTED_MAX}`,
  )
const readTop = readQueries('top', 'searches')
const readEmpty = readQueries('empty', 'found_nothing')
const readCorrected = readQueries('corrected', 'corrected')

interface InsightPeriod {
  /** Days, both included. */
  readonly from: string
  readonly to: string
  /** `null`: all. */
  readonly locale: string | null
}

/** The searches of a period. Rare queries are only in the sums. */
export async function readSearchInsight(reader: Reader, { from, to, locale }: InsightPeriod) {
  const values = [from, to, locale]
  const [days, top, empty, corrected] = await Promise.all([
    reader.rows(readDays, values),
    reader.rows(readTop, values),
    reader.rows(readEmpty, values),
    reader.rows(readCorrected, values),
  ])
  return { days, top, empty, corrected }
}
