import { type RawBuilder, sql } from 'kysely'
import { type Term, type TermForm, totalOf, withAll, withMost } from './ranking.ts'
import type { LocaleQuery } from './terms.ts'
import { SEARCH_WEIGHTS as weights } from './weights.ts'

type Sql = RawBuilder<unknown>

/** The fields by the labels A to D. */
const FIELDS = [
  { label: '{0,0,0,1}', column: 'name_length', weight: 'name' },
  { label: '{0,0,1,0}', column: 'kind_length', weight: 'kind' },
  { label: '{0,1,0,0}', column: 'facts_length', weight: 'facts' },
  { label: '{1,0,0,0}', column: 'description_length', weight: 'description' },
] as const
/** Far above any score: a code is that product, whatever else it may mean. */
const EXACT_SCORE = 1000
/** Above any score too, but below a code. */
const NAME_SCORE = 200

/** The tsquery for a locale: all of the terms or most of them, or the whole text as a code. */
export function matchOf({ terms, name, without }: LocaleQuery, whole: string, hasMost: boolean): Sql {
  const wanted = hasMost ? withMost(terms) : withAll(terms)
  const words = without === null || wanted === '' ? wanted : `(${wanted}) & ${without}`
  return sql`${[words, `'${whole}'`, name ?? ''].filter((each) => each !== '').join(' | ')}::tsquery`
}

/**
 * The score of a `document` for a query: BM25F over the four fields, times the share of the query that it has.
 *
 * @see Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004
 */
export function scoreOf(query: LocaleQuery, whole: string): Sql {
  const { terms, phrase, accessories, name, kinds } = query
  const exact = sql`case when said.words @@ ${`'${whole}'`}::tsquery then ${sql.lit(EXACT_SCORE)}
    when said.words @@ ${name ?? ''}::tsquery then ${sql.lit(NAME_SCORE)} else 0 end`
  if (terms.length === 0) return sql`(select (${exact})::real from ${wordsOf(query)})`
  const columns = terms.map((_, index) => sql.ref(`counted.term_${index}`))
  const gains = terms.map(
    ({ idf }, index) =>
      sql`${idf}::real * (1::real - ${sql.lit(weights.saturation)}::real / (${sql.lit(weights.saturation)}::real + ${columns[index]!}))`,
  )
  const present = terms.map(({ idf }, index) => sql`${idf}::real * sign(${columns[index]!})`)
  const sum = sql`(${sql.join(gains, sql` + `)})`
  const share = terms.length === 1 ? sql`1` : sql`(${sql.join(present, sql` + `)}) / ${totalOf(terms)}::real`
  const inOrder =
    phrase === null
      ? sql`1`
      : sql`(case when said.words @@ ${phrase}::tsquery then ${sql.lit(1 + weights.phrase)} else 1 end)`
  const accessory = sql`(case when document.accessories is null or document.accessories && ${[...accessories]}::text[]
    then 1 else ${sql.lit(weights.accessory)} end)`
  const kind =
    kinds === null
      ? sql`1`
      : sql`(case when said.words @@ ${kinds}::tsquery then ${sql.lit(1 + weights.category)} else 1 end)`
  return sql`(select (${sum} * ${share} * ${inOrder} * ${accessory} * ${kind} + ${exact})::real
    from ${wordsOf(query)} cross join lateral (select ${sql.join(
      terms.map((term, index) => sql`${bestForm(term)} as ${sql.ref(`term_${index}`)}`),
    )} offset 0) as counted)`
}

/**
 * The words of a document, read once: each function would read a long one again from the table that keeps it apart, four lookups for
 * each. Setting the weight of no words copies them.
 */
function wordsOf({ lengths }: LocaleQuery): Sql {
  const fields = FIELDS.map(({ column, weight }, index) => {
    const usual = Math.max(lengths[index]!, 1)
    const length = sql`coalesce(${sql.ref(`document.${column}`)}::real, ${sql.lit(usual)}::real)`
    return sql`${sql.lit(weights[weight])}::real / (${sql.lit(1 - weights.length)}::real + ${sql.lit(weights.length / usual)}::real * ${length}) as ${sql.raw(weight)}`
  })
  return sql`(select setweight(document.document, 'A', '{}'::text[]) as words, ${sql.join(fields)} offset 0) as said`
}

function bestForm({ forms }: Term): Sql {
  const each = forms.map(frequencyOf)
  return each.length === 1 ? each[0]! : sql`greatest(${sql.join(each)})`
}

/**
 * How often a form is in the fields, weighted and by their length. `ts_rank` of one field is the sum of 1/n² over the occurrences, over
 * π²/6, so that 1 / (1 − rank) grows by π²/6 with each: the only count that PostgreSQL has built in. The rank of a phrase tells how
 * close its words are, which is known; it counts once.
 */
function frequencyOf({ query, weight }: TermForm): Sql {
  const fields = FIELDS.map(({ label, weight: field }) => {
    const rankMax = /[<&]/.test(query) ? RANK_OF_ONE : RANK_OF_TEN
    return sql`(${sql.lit(1 / ZETA)}::real / (1::real - least(ts_rank(${sql.lit(label)}::real[], said.words, ${query}::tsquery), ${sql.lit(rankMax)}::real)) - ${sql.lit(1 / ZETA)}::real) * said.${sql.raw(field)}`
  })
  return sql`(case when said.words @@ ${query}::tsquery then ${sql.lit(weight)}::real * (${sql.join(fields, sql` + `)}) else 0::real end)`
}

/** π²/6, the sum of 1/n². */
const ZETA = 1.644_934
const RANK_OF_ONE = 0.6079
const RANK_OF_TEN = 0.942
