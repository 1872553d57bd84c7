import { kindTerms, nameTerm, wholeTerm } from './search/query.ts'
import { accessoriesIn, type LanguageWords, partsOf, splitAtPurpose, wordsIn } from './search/words/index.ts'
import { fold, foldedText, indexedText, plainWords, wordsOf } from './text-normalization.ts'

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

/** The search text of a product in one locale: folded words and word counts by field; codes, name and categories as whole terms. */
interface SearchText {
  readonly name: string
  readonly kind: string
  readonly facts: string
  readonly description: string
  readonly name_length: number
  readonly kind_length: number
  readonly facts_length: number
  readonly description_length: number
  readonly codes: readonly string[]
  /** The accessory families that the name indicates; `null` if there are none. */
  readonly accessories: readonly string[] | null
}

interface SearchedText {
  readonly name: string
  readonly slug: string
  readonly subtitle: string | null | undefined
  readonly description: string | null | undefined
  readonly brand: string | null
  readonly codes: readonly string[]
  readonly categoryNames: readonly string[]
  readonly attributes: readonly {
    readonly key: string
    readonly label: string
    readonly value: string | number | boolean
  }[]
}

export function searchText(product: SearchedText, locale: string): SearchText {
  const { brand, codes, categoryNames, attributes } = product
  const language = wordsIn(locale)
  const indexed = (text: string) => indexedWords(text, language)
  const [what, purpose] = splitAtPurpose(fold(product.name), language)
  const fields = {
    name: indexed(what),
    kind: indexed([brand ?? '', ...codes, ...codes.map(withoutPunctuation), ...categoryNames].join(' ')),
    facts: indexed([purpose, product.subtitle ?? '', attributeWords(attributes)].join(' ')),
    description: indexed(product.description ?? ''),
  }
  const accessories = accessoriesIn(plainWords(what).split(' '), language)
  return {
    ...fields,
    name_length: wordCount(fields.name),
    kind_length: wordCount(fields.kind),
    facts_length: wordCount(fields.facts),
    description_length: wordCount(fields.description),
    codes: [
      ...new Set([
        ...[product.slug, ...codes, ...codesIn(attributes)].map(wholeTerm).filter((term) => term.length > 1),
        ...[nameTerm(product.name, locale) ?? []].flat(),
        ...categoryNames.flatMap((name) => kindTerms(name, locale)),
      ]),
    ],
    accessories: accessories.length === 0 ? null : accessories,
  }
}

/** Folded words for the index, plus the parts of compounds that are written as one word. */
function indexedWords(text: string, language: LanguageWords): string {
  const words = foldedText(text)
  if (language.compoundHeads.length === 0) return indexedText(words)
  const parts = words.split(' ').flatMap((word) => partsOf(word, language) ?? [])
  return indexedText([words, ...parts].join(' '))
}

/** The most that a length of the index can be. */
const LENGTH_MAX = 32_767

function wordCount(words: string): number {
  return Math.min(LENGTH_MAX, words === '' ? 0 : words.split(/\s+/).length)
}

/** Removes punctuation, so that `CZ103A` finds `CZ-103/A`. */
function withoutPunctuation(code: string): string {
  return code.replaceAll(/[^\p{Letter}\p{Number}]+/gu, '')
}

/** Attributes whose values are codes, separated by commas. */
const CODE_ATTRIBUTES = new Set(['gtin', 'ean', 'upc', 'isbn', 'mpn'])

function codesIn(attributes: SearchedText['attributes']): readonly string[] {
  return attributes.flatMap(({ key, value }) =>
    CODE_ATTRIBUTES.has(key.toLowerCase()) ? String(value).split(',') : [],
  )
}

/** String values, and the labels of attributes that are true. Bare numbers are useless for search. */
function attributeWords(attributes: SearchedText['attributes']): string {
  const words = attributes.flatMap(({ label, value }) => {
    if (value === true) return [label]
    return typeof value === 'string' && value.length <= ATTRIBUTE_VALUE_MAX ? [value] : []
  })
  return words.join(' ').slice(0, ATTRIBUTE_TEXT_MAX).toWellFormed()
}

/** The words for spelling correction and completion, from names, brands and categories. Bare numbers are left out. */
export function vocabularyOf(texts: readonly string[]): readonly string[] {
  return wordsOf(texts.join(' ')).filter((word) => word.length >= 3 && word.length <= 30 && /\p{Letter}/u.test(word))
}
