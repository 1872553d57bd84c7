import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { searchConfiguration } from '../search-text.ts'
import { kindTerms, type SynonymEdits, type Understood, understand, wholeTerm } from './query.ts'
import { type Collection, type FieldLengths, idfOf, type Term, UNCOUNTED } from './ranking.ts'

/** A query in one locale, as PostgreSQL searches and ranks by it. */
export interface LocaleQuery {
  readonly locale: string
  readonly terms: readonly Term[]
  /** The tsquery for the words in their order; `null` for a single word. */
  readonly phrase: string | null
  readonly accessories: readonly string[]
  /** The tsqueries for a product with this name, and for products of these categories. */
  readonly name: string | null
  readonly kinds: string | null
  /** The tsquery for products without the unwanted thing; `null` if there is none. */
  readonly without: string | null
  readonly lengths: FieldLengths
}

export interface SearchQuery {
  readonly locales: readonly LocaleQuery[]
  /** The whole text as one term, as the index has codes and slugs. */
  readonly whole: string
}

/** The weights of a walk, so that a count in between does not change its order: by locale, the idf of each term and the field lengths. */
export type RankedBy = Readonly<Record<string, readonly [idfs: readonly number[], lengths: FieldLengths]>>

interface TermRow {
  readonly locale: string
  readonly form: string
  readonly loose: boolean
  readonly query: string
  readonly documents: number
}

interface StatisticsRow {
  readonly locale: string
  readonly documents: number
  readonly lengths: FieldLengths
}

/** A form is in at most as many documents as its rarest word; a word that is not counted is in one. */
// Planned once, because the planner cannot see its arrays: 0.17 instead of 0.35 ms.
const readTerms = statement<TermRow>(
  'catalog.read_search_terms',
  `select said.locale, said.form, said.loose,
     (case when said.loose then plainto_tsquery(said.configuration::regconfig, said.form)
       else phraseto_tsquery(said.configuration::regconfig, said.form) end)::text as query,
     (select min(coalesce(counted.documents, 1))
      from unnest(to_tsvector(said.configuration::regconfig, said.form)) as lexeme
      left join search_terms counted on counted.locale = said.locale and counted.term = lexeme.lexeme) as documents
   from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::boolean[])) as said (locale, configuration, form, loose)`,
)
const readStatistics = statement<StatisticsRow>(
  'catalog.read_search_statistics',
  `select locale, documents, array[name_length, kind_length, facts_length, description_length] as lengths
   from search_statistics where locale = any((select $1::text[])::text[])`,
)

/** Turns a query into terms for each locale, weighted by the counted words, or like the first page of a walk. */
export async function searchQuery(
  reader: Reader,
  query: string,
  locales: readonly string[],
  rankedBy: RankedBy | null,
  editsIn?: (locale: string) => SynonymEdits,
): Promise<SearchQuery> {
  const understood = new Map(locales.map((locale) => [locale, understand(query, locale, editsIn?.(locale))]))
  const forms = [...understood].flatMap(([locale, { concepts, phrase, unwanted }]) => [
    ...concepts
      .flat()
      .filter((form) => !form.isBeginning)
      .map(({ words, isLoose = false }) => ({ locale, form: words, loose: isLoose })),
    ...[phrase, ...(unwanted ?? [])].map((form) => ({ locale, form, loose: false })),
  ])
  const [rows, statistics] = await Promise.all([
    reader.rows(readTerms, [
      forms.map(({ locale }) => locale),
      forms.map(({ locale }) => searchConfiguration(locale)),
      forms.map(({ form }) => form),
      forms.map(({ loose }) => loose),
    ]),
    reader.rows(readStatistics, [locales]),
  ])
  const byLocale = Map.groupBy(rows, ({ locale }) => locale)
  const counted = new Map(statistics.map((row) => [row.locale, row]))
  return {
    locales: [...understood].map(([locale, each]) =>
      localeQuery(locale, each, byLocale.get(locale) ?? [], {
        collection: counted.get(locale) ?? UNCOUNTED,
        rankedBy: rankedBy?.[locale],
      }),
    ),
    whole: wholeTerm(query),
  }
}

function localeQuery(
  locale: string,
  { concepts, phrase, accessories, name, kinds, unwanted, what }: Understood,
  rows: readonly TermRow[],
  { collection, rankedBy }: { readonly collection: Collection; readonly rankedBy: RankedBy[string] | undefined },
): LocaleQuery {
  const byForm = new Map(rows.filter(({ loose }) => !loose).map((row) => [row.form, row]))
  const byLooseForm = new Map(rows.filter(({ loose }) => loose).map((row) => [row.form, row]))
  const found = concepts.map((forms, at) => ({
    kinds: at < what ? anyOf(forms.flatMap(({ words }) => kindTerms(words, locale))) : null,
    forms: forms.flatMap(({ words, weight, isBeginning, isLoose }, index) => {
      if (isBeginning) return [{ words, query: `'${words}':*`, weight, documents: 1 }]
      const { query = '', documents = 0 } = (isLoose ? byLooseForm : byForm).get(words) ?? {}
      // Without its stop word, `a 4` would be any 4. A unit that is one, such as `5 m` in French, was not indexed either.
      const isPart = index > 0 && /^\p{Letter}+ \d+$|^\d+ \p{Letter}+$/u.test(words) && !query.includes('<')
      return query === '' || isPart ? [] : [{ words, query, weight, documents }]
    }),
  }))
  const terms = found
    // Stop words such as `the` are not in the index, and are not searched, also not as a part of `thexbox`.
    .filter(({ forms }, at) => forms[0]?.words === concepts[at]![0]?.words)
    .map(({ forms, kinds }, index) => ({
      forms,
      kinds,
      idf: rankedBy?.[0][index] ?? idfOf(collection, Math.max(...forms.map(({ documents }) => documents))),
    }))
  return {
    locale,
    terms,
    phrase: terms.length > 1 || unwanted ? (byForm.get(phrase)?.query ?? null) : null,
    accessories,
    name: name && `'${name}'`,
    kinds: anyOf(kinds),
    without: unwanted && withoutNamed(unwanted.map((form) => byForm.get(form)?.query ?? '')),
    lengths: rankedBy?.[1] ?? collection.lengths,
  }
}

/** Leaves out products that name the thing, unless they say that they are without it. */
function withoutNamed([thing, absence]: readonly string[]): string | null {
  return thing ? `(!(${thing.replaceAll(/'(?:[^']|'')+'/g, '$&:A')}) | (${absence}))` : null
}

function anyOf(kinds: readonly string[]): string | null {
  return kinds.length === 0 ? null : kinds.map((kind) => `'${kind}'`).join(' | ')
}

/** The weights that the next pages of a walk rank by. */
export function rankedByOf({ locales }: SearchQuery): RankedBy {
  return Object.fromEntries(
    locales.map(({ locale, terms, lengths }) => [locale, [terms.map(({ idf }) => idf), lengths]]),
  )
}
