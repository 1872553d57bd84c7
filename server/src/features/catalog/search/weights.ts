/**
 * The weights of the ranking. Chosen on rated queries, where similar values are as good; `npm run bench:search` prints the effect of
 * each, and how good the choice is for queries that it was not made on.
 */
export const SEARCH_WEIGHTS = {
  /** The weights of the fields. */
  name: 4,
  kind: 2,
  facts: 1,
  description: 1,
  /** How much the length of a field lowers the weight of its words. */
  length: 0.4,
  /** The weighted frequency at which a term has half of its maximum weight. */
  saturation: 2,
  /** How much the rarity of a word counts: 0 weighs all words alike. */
  rarity: 1,
  /** The factor of an accessory if the query names none. */
  accessory: 0.7,
  /** The share that words in the order of the query add. */
  phrase: 0.1,
  /** The share that a category named in the query adds. */
  category: 0.05,
  /** The weight of a synonym: less than the typed word, so that of equal products the one with the typed word comes first. */
  synonym: 0.8,
}
