import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { fold } from './fold.ts'

interface CandidateRow {
  readonly asked: string
  readonly word: string
  readonly products: bigint
}

/** The known words that look most like an unknown one, by their trigrams. */
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
 * The query with each unknown word replaced by the known one that is the fewest slips away, and of those the most usual;
 * `null` where there is nothing to correct. Only words of the given stores are known.
 */
export async function correctQuery(reader: Reader, text: string, storeIds: readonly string[]): Promise<string | null> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const rows = await reader.rows(readCandidates, [[...new Set(words.map(fold))], storeIds])
  const candidates = Map.groupBy(rows, (row) => row.asked)
  const corrected = words.map((word) => bestOf(fold(word), candidates.get(fold(word)) ?? []) ?? word).join(' ')
  return corrected === words.join(' ') ? null : corrected
}

function bestOf(asked: string, candidates: readonly CandidateRow[]): string | undefined {
  const slipsMax = asked.length <= 4 ? 1 : 2
  return candidates
    .map((candidate) => ({ ...candidate, slips: slipsBetween(asked, candidate.word) }))
    .filter(({ slips }) => slips <= slipsMax)
    .sort((a, b) => a.slips - b.slips || Number(b.products - a.products) || (a.word < b.word ? -1 : 1))[0]?.word
}

/**
 * Letters added, left out, replaced or swapped with their neighbour on the way from one word to the other.
 *
 * @see Damerau, "A technique for computer detection and correction of spelling errors", 1964
 */
export function slipsBetween(from: string, to: string): number {
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
