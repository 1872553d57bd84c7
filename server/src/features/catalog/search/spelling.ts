import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { searchConfiguration } from '../search-text.ts'
import { fold, isUnspaced, visibleText } from '../text-normalization.ts'
import { QUERY_MAX } from './price.ts'
import { partsOf, wordsIn } from './words/index.ts'

/** From these lengths on, one letter or two may be wrong or missing. In shorter words, two may be swapped: `hp` is not `uhp`. */
const ONE_SLIP_MIN = 4
const TWO_SLIPS_MIN = 8

interface CandidateRow {
  readonly asked: string
  readonly word: string
  readonly products: bigint
}

/**
 * Words that no name, brand or category of these stores has, or no text of their products, and whether any text does, or they are stop
 * words.
 */
// Not by `search_terms`, which has the words of gated stores too. The vocabulary has those of archived products for a while.
const readUnnamed = statement<{ asked: string; said: boolean }>(
  'catalog.read_unnamed_words',
  `select * from (
     select asked, coalesce(bool_or(said.stem is null
       or exists (select from search_documents document where document.document @@ said.query
         and document.locale = said.locale and document.store_id = any((select $2::text[])::text[]) and document.superseded_by is null)), false) as said
     from unnest((select $1::text[])) as asked
     left join lateral (
       select locale, (tsvector_to_array(to_tsvector(configuration::regconfig, asked)))[1] as stem,
         plainto_tsquery(configuration::regconfig, asked) as query
       from unnest((select $3::text[]), (select $4::text[])) as spoken (locale, configuration) offset 0) as said on true
     group by asked) as each
   where not said
     or not exists (select from search_words known where known.store_id = any((select $2::text[])::text[]) and known.word = asked)`,
)

/**
 * The condition that a known word is a candidate for another one: it has a similar length and begins with one of its first two letters,
 * or differs only in its first letter, which counts as two slips.
 */
const begunLike = (
  asked: string,
  word: string,
) => `${word} collate "C" >= begun.letter and ${word} collate "C" < begun.letter || chr(1114111)
  and length(${word}) - length(${asked}) between -begun.slips and begun.slips`
const lettersOf = (asked: string, typed = asked) => `(
  select letter, case when length(${typed}) < ${TWO_SLIPS_MIN} then 1 else 2 end as slips
  from (select left(${asked}, 1) as letter union select substr(${asked}, 2, 1) where length(${asked}) > 1) as letters) as begun`
const goesOnLike = (asked: string, word: string, typed = asked) => `length(${typed}) >= ${TWO_SLIPS_MIN}
  and substr(${word}, 2) in (${asked}, substr(${asked}, 2)) and left(${word}, 1) not in (left(${asked}, 1), substr(${asked}, 2, 1))`

/** The known words that are candidates for each word. */
// By similarity of trigrams, which reads much of their index, this took 2 to 11 ms instead of 0.6 to 1.3.
const readCandidates = statement<CandidateRow>(
  'catalog.read_spelling_candidates',
  `select asked, near.word, sum(near.products)::bigint as products
   from unnest((select $1::text[])) as asked
   cross join lateral (
     select known.word, known.products, known.store_id from ${lettersOf('asked')} join search_words known on ${begunLike('asked', 'known.word')}
     union all
     select known.word, known.products, known.store_id from search_words known where ${goesOnLike('asked', 'known.word')}) as near
   where near.store_id = any((select $2::text[])::text[])
   group by asked, near.word`,
)

interface TermRow {
  readonly asked: string
  /** The asked word without its ending, as in the index. */
  readonly stem: string
  readonly term: string
  readonly documents: number
}

/** The same for the words of all texts, which the index has without their endings. */
const readTermCandidates = statement<TermRow>(
  'catalog.read_term_candidates',
  `select said.asked, said.stem, near.term, near.documents
   from (
     select asked, locale, (tsvector_to_array(to_tsvector(configuration::regconfig, asked)))[1] as stem
     from unnest((select $1::text[])) as asked, unnest((select $2::text[]), (select $3::text[])) as spoken (locale, configuration) offset 0) as said
   cross join lateral (
     select known.term, known.documents from ${lettersOf('said.stem', 'said.asked')}
     join search_terms known on known.locale = said.locale and ${begunLike('said.stem', 'known.term')}
     union all
     select known.term, known.documents from search_terms known
     where known.locale = said.locale and ${goesOnLike('said.stem', 'known.term', 'said.asked')}) as near
   where said.stem is not null`,
)

/** The parts of a word that is two known words written as one, if a product has them in this order. */
const readParts = statement<CandidateRow>(
  'catalog.read_parts_of_words',
  `select said.asked, said.word, said.products from (
     select asked, first || ' ' || second as word, least(
       (select sum(products) from search_words known where known.store_id = any((select $4::text[])::text[]) and known.word = first),
       (select sum(products) from search_words known where known.store_id = any((select $4::text[])::text[]) and known.word = second))::bigint as products
     from unnest((select $1::text[]), (select $2::text[]), (select $3::text[])) as split (asked, first, second) offset 0) as said
   where said.products is not null and exists (
     select from unnest((select $5::text[]), (select $6::text[])) as spoken (locale, configuration)
     join search_documents document on document.locale = spoken.locale
       and document.document @@ phraseto_tsquery(spoken.configuration::regconfig, said.word)
       and document.store_id = any((select $4::text[])::text[]) and document.superseded_by is null)`,
)
const PART_MIN = 3
/** The most candidates for a word of which it is checked whether a product of these stores has them: the others are archived or gated. */
const CHECKED_MAX = 5

interface Spoken {
  readonly storeIds: readonly string[]
  readonly locales: readonly string[]
}

/** Corrects a text, `null` if nothing changes. */
export type Spelling = (text: string) => Promise<string | null>

