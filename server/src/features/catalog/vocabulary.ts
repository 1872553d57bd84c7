import type { Reader } from '../../platform/postgres/access.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { fold } from './fold.ts'

/** Below this similarity of trigrams, a word is another word and no misspelling. */
const SIMILARITY_MIN = 0.4

const readCorrections = statement<{ word: string; correction: string | null }>(
  'catalog.read_corrections',
  `select asked.word, best.word as correction
   from unnest($1::text[]) as asked (word)
   left join lateral (
     select known.word from search_words known
     where known.store_id = any($2::text[]) and known.word % asked.word and known.word <> asked.word
     group by known.word
     having similarity(known.word, asked.word) >= $3
     order by similarity(known.word, asked.word) desc, sum(known.products) desc, known.word
     limit 1
   ) best on not exists (
     select from search_words known where known.store_id = any($2::text[]) and known.word = asked.word)`,
)

/**
 * The query with each unknown word replaced by the known one that looks most like it; `null` where there is nothing to
 * correct. Only words of the given stores are known.
 */
export async function correctQuery(reader: Reader, text: string, storeIds: readonly string[]): Promise<string | null> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const folded = words.map(fold)
  const rows = await reader.rows(readCorrections, [folded, storeIds, SIMILARITY_MIN])
  const corrections = new Map(rows.map((row) => [row.word, row.correction]))
  const corrected = words.map((word, index) => corrections.get(folded[index]!) ?? word).join(' ')
  return corrected === words.join(' ') ? null : corrected
}
