import type { Suggestion } from '@vitrine/contract'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { CategoryNames } from '../reading/categories.ts'
import type { Market } from '../reading/market-context.ts'
import { storeReference } from '../reading/store-view.ts'
import { searchConfiguration } from '../search-text.ts'
import { presentImage, textIn } from '../stored-json.ts'
import {
  fold,
  foldedText,
  foldedWords,
  isUnspaced,
  pairsOf,
  spacedScripts,
  visibleText,
} from '../text-normalization.ts'
import type { Spelling } from './spelling.ts'
import {
  completionsOf,
  type FoundRow,
  type NamedCategory,
  namedProducts,
  type ShownRow,
  shownOf,
  suggestedCategories,
} from './suggestion-store.ts'
import { type LanguageWords, wordsIn } from './words/index.ts'

const QUERIES_MAX = 5
const CATEGORIES_MAX = 3
const CATEGORIES_READ_MAX = 40
const PRODUCTS_MAX = 4
const COMPLETIONS_MAX = 8
/** The number of products whose names show which words follow another one. */
const FOLLOWED_MAX = 40
const EACH_MAX = 6
const WORDS_MAX = 8
/** A word that follows another one less often is not suggested. */
const FOLLOWERS_MIN = 2
const FOLLOWERS_MAX = 4

/** A query while it is typed. Its last word may be incomplete. */
export interface Typed {
  readonly before: readonly string[]
  /** The words before the last one, as they were typed. */
  readonly beforeText: string
  readonly last: string
  /** The last word as it was typed. */
  readonly lastText: string
}

function typedOf(asked: string): Typed | null {
  const q = visibleText(asked)
  const raw = q.trim().split(/\s+/)
  const words = foldedWords(q).filter(Boolean).slice(0, WORDS_MAX)
  if (words.length === 0) return null
  const before = words.slice(0, -1)
  const written = [raw, tokensOf(q)].find((each) => each.length === words.length) ?? words
  const last = words.at(-1)!
  const lastText = tokensOf(q).findLast((token) => fold(token) === last) ?? last
  return { before, beforeText: written.slice(0, -1).join(' '), last, lastText }
}

/**
 * Suggests completions of a query while it is typed: queries that find something, categories and products, all of this market. First in
 * the served languages, then in the other ones of the stores, then with misspelled words corrected.
 */
export async function suggest(
  reader: Reader,
  q: string,
  { correct, ...source }: SuggestionSource,
): Promise<Suggestion[]> {
  const found = await suggestFor(reader, q, source, q)
  if (found.length > 0) return found
  const corrected = await correct(q)
  return corrected === null ? [] : suggestFor(reader, corrected, source, q)
}

interface SuggestionSource {
  readonly market: Market
  /** The categories of all stores. Each is checked before it is shown. */
  readonly categories: readonly NamedCategory[]
  /** The products that operators hide for the query. */
  readonly hidden: readonly string[]
  readonly correct: Spelling
}

async function suggestFor(
  reader: Reader,
  q: string,
  { market, categories, hidden }: Omit<SuggestionSource, 'correct'>,
  asked: string,
): Promise<Suggestion[]> {
  const typed = typedOf(q)
  if (typed === null || market.stores.length === 0) return []
  const storeIds = [...market.storesById.keys()]
  const isNamed = naming(typed)
  const ids = categories.filter(({ words }) => words.some(isNamed)).map(({ id }) => id)
  const [words, named] = await Promise.all([
    completionsOf(reader, typed.last, storeIds, COMPLETIONS_MAX),
    suggestedCategories(reader, ids.slice(0, CATEGORIES_READ_MAX), { storeIds, currency: market.currency }),
  ])
  // A category that matches in another language comes with the products of other languages: for `mu`, no `Mills` because of `Mühlen`.
  const namedInLocale = named.filter(({ names }) => {
    return isNamed(foldedWords(textIn(names, market.locale, market.defaultLocale) ?? ''))
  })
  for (const [attempt, locales] of languagesOf(market).entries()) {
    const begun = attempt === 0 ? namedInLocale : named
    const each = await Promise.all(
      locales.map(([locale, stores]) => suggestionsIn(reader, { typed, words, named, locale, stores, market })),
    )
    const texts = each.flatMap(({ texts }) => texts).filter((text) => text !== asked.trim().toLowerCase())
    const products = each
      .flatMap(({ products }) => products.filter(({ product_id }) => !hidden.includes(product_id)))
      .slice(0, PRODUCTS_MAX)
    if (texts.length + products.length + begun.length === 0) continue
    const shown = await shownOf(
      reader,
      products.map(({ product_id }) => product_id),
      market.currency,
    )
    return [
      ...[...new Set(texts)].slice(0, QUERIES_MAX).map((text) => ({ kind: 'query' as const, text })),
      ...begun.slice(0, CATEGORIES_MAX).map((category) => presentCategory(category, market)),
      ...products.flatMap(({ product_id, name }) => {
        const row = shown.get(product_id)
        return row === undefined ? [] : [presentProduct(row, name, market)]
      }),
    ]
  }
  return []
}

