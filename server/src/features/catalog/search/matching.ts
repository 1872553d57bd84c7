import { type RawBuilder, sql } from 'kysely'
import { type Term, type TermForm, totalOf, withAll, withMost } from './ranking.ts'
import type { LocaleQuery } from './terms.ts'
import { SEARCH_WEIGHTS as weights } from './weights.ts'

type Sql = RawBuilder<unknown>

/** The fields, by PostgreSQL's weight labels A to D. */
const FIELDS = [
  { label: '{0,0,0,1}', column: 'name_length', weight: 'name' },
  { label: '{0,0,1,0}', column: 'kind_length', weight: 'kind' },
  { label: '{0,1,0,0}', column: 'facts_length', weight: 'facts' },
  { label: '{1,0,0,0}', column: 'description_length', weight: 'description' },
] as const
/** Far above any score: a code means its product, whatever else it may mean. */
const EXACT_SCORE = 1000
/** Above any score, but below that of a code. */
const NAME_SCORE = 200

/** The tsquery for a locale: all of the terms or most of them, or the whole text as a code. */
export function matchOf({ terms, name, without }: LocaleQuery, whole: string, hasMost: boolean): Sql {
  const wanted = hasMost ? withMost(terms) : withAll(terms)
  const words = without === null || wanted === '' ? wanted : `(${wanted}) & ${without}`
  return sql`${[words, `'${whole}'`, name ?? ''].filter((each) => each !== '').join(' | ')}::tsquery`
}

/**
 * The products that match, with their scores for a query: BM25F over the four fields, times the share of the query that they have.
 *
 * Each step is a subquery, so that its values are computed once for each product: as parts of one expression, they took as long as the
 * ranks.
 *
 * @param matching the condition for rows of `search_documents document`
 * @see Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004
 */
export function scored(query: LocaleQuery, whole: string, matching: Sql): Sql {
  const terms = query.terms.map((term, index) => sql`, ${bestForm(term)} as ${sql.raw(`term_${index}`)}`)
  return sql`select product_id, locale, ${scoreOf(query, whole)} as score
    from (select weighed.*${sql.join(terms, sql``)}
      from (select said.*, name + kind + facts + description as fields
        from (select document.product_id, document.locale, document.accessories, ${wordsOf(query)}
          from search_documents document where ${matching} offset 0) as said
        offset 0) as weighed
      offset 0) as counted`
}

function scoreOf({ terms, phrase, accessories, name, kinds }: LocaleQuery, whole: string): Sql {
  const exact = sql`case when words @@ ${`'${whole}'`}::tsquery then ${sql.lit(EXACT_SCORE)}
    when words @@ ${name ?? ''}::tsquery then ${sql.lit(NAME_SCORE)} else 0 end`
  if (terms.length === 0) return sql`(${exact})::real`
  const columns = terms.map((_, index) => sql.raw(`term_${index}`))
  const gains = terms.map(
    ({ idf }, index) =>
      sql`${idf}::real * (1::real - ${sql.lit(weights.saturation)}::real / (${sql.lit(weights.saturation)}::real + ${columns[index]!}))`,
  )
  const present = terms.map(({ idf }, index) => sql`${idf}::real * sign(${columns[index]!})`)
  const factors = [
    sql`(${sql.join(gains, sql` + `)})`,
    ...(terms.length === 1 ? [] : [sql`(${sql.join(present, sql` + `)}) / ${totalOf(terms)}::real`]),
    ...(phrase === null ? [] : [factor(sql`words @@ ${phrase}::tsquery`, 1 + weights.phrase, 1)]),
    factor(sql`accessories is null or accessories && ${[...accessories]}::text[]`, 1, weights.accessory),
    ...(kinds === null ? [] : [factor(sql`words @@ ${kinds}::tsquery`, 1 + weights.category, 1)]),
  ]
  return sql`(${sql.join(factors, sql` * `)} + ${exact})::real`
}

/** A bare literal would be a numeric, whose conversion took as long as all ranks of a product. */
function factor(condition: Sql, met: number, otherwise: number): Sql {
  return sql`case when ${condition} then ${sql.lit(met)}::float8 else ${sql.lit(otherwise)}::float8 end`
}

/**
 * The words of a document, read once: otherwise each function would read a long document from its TOAST table again, with four lookups
 * each. Setting the weight of no words copies them.
 */
function wordsOf({ lengths }: LocaleQuery): Sql {
  const fields = FIELDS.map(({ column, weight }, index) => {
    const usual = Math.max(lengths[index]!, 1)
    const length = sql`coalesce(document.${sql.raw(column)}, ${usual}::real)`
    return sql`${sql.lit(weights[weight] / ZETA)}::real / (${sql.lit(1 - weights.length)}::real + ${weights.length / usual}::real * ${length}) as ${sql.raw(weight)}`
  })
  return sql`setweight(document.document, 'A', '{}'::text[]) as words, ${sql.join(fields)}`
}

function bestForm({ forms }: Term): Sql {
  const each = forms.map(frequencyOf)
  return each.length === 1 ? each[0]! : sql`greatest(${sql.join(each)})`
}

/**
 * The frequency of a form in the fields, by their weights and lengths. `ts_rank` of one field is the sum of 1/n² over the occurrences,
 * over π²/6, so that 1 / (1 − rank) grows by π²/6 with each: the only count that PostgreSQL has built in. The rank of a phrase depends
 * on the distance of its words, which is fixed, so that it counts once.
 */
function frequencyOf({ query, weight }: TermForm): Sql {
  const isPhrase = /[<&]/.test(query)
  const fields = FIELDS.map(({ label, weight: field }) => {
    const rank = sql`ts_rank(${sql.lit(label)}::real[], words, ${query}::tsquery)`
    const once = isPhrase ? sql`least(${rank}, ${sql.lit(RANK_OF_ONE)}::real)` : rank
    return sql`${sql.raw(field)} / (1::real - ${once})`
  })
  return sql`case when words @@ ${query}::tsquery then ${sql.lit(weight)}::real * (${sql.join(fields, sql` + `)} - fields) else 0::real end`
}

/** π²/6, the sum of 1/n². */
const ZETA = 1.644_934
const RANK_OF_ONE = 0.6079
