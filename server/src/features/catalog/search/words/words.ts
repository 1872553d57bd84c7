/** The words of a language that matter for search. All except synonyms are folded: lower case, without accents, `ß` as `ss`. */
export interface LanguageWords {
  /** A name is the same with or without them. */
  readonly articles: readonly string[]
  /** Words that say nothing about a product, such as articles. */
  readonly stopWords: readonly string[]
  /** Words for what shoppers want of any product, such as `cheap`. Few products contain them, so that they are not searched. */
  readonly subjectiveWords: readonly string[]
  /** The word before a thing that is not wanted. */
  readonly without: string
  /** Words and phrases that mean the same, such as `laptop` and `notebook`, as people write them. */
  readonly synonyms: readonly (readonly string[])[]
  /**
   * Words for accessories, by family. A laptop case is not a laptop: it comes after laptops unless the query names an accessory of its
   * family.
   */
  readonly accessories: Readonly<Record<string, readonly string[]>>
  /** Words before a price. */
  readonly price: PriceWords
  /** Begins the part of a name that says what the product is for, not what it is. */
  readonly purpose: RegExp
  /** The last parts of compounds that are written as one word: `laptoptasche` is a `tasche`. */
  readonly compoundHeads: readonly string[]
  /** The singular forms that a word may have, so that a list needs one form only. */
  readonly singularsOf: (word: string) => readonly string[]
}

/** Words before a price, or between two. `belowOrTo` and `aboveOrFrom` may be about something else. */
export interface PriceWords {
  readonly between: readonly string[]
  readonly to: readonly string[]
  readonly below: readonly string[]
  readonly above: readonly string[]
  readonly belowOrTo: readonly string[]
  readonly aboveOrFrom: readonly string[]
}