/** The stores by their served language, then by each other language that they offer. */
function languagesOf({
  stores,
  localeByStore,
}: Market): readonly (readonly (readonly [string, readonly string[]])[])[] {
  const served = Map.groupBy(stores, ({ id }) => localeByStore.get(id)!)
  const offered = stores.flatMap(({ id, locales }) =>
    locales.filter((locale) => locale !== localeByStore.get(id)).map((locale) => ({ id, locale })),
  )
  const ids = (each: readonly { readonly id: string }[]) => each.map(({ id }) => id)
  return [
    [...served].map(([locale, each]) => [locale, ids(each)] as const),
    [...Map.groupBy(offered, ({ locale }) => locale)].map(([locale, each]) => [locale, ids(each)] as const),
  ]
}

interface Asked {
  readonly typed: Typed
  /** The completions of the last word. */
  readonly words: readonly string[]
  /** The categories of the market that have the words. */
  readonly named: readonly CategoryNames[]
  readonly locale: string
  readonly stores: readonly string[]
  readonly market: Market
}

async function suggestionsIn(reader: Reader, { typed, words, named: categories, locale, stores, market }: Asked) {
  const language = wordsIn(locale)
  const { before, last } = typed
  // The word as typed, then its completions.
  const own = last.length === 1 && !isUnspaced(last) ? [] : [last]
  const completed = [...new Set([...own, ...words])].filter((word, _, all) => !isPlural(word, all, language))
  const said = before.map(named)
  const queries = completed.map((word) => ({
    words: [...said, named(word)].join(' & '),
    most: word === last ? FOLLOWED_MAX : EACH_MAX,
  }))
  // The numbers of models are not in the vocabulary. The beginning of any other word is found by its completions.
  const isModel = /\p{Number}/u.test(last) && last.length > 1
  const more = [
    { words: said.join(' & '), most: before.length === 0 ? 0 : FOLLOWED_MAX },
    { words: [...said, `'${last}':*`].join(' & '), most: isModel ? EACH_MAX : 0 },
  ]
  const rows = await namedProducts(reader, {
    locale,
    configuration: searchConfiguration(locale),
    currency: market.currency,
    storeIds: stores,
    queries: [...queries, ...more],
  })
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  const after = byPlace.get(completed.length) ?? []
  const found = completed.map((word, place) => ({ word, rows: byPlace.get(place) ?? [] }))
  const fitting = rows.filter(({ place }) => place !== completed.length)
  const labels = categories.flatMap(({ names }) => Object.values(names))
  return { texts: textsOf({ found, after, labels }, typed, language), products: bestFirst(fitting, typed) }
}

/** Whether a word is the plural of another one: both find the same. */
function isPlural(word: string, words: readonly string[], { singularsOf }: LanguageWords): boolean {
  return singularsOf(word).some((form) => form !== word && words.includes(form))
}

/** A tsquery for products whose name, brand or category has the word. It has only letters and digits, so that quotes suffice. */
function named(word: string): string {
  if (!isUnspaced(word)) return `'${word}':AB`
  const pairs = pairsOf(word)
  return pairs.length === 0 ? `'${word}':*AB` : `(${pairs.map((pair) => `'${pair}':AB`).join(' <-> ')})`
}

type Named = Pick<FoundRow, 'name'>

