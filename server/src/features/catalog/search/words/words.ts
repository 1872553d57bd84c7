/** What a language knows about words in a shop. All words but synonyms are folded: lower case, without accents, `ß` as `ss`. */
export interface LanguageWords {
  /** A name is the same with or without them. */
  readonly articles: readonly string[]
  /** Words that tell nothing about a product, such as articles. */
  readonly stopWords: readonly string[]
  /** What shoppers want of any product, such as `cheap`. Few products say it of themselves, so that it narrows nothing. */
  readonly subjectiveWords: readonly string[]
  /** What follows is not wanted. */
  readonly without: string
  /** Words and phrases that mean the same, such as `laptop` and `notebook`, as people write them. */
  readonly synonyms: readonly (readonly string[])[]
  /**
   * Words that tell an accessory, by what it is for. A laptop case is no laptop: it comes after laptops unless the query asks for
   * something of its family.
   */
  readonly accessories: Readonly<Record<string, readonly string[]>>
  /** Words before a price. */
  readonly price: PriceWords
  /** In a name, what follows says what the product is for, not what it is. */
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
