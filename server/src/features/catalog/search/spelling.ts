import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { fold } from '../text-normalization.ts'

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
     order by known.word <-> asked
     limit 200
   ) near
   where not exists (select from search_words known where known.store_id = any($2::text[]) and known.word = asked)
   group by asked, near.word`,
)

/**
 * Replaces each unknown word of a query by the known word with the smallest edit distance, the most frequent of equals. `null`
 * if nothing changes. Known words are those of the given stores.
 */
export async function correctQuery(reader: Reader, text: string, storeIds: readonly string[]): Promise<string | null> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const rows = await reader.rows(readCandidates, [[...new Set(words.map(fold))], storeIds])
  const candidates = Map.groupBy(rows, (row) => row.asked)
  const corrected = words.map((word) => closestWord(fold(word), candidates.get(fold(word)) ?? []) ?? word).join(' ')
  return corrected === words.join(' ') ? null : corrected
}

function closestWord(word: string, candidates: readonly CandidateRow[]): string | undefined {
  const distanceMax = word.length <= 4 ? 1 : 2
  return candidates
    .map((candidate) => ({ ...candidate, distance: editDistance(word, candidate.word) }))
    .filter(({ distance }) => distance <= distanceMax)
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