interface Found {
  /** The last word as typed and its completions, each with products that have it. */
  readonly found: readonly { readonly word: string; readonly rows: readonly Named[] }[]
  /** Products that have the words before it. */
  readonly after: readonly Named[]
  /** Other texts that show how a word is written: names of categories. */
  readonly labels: readonly string[]
}

/**
 * The suggested queries: the words that follow the previous ones in names, the completions of the last word as names spell it and, if
 * it is complete, the words that follow it.
 */
function textsOf(
  { found, after, labels }: Found,
  { before, beforeText, last, lastText }: Typed,
  { stopWords }: LanguageWords,
): readonly string[] {
  const without = [...before, ...stopWords]
  const next = before.length === 0 ? [] : followersOf(before.at(-1)!, after, last, without)
  const completed = found.flatMap(({ word, rows }) => {
    const own = writtenIn([...rows.map(({ name }) => name), ...labels], word) ?? (word === last ? lastText : word)
    const others =
      word === last ? followersOf(word, rows, '', [...without, word]).map((other) => `${own} ${other}`) : []
    return rows.length === 0 ? [] : [own, ...others]
  })
  const texts = [...next, ...completed].map((text) => [beforeText, text].filter(Boolean).join(' ').toLowerCase())
  return [...new Set(texts)]
}

/** A folded word as the first of these names that has it spells it. */
function writtenIn(names: readonly string[], word: string): string | undefined {
  for (const name of names) {
    const written = tokensOf(name).find((token) => fold(token) === word)
    if (written !== undefined) return written
  }
  return undefined
}

/** The words that follow a word in several names and begin with a text, the most frequent first. */
function followersOf(
  word: string,
  rows: readonly Named[],
  beginning: string,
  without: readonly string[],
): readonly string[] {
  const tokens = rows.flatMap(({ name }) => {
    const all = tokensOf(name)
    return all.filter((token, at) => at > 0 && fold(all[at - 1]!) === word && /^\p{Letter}{3,}$/u.test(token))
  })
  const counted = [...Map.groupBy(tokens, fold)].filter(
    ([folded, each]) => each.length >= FOLLOWERS_MIN && folded.startsWith(beginning) && !without.includes(folded),
  )
  return counted
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, FOLLOWERS_MAX)
    .map(([, [token]]) => token!)
}

function tokensOf(name: string): readonly string[] {
  return spacedScripts(visibleText(name)).match(/[\p{Letter}\p{Mark}\p{Number}]+/gu) ?? []
}

/** Each product once: first those whose name begins with the typed text, then by completion. */
function bestFirst(rows: readonly FoundRow[], { before, last }: Typed): readonly FoundRow[] {
  const beginning = [...before, last].join(' ')
  const begins = ({ name }: FoundRow) => foldedText(name).startsWith(beginning)
  const once = rows.filter((row, index) => rows.findIndex(({ product_id }) => product_id === row.product_id) === index)
  return [...once.filter(begins), ...once.filter((row) => !begins(row))]
}

/** Whether a name has all words, the last one at least as a prefix. */
function naming({ before, last }: Typed): (words: readonly string[]) => boolean {
  // Once for all names: the words of 10,000 categories took several milliseconds.
  const isWithin = isUnspaced(last)
  const begins = (word: string) => word.startsWith(last) || (isWithin && word.includes(last))
  return (words) => before.every((word) => words.includes(word)) && words.some(begins)
}

function presentCategory({ slug, names }: CategoryNames, { locale, defaultLocale }: Market): Suggestion {
  return { kind: 'category', text: textIn(names, locale, defaultLocale) ?? slug, slug }
}

function presentProduct(row: ShownRow, name: string, market: Market): Suggestion {
  const store = market.storesById.get(row.store_id)!
  const locale = market.localeByStore.get(store.id)!
  const inLocale = (texts: Parameters<typeof textIn>[0]) => textIn(texts, locale, store.locales[0]!)
  const thumbnail = presentImage(row.image, inLocale, name)
  const money = (amount: bigint) => ({ amount: Number(amount), currency: market.currency })
  return {
    kind: 'product',
    text: name,
    slug: row.slug,
    store: storeReference(store, inLocale),
    ...(thumbnail ? { thumbnail } : {}),
    priceRange: { min: money(row.price_min), max: money(row.price_max) },
  }
}
