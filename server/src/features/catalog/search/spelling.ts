import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { searchConfiguration } from '../search-text.ts'
import { fold, isUnspaced } from '../text-normalization.ts'

interface CandidateRow {
  readonly asked: string
  readonly word: string
  readonly products: bigint
}

/** The most similar known words of each unknown word, by trigrams. */
const readCandidates = statement<CandidateRow>(
  'catalog.read_spelling_candidates',
  `select asked, near.word, sum(near.products)::bigint as products
   from unnest($1::text[]) as asked
   cross join lateral (
     select known.word, known.products from search_words known
     where known.store_id = any($2::text[])
     order by known.word collate "C" <-> asked
     limit 200
   ) near
   where not exists (select from search_words known where known.store_id = any($2::text[]) and known.word = asked)
   group by asked, near.word`,
)

interface TermRow {
  readonly asked: string
  /** The asked word without its ending, as the index has words. */
  readonly stem: string
  readonly term: string
  readonly documents: number
}

/** The same of the words of all texts, which the index knows without their endings. */
const readTermCandidates = statement<TermRow>(
  'catalog.read_term_candidates',
  `select said.asked, said.stem, near.term, near.documents
   from (
     select asked, locale, (tsvector_to_array(to_tsvector(configuration::regconfig, asked)))[1] as stem
     from unnest($1::text[]) as asked, unnest($2::text[], $3::text[]) as spoken (locale, configuration)) as said
   cross join lateral (
     select known.term, known.documents from search_terms known where known.locale = said.locale
     order by known.term collate "C" <-> said.stem limit 50) as near
   where said.stem is not null and not exists (
     select from search_terms known where known.locale = said.locale and known.term = said.stem)`,
)

/** The longest query that can be searched. */
export const QUERY_MAX = 200

interface Spoken {
  readonly storeIds: readonly string[]
  readonly locales: readonly string[]
}

/** Corrects a text, `null` if nothing changes. */
export type Spelling = (text: string) => Promise<string | null>

/** The spelling of a request, which corrects the same text only once: the nearest words are the costliest lookup of a search. */
export function spelling(reader: Reader, spoken: Spoken): Spelling {
  const corrected = new Map<string, Promise<string | null>>()
  return (text) => {
    const known = corrected.get(text) ?? correctQuery(reader, text, spoken)
    corrected.set(text, known)
    return known
  }
}

/**
 * Replaces each unknown word of a query by the known word with the smallest edit distance, the most frequent of equals: by a word
 * of a name, a brand or a category of the given stores, else by one of any text. `null` if nothing changes. Where a word is only
 * known from a text that is not visible, what it is replaced by finds nothing.
 */
async function correctQuery(reader: Reader, text: string, { storeIds, locales }: Spoken): Promise<string | null> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const asked = [...new Set(words.map(fold))].filter((word) => /\p{Letter}/u.test(word) && !isUnspaced(word))
  const [rows, terms] = await Promise.all([
    reader.rows(readCandidates, [asked, storeIds]),
    reader.rows(readTermCandidates, [asked, locales, locales.map(searchConfiguration)]),
  ])
  const named = Map.groupBy(rows, (row) => row.asked)
  const said = Map.groupBy(terms.map(candidateOf), (row) => row.asked)
  const closest = (word: string) => closestWord(word, named.get(word) ?? []) ?? closestWord(word, said.get(word) ?? [])
  const corrected = words.map((word) => closest(fold(word)) ?? word).join(' ')
  return corrected === words.join(' ') || corrected.length > QUERY_MAX ? null : corrected
}

/** A word of the index with the ending that was typed. */
function candidateOf({ asked, stem, term, documents }: TermRow): CandidateRow {
  const ending = asked.startsWith(stem) ? asked.slice(stem.length) : ''
  return { asked, word: `${term}${ending}`, products: BigInt(documents) }
}

/** A correction changes no digits: `i5` is not `i7`. */
function closestWord(word: string, candidates: readonly CandidateRow[]): string | undefined {
  const distanceMax = word.length <= 4 ? 1 : 2
  const digitsOf = (text: string) => text.replaceAll(/\P{Number}/gu, '')
  return candidates
    .filter((candidate) => digitsOf(candidate.word) === digitsOf(word))
    .map((candidate) => ({ ...candidate, distance: editDistance(word, candidate.word) }))
    .filter(({ distance }) => distance > 0 && distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance || Number(b.products - a.products) || (a.word < b.word ? -1 : 1))[0]?.word
}

/**
 * The number of insertions, deletions, substitutions and transpositions between two words.
 *
 * @see Damerau, "A technique for computer detection and correction of spelling errors", 1964
 */
export function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const above = rows[i - 1]!
      const replaced = above[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(
        Math.min(
          above[j]! + 1,
          row[j - 1]! + 1,
          replaced,
          isSwap ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(row)
  }
  return rows[from.length]![to.length]!
}