/** The spelling of a request. It corrects the same text only once: similar words are the most expensive lookup of a search. */
export function spelling(reader: Reader, spoken: Spoken): Spelling {
  const corrected = new Map<string, Promise<string | null>>()
  return (text) => {
    const known = corrected.get(text) ?? correctQuery(reader, text, spoken)
    corrected.set(text, known)
    return known
  }
}

/**
 * Replaces each unknown word of a query by the known word with the smallest edit distance, and of equals the most frequent: by a word
 * of a name, a brand or a category of the given stores, else by one of any text, else by the two words that it consists of. `null` if
 * nothing changes. Words that no product of these stores has are not used: a correction would tell what a gated store sells.
 */
async function correctQuery(reader: Reader, typed: string, { storeIds, locales }: Spoken): Promise<string | null> {
  const text = visibleText(typed)
  const words = [...new Set((text.match(WORD) ?? []).map(fold))]
  const asked = words.filter((word) => /\p{Letter}/u.test(word) && !isUnspaced(word))
  const configurations = locales.map(searchConfiguration)
  const spoken = [storeIds, locales, configurations]
  const unnamed = await reader.rows(readUnnamed, [asked, ...spoken])
  if (unnamed.length === 0) return null
  const unknown = unnamed.filter(({ said }) => !said).map((row) => row.asked)
  const split = unknown.flatMap((word) =>
    Array.from({ length: Math.max(0, word.length - 2 * PART_MIN + 1) }, (_, index) => [
      word,
      word.slice(0, index + PART_MIN),
      word.slice(index + PART_MIN),
    ]),
  )
  const [rows, allTerms, parts] = await Promise.all([
    reader.rows(readCandidates, [unnamed.map((row) => row.asked), storeIds]),
    reader.rows(readTermCandidates, [unknown, locales, configurations]),
    reader.rows(readParts, [
      ...[0, 1, 2].map((each) => split.map((row) => row[each])),
      storeIds,
      locales,
      configurations,
    ]),
  ])
  // A word that some text has may be right, unless two of its letters are swapped.
  const named = closestOf(rows, (word) => !unknown.includes(word))
  const terms = closestOf(allTerms.map(candidateOf), () => false)
  const candidates = [...named, ...terms].map(({ word }) => word)
  const checked = candidates.length === 0 ? [] : await reader.rows(readUnnamed, [candidates, ...spoken])
  const unsaid = new Set(checked.filter(({ said }) => !said).map((row) => row.asked))
  const closest = (word: string) =>
    [...named, ...terms].find((row) => row.asked === word && !unsaid.has(row.word))?.word ??
    parts.filter((row) => row.asked === word).sort((a, b) => Number(b.products - a.products))[0]?.word ??
    compoundIn(word, locales)
  const corrected = text.replace(WORD, (word) => closest(fold(word)) ?? word)
  return corrected === text || corrected.length > QUERY_MAX ? null : corrected
}

const WORD = /[\p{Letter}\p{Mark}\p{Number}]+/gu

/** Splits a compound into its parts: `kaffeetasse` into `kaffee tasse`. */
function compoundIn(word: string, locales: readonly string[]): string | undefined {
  return locales.flatMap((locale) => partsOf(word, wordsIn(locale))?.join(' ') ?? [])[0]
}

/** A word of the index with the ending that was typed. */
function candidateOf({ asked, stem, term, documents }: TermRow): CandidateRow {
  const ending = asked.startsWith(stem) ? asked.slice(stem.length) : ''
  return { asked, word: `${term}${ending}`, products: BigInt(documents) }
}

/** The first few words that may have been meant by each word. */
function closestOf(rows: readonly CandidateRow[], swappedAlone: (word: string) => boolean): readonly CandidateRow[] {
  return [...Map.groupBy(rows, (row) => row.asked)].flatMap(([word, candidates]) =>
    closestWords(word, candidates, swappedAlone(word)).slice(0, CHECKED_MAX),
  )
}

/** The words that may have been meant, the best first. A correction changes no digits, as `i5` is not `i7`, and rarely the first letter. */
function closestWords(word: string, candidates: readonly CandidateRow[], swappedAlone: boolean): CandidateRow[] {
  const digitsOf = (text: string) => text.replaceAll(/\P{Number}/gu, '')
  const letters = swappedAlone ? 0 : word.length - digitsOf(word).length
  const slipsMax = letters >= TWO_SLIPS_MIN ? 2 : 1
  const sorted = (text: string) => [...text].sort().join('')
  const sortedWord = sorted(word)
  const isSwapped = (other: string) => other.length === word.length && sorted(other) === sortedWord
  const slipsTo = (other: string) =>
    editDistance(word, other, slipsMax) + (other[0] === word[0] || isSwapped(other) ? 0 : 1)
  return candidates
    .filter(({ word: other }) => digitsOf(other) === digitsOf(word) && (letters >= ONE_SLIP_MIN || isSwapped(other)))
    .map((candidate) => ({ ...candidate, distance: slipsTo(candidate.word) }))
    .filter(({ distance }) => distance > 0 && distance <= slipsMax)
    .sort((a, b) => a.distance - b.distance || Number(b.products - a.products) || (a.word < b.word ? -1 : 1))
}

/**
 * The number of insertions, deletions, substitutions and transpositions between two words, or any above `most` where there are more.
 *
 * @see Damerau, "A technique for computer detection and correction of spelling errors", 1964
 */
export function editDistance(from: string, to: string, most = Number.POSITIVE_INFINITY): number {
  let least = 0
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
    const before = least
    least = Math.min(...row)
    // All further rows follow from the last two.
    if (before > most && least > most) return least
  }
  return rows[from.length]![to.length]!
}
