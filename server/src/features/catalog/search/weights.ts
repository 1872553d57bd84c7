/**
 * What the ranking weighs. Chosen on rated queries, where anything near is as good; `npm run bench:search` tells what each gives, and
 * how good the choice is for queries that it was not made on.
 */
export const SEARCH_WEIGHTS = {
  /** What a field tells. */
  name: 4,
  kind: 2,
  facts: 1,
  description: 1,
  /** How much a long field lowers what a word in it tells. */
  length: 0.4,
  /** At how much of a term its weight is half of what it can be. */
  saturation: 2,
  /** How much the rarity of a word tells: 0 counts all words alike. */
  rarity: 1,
  /** What an accessory counts where the query asks for none. */
  accessory: 0.7,
  /** How much words in the order of the query add. */
  phrase: 0.1,
  /** How much a category that the query names adds. */
  category: 0.05,
  /** What a synonym counts: less than the word itself, so that of equals the one with the word typed comes first. */
  synonym: 0.8,
}
