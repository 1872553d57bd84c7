/** Human ratings of one query: from 0, useless, to 3, perfect, by product. */
export type Ratings = ReadonlyMap<string, number>

const RATING_MAX = 3
const USEFUL_FROM = 2
const DEPTH = 10

export interface Relevance {
  /** NDCG@10 of only the rated products, in their order. */
  readonly condensed: number
  /** NDCG@10 with unrated products counted as useless. */
  readonly raw: number
  /** Recall@10 of the products rated 2 or 3. */
  readonly recall: number | null
  readonly isEmpty: boolean
}

/** The relevance of a result, by the ratings of its query. Gains are linear. */
export function relevanceOf(result: readonly string[], ratings: Ratings): Relevance {
  const gains = (ids: readonly string[]) => ids.slice(0, DEPTH).map((id) => (ratings.get(id) ?? 0) / RATING_MAX)
  const best = discounted([...ratings.values()].sort((a, b) => b - a).map((rating) => rating / RATING_MAX))
  const useful = [...ratings].filter(([, rating]) => rating >= USEFUL_FROM).map(([id]) => id)
  const top = new Set(result.slice(0, DEPTH))
  return {
    condensed: discounted(gains(result.filter((id) => ratings.has(id)))) / best,
    raw: discounted(gains(result)) / best,
    recall: useful.length === 0 ? null : useful.filter((id) => top.has(id)).length / useful.length,
    isEmpty: result.length === 0,
  }
}

/** @see Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002 */
function discounted(gains: readonly number[]): number {
  return gains.slice(0, DEPTH).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

/** The means of several queries; recall only over those that have useful products. */
export function meanOf(each: readonly Relevance[]): Record<'condensed' | 'raw' | 'recall' | 'empty', number> {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    condensed: mean(each.map(({ condensed }) => condensed)),
    raw: mean(each.map(({ raw }) => raw)),
    recall: mean(each.flatMap(({ recall }) => recall ?? [])),
    empty: mean(each.map(({ isEmpty }) => (isEmpty ? 1 : 0))),
  }
}

/** The query with two neighboring letters of its longest word swapped, or unchanged if that has no two different ones. */
export function withTypo(query: string, random: () => number): string {
  const words = query.split(' ')
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  // The first letter is rarely mistyped, and a swap of equal letters changes nothing.
  const places = [...longest].flatMap((letter, at) =>
    at > 0 && at + 1 < longest.length && letter !== longest[at + 1] ? [at] : [],
  )
  const at = places[Math.floor(random() * places.length)]
  if (at === undefined) return query
  const swapped = `${longest.slice(0, at)}${longest[at + 1]}${longest[at]}${longest.slice(at + 2)}`
  return words.map((word) => (word === longest ? swapped : word)).join(' ')
}

/** Numbers from 0 to 1 that a seed repeats. @see Marsaglia, "Xorshift RNGs", 2003 */
export function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
