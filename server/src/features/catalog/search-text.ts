import { fold, indexedText, wordsOf } from './text-normalization.ts'

/** PostgreSQL's stemmers by language. All others use `simple`, which does not stem. */
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

/** Only the beginning of the attributes is searched: a data sheet of 13 KB says little about what a product is. */
const ATTRIBUTE_TEXT_MAX = 1500
const ATTRIBUTE_VALUE_MAX = 100

/** The folded search text of a product in one locale, by weight. */
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
    name: indexed(product.name),
    kind: indexed([brand ?? '', ...codes, ...codes.map(withoutPunctuation), ...categoryNames].join(' ')),
    facts: indexed([product.subtitle ?? '', attributeWords(product.attributes)].join(' ')),
    description: indexed(product.description ?? ''),
  }
}

const indexed = (text: string) => indexedText(fold(text))

/** So that `CZ103A` finds `CZ-103/A`. */
function withoutPunctuation(code: string): string {
  return code.replaceAll(/[^\p{Letter}\p{Number}]+/gu, '')
}

/** String values, and the labels of true ones. Bare numbers are useless for search. */
function attributeWords(
  attributes: readonly { readonly label: string; readonly value: string | number | boolean }[],
): string {
  const words = attributes.flatMap(({ label, value }) => {
    if (value === true) return [label]
    return typeof value === 'string' && value.length <= ATTRIBUTE_VALUE_MAX ? [value] : []
  })
  return words.join(' ').slice(0, ATTRIBUTE_TEXT_MAX).toWellFormed()
}

/** The words for spelling correction: those of names, brands and categories, without numbers. */
export function vocabularyOf(texts: readonly string[]): readonly string[] {
  return wordsOf(texts.join(' ')).filter((word) => word.length >= 3 && word.length <= 30 && !/\p{Number}/u.test(word))
}
