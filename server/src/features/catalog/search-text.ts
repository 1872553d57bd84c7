import { fold, wordsOf } from './text-normalization.ts'

/** The stemmer for each language that PostgreSQL brings; `simple`, which stems nothing, for all others. */
const configurations: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hi: 'hindi',
  hu: 'hungarian',
  it: 'italian',
  lt: 'lithuanian',
  nl: 'dutch',
  no: 'norwegian',
  nb: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
}

/** The text search configuration of a locale. */
export function searchConfiguration(locale: string): string {
  return configurations[locale.split('-')[0]!.toLowerCase()] ?? 'simple'
}

/** Attributes are searched by their first words: a data sheet of 13 KB says little about what a thing is. */
const ATTRIBUTE_TEXT_MAX = 1500
const ATTRIBUTE_VALUE_MAX = 100

/** What is searched of a product in one locale, by weight. Folded, as queries are. */
export interface SearchText {
  readonly name: string
  readonly kind: string
  readonly facts: string
  readonly description: string
}

export function searchText(product: {
  readonly name: string
  readonly subtitle: string | null | undefined
  readonly description: string | null | undefined
  readonly brand: string | null
  readonly codes: readonly string[]
  readonly categoryNames: readonly string[]
  readonly attributes: readonly { readonly label: string; readonly value: string | number | boolean }[]
}): SearchText {
  const { brand, codes, categoryNames } = product
  return {
    name: fold(product.name),
    kind: fold([brand ?? '', ...codes, ...codes.map(squeezed), ...categoryNames].join(' ')),
    facts: fold([product.subtitle ?? '', attributeWords(product.attributes)].join(' ')),
    description: fold(product.description ?? ''),
  }
}

/** `CZ-103/A` is also found as `CZ103A`. */
function squeezed(code: string): string {
  return code.replaceAll(/[^\p{Letter}\p{Number}]+/gu, '')
}

/** Words as they stand, and the name of what is true; a bare number says nothing that anybody searches for. */
function attributeWords(
  attributes: readonly { readonly label: string; readonly value: string | number | boolean }[],
): string {
  const words = attributes.flatMap(({ label, value }) => {
    if (value === true) return [label]
    return typeof value === 'string' && value.length <= ATTRIBUTE_VALUE_MAX ? [value] : []
  })
  return words.join(' ').slice(0, ATTRIBUTE_TEXT_MAX)
}

/** The words that a misspelt query may have meant: those of name, brand and categories, but for numbers. */
export function vocabularyOf(texts: readonly string[]): readonly string[] {
  return wordsOf(texts.join(' ')).filter((word) => word.length >= 3 && word.length <= 30 && !/\p{Number}/u.test(word))
}
