import { foldedText } from '../../text-normalization.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { LanguageWords, PriceWords } from './words.ts'

export type { LanguageWords }

const NO_PRICE: PriceWords = { between: [], to: [], below: [], above: [], belowOrTo: [], aboveOrFrom: [] }
const none: LanguageWords = {
  articles: [],
  stopWords: [],
  subjectiveWords: [],
  without: '',
  synonyms: [],
  accessories: {},
  price: NO_PRICE,
  purpose: /(?!)/u,
  compoundHeads: [],
  singularsOf: (word) => [word],
}

const languages = { en, de }

/** Synonyms that ship with Vitrine. */
export interface ShippedSynonyms {
  readonly language: string
  /** As people write them. */
  readonly words: readonly string[]
  /** The same, folded as in queries. The first one is their name. */
  readonly folded: readonly string[]
}

/** The shipped synonyms of all languages. */
export const SHIPPED_SYNONYMS: readonly ShippedSynonyms[] = Object.entries(languages).flatMap(
  ([language, { synonyms }]) => synonyms.map((words) => ({ language, words, folded: words.map(foldedText) })),
)

const SHIPPED_IN = Map.groupBy(SHIPPED_SYNONYMS, ({ language }) => language)

/** The shipped synonyms of the language of a locale. */
export function shippedSynonymsOf(locale: string): readonly ShippedSynonyms[] {
  return SHIPPED_IN.get(languageOf(locale)) ?? []
}

/** Words before a price, of all languages: a shopper may type in any. */
export const PRICE_WORDS: PriceWords = Object.values(languages).reduce(
  (all, { price }) => ({
    between: [...all.between, ...price.between],
    to: [...all.to, ...price.to],
    below: [...all.below, ...price.below],
    above: [...all.above, ...price.above],
    belowOrTo: [...all.belowOrTo, ...price.belowOrTo],
    aboveOrFrom: [...all.aboveOrFrom, ...price.aboveOrFrom],
  }),
  NO_PRICE,
)

/** The words of the language of a locale; empty lists for a language that has none yet. */
export function wordsIn(locale: string): LanguageWords {
  return languages[languageOf(locale) as keyof typeof languages] ?? none
}

/** The language of a locale, in ISO 639: `de-AT` is `de`. */
export function languageOf(locale: string): string {
  return locale.split('-')[0]!.toLowerCase()
}

/** The accessory families that these words name. In a language with compounds, a word may end with the accessory. */
export function accessoriesIn(
  words: readonly string[],
  { accessories, compoundHeads, singularsOf }: LanguageWords,
): string[] {
  const forms = new Set(words.flatMap(singularsOf))
  const isNamed = (each: string) =>
    forms.has(each) || (compoundHeads.length > 0 && [...forms].some((form) => form.endsWith(each)))
  return Object.entries(accessories).flatMap(([family, named]) => (named.some(isNamed) ? [family] : []))
}

/** Splits a folded name or query before its purpose: `case`, `for phones`. A text that begins with its purpose is left whole. */
export function splitAtPurpose(name: string, { purpose }: LanguageWords): readonly [string, string] {
  const at = name.search(purpose)
  return at > 0 && name.slice(0, at).trim() !== '' ? [name.slice(0, at), name.slice(at)] : [name, '']
}

const COMPOUND_REST_MIN = 3

/** The parts of a compound, or `null` if the word is not a known compound. `laptoptaschen` is `laptop`, `taschen`. */
export function partsOf(word: string, { compoundHeads, singularsOf }: LanguageWords): readonly [string, string] | null {
  const forms = singularsOf(word)
  // `handschuh` is no `schuh`.
  if (forms.some((form) => compoundHeads.includes(form))) return null
  for (const form of forms) {
    const head = compoundHeads
      .filter((each) => form.endsWith(each) && form.length - each.length >= COMPOUND_REST_MIN)
      .reduce((longest, each) => (each.length > longest.length ? each : longest), '')
    if (head !== '') return [form.slice(0, -head.length), head]
  }
  return null
}
