import { fold, foldedWords, isUnspaced, pairsOf, plainWords } from '../text-normalization.ts'
import { unitForms } from './units.ts'
import { SEARCH_WEIGHTS } from './weights.ts'
import {
  accessoriesIn,
  type LanguageWords,
  partsOf,
  type ShippedSynonyms,
  shippedSynonymsOf,
  splitAtPurpose,
  wordsIn,
} from './words/index.ts'

/** A form of a concept: consecutive words, and their weight, where the words typed have 1. */
export interface Form {
  readonly words: string
  readonly weight: number
  /** A single letter of a script without spaces, which matches as the beginning of a pair. */
  readonly isBeginning?: boolean
  /** Words in any order and position, such as the parts of a compound: `Tasche für Laptops`. */
  readonly isLoose?: boolean
}

/** A query as it is understood in one language. */
export interface Understood {
  /** The concepts of the query, each in all its forms. */
  readonly concepts: readonly (readonly Form[])[]
  /** All words in order, for products that have them in this order. */
  readonly phrase: string
  /** The accessory families that the query names. */
  readonly accessories: readonly string[]
  /** The index term for the whole text as a product name; `null` if it has only articles. */
  readonly name: string | null
  /** The index terms for the categories that the query may name. */
  readonly kinds: readonly string[]
  /** The words after `without`, in the language, and the phrase of a product that has none of it; `null` if nothing is excluded. */
  readonly unwanted: readonly [thing: string, absence: string] | null
  /** The number of concepts that say what the thing is. The others say what it is for: `case | for phones`. */
  readonly what: number
}

/** The most words of a query that are searched. */
const WORDS_MAX = 12
/** The most words of a synonym. */
export const PHRASE_WORDS_MAX = 3
/** In a longer query, joining neighboring words would cost more than it finds. */
const JOINED_WORDS_MAX = 4
const JOINED_LENGTH_MIN = 4

/** Operators' changes to the synonyms of a language. */
export interface SynonymEdits {
  /** Folded words and phrases, with the words that they find too. */
  readonly added: ReadonlyMap<string, readonly string[]>
  /** The first words of shipped synonyms that are switched off. */
  readonly off: ReadonlySet<string>
}
const UNEDITED: SynonymEdits = { added: new Map(), off: new Set() }

/** Understands a query: words, units, model numbers and compounds in each form that a product may have. */
export function understand(query: string, locale: string, edits = UNEDITED): Understood {
  const language = wordsIn(locale)
  const said = queryWords(query)
  const without = said.indexOf(language.without, 1)
  const wanted = without < 0 ? said : said.slice(0, without)
  const asked = wanted.filter((word) => !language.subjectiveWords.includes(word))
  const words = asked.length === 0 ? wanted : asked
  const [what, purpose] = splitAtPurpose(words.join(' '), language)
  const concepts: (readonly Form[])[] = []
  let whats = 0
  for (let at = 0; at < words.length; ) {
    if (at < what.trim().split(' ').length) whats = concepts.length + 1
    const unit = unitForms(words[at]!, words[at + 1])
    const synonyms = unit ? { length: unit.length, others: unit.forms } : synonymsAt(words, at, locale, edits)
    const own = words.slice(at, at + synonyms.length)
    const others = (unit || SEARCH_WEIGHTS.synonym > 0 ? synonyms.others : []).map((form) => ({
      words: form,
      weight: unit ? 1 : SEARCH_WEIGHTS.synonym,
    }))
    concepts.push(
      unique([
        ...(own.length === 1 ? formsOf(own[0]!, language) : [whole(own.join(' '))]),
        ...joinedAt(words, at, synonyms.length),
        ...others,
      ]),
    )
    at += synonyms.length
  }
  const accessories = accessoriesIn(words, language)
  // The kind of `laptop bags` is its last word, that of `memory for laptops` the last one before the purpose.
  const telling = accessories.length === 0 && purpose === '' ? concepts : concepts.slice(whats - 1, whats)
  const kinds = [what, ...telling.flat().map((form) => form.words)].flatMap((name) => kindTerms(name, locale))
  const thing = without < 0 ? '' : said.slice(without + 1).join(' ')
  return {
    concepts,
    phrase: said.join(' '),
    accessories,
    name: nameTerm(query, locale),
    kinds: [...new Set(kinds)],
    unwanted: thing === '' ? null : [thing, `${language.without} ${thing}`],
    what: whats,
  }
}

/** The first folded words of a query. */
function queryWords(query: string): readonly string[] {
  return foldedWords(query).filter(Boolean).slice(0, WORDS_MAX)
}

const whole = (words: string): Form => ({ words, weight: 1 })

function unique(forms: readonly Form[]): readonly Form[] {
  return forms.filter(({ words }, index) => forms.findIndex((other) => other.words === words) === index)
}

/** The word and, if it has parts, its parts: `mx400`, `laptoptasche`. */
function formsOf(word: string, language: LanguageWords): readonly Form[] {
  if (isUnspaced(word)) return unspacedForms(word)
  const model = /^(\p{Letter}+)(\d+)$|^(\d+)(\p{Letter}+)$/u.exec(word)
  if (model) return [whole(word), whole([model[1] ?? model[3], model[2] ?? model[4]].join(' '))]
  const parts = partsOf(word, language)
  return parts ? [whole(word), { ...whole(parts.join(' ')), isLoose: true }] : [whole(word)]
}

function unspacedForms(word: string): readonly Form[] {
  const pairs = pairsOf(word)
  return pairs.length === 0 ? [{ ...whole(word), isBeginning: true }] : [whole(pairs.join(' '))]
}

/** The word joined with the previous one and with the next one, in a short query: `mx 400`, `note book`. */
function joinedAt(words: readonly string[], at: number, length: number): readonly Form[] {
  if (length !== 1 || words.length > JOINED_WORDS_MAX) return []
  const pairs = [words.slice(at - 1, at + 1), words.slice(at, at + 2)]
  const isJoinable = (pair: readonly string[]) =>
    pair.length === 2 &&
    pair.join('').length >= JOINED_LENGTH_MIN &&
    !pair.some((word) => isUnspaced(word) || word.includes('.'))
  return pairs.filter(isJoinable).map((pair) => whole(pair.join('')))
}

/** The synonyms of the longest phrase that begins here, and its number of words. */
function synonymsAt(
  words: readonly string[],
  at: number,
  locale: string,
  { added, off }: SynonymEdits,
): { length: number; others: readonly string[] } {
  const { singularsOf } = wordsIn(locale)
  for (let length = Math.min(PHRASE_WORDS_MAX, words.length - at); length > 0; length -= 1) {
    const forms = formsOfPhrase(words.slice(at, at + length), singularsOf)
    const shipped = shippedSynonymsOf(locale)
      .filter(({ folded }) => !off.has(folded[0]!) && folded.some((each) => forms.includes(each)))
      .flatMap(({ folded }) => folded)
    const others = [...shipped, ...forms.flatMap((form) => added.get(form) ?? [])]
    if (others.length > 0) return { length, others: others.filter((each) => !forms.includes(each)) }
  }
  return { length: 1, others: [] }
}

/** A phrase with each form of its last word, singular and plural. */
function formsOfPhrase(words: readonly string[], singularsOf: LanguageWords['singularsOf']): readonly string[] {
  return singularsOf(words.at(-1)!).map((last) => [...words.slice(0, -1), last].join(' '))
}

/** The shipped synonyms that have a word or a phrase of the query, switched off or not. */
export function shippedSynonymsIn(query: string, locale: string): readonly ShippedSynonyms[] {
  const { singularsOf } = wordsIn(locale)
  const words = queryWords(query)
  const phrases = words.flatMap((_, at) =>
    Array.from({ length: Math.min(PHRASE_WORDS_MAX, words.length - at) }, (_each, more) =>
      formsOfPhrase(words.slice(at, at + more + 1), singularsOf),
    ).flat(),
  )
  return shippedSynonymsOf(locale).filter(({ folded }) => folded.some((word) => phrases.includes(word)))
}

/**
 * The most letters of a code or a name that are compared. Folding may add letters: `㌖` becomes six. PostgreSQL stores a term of more than
 * 2,046 bytes without an error, and cannot read the document again.
 */
const NAME_MAX = 200

/** The index term for a whole text such as a code: letters and digits only. `CZ-103/A` is `=cz103a`. */
export function wholeTerm(text: string): string {
  return `=${fold(text)
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '')
    .slice(0, NAME_MAX)
    .toWellFormed()}`
}

/** The index term for a whole name, without articles: `A mug that was not there` is `=~mugthatwasnotthere`. */
export function nameTerm(name: string, locale: string): string | null {
  const { articles } = wordsIn(locale)
  const words = foldedWords(name).filter((word) => !articles.includes(word))
  const joined = words.join('').slice(0, NAME_MAX).toWellFormed()
  return joined === '' ? null : `=~${joined}`
}

/** The index terms for a category, in the singular and as written, with each part of `Cases & Bags`. */
export function kindTerms(name: string, locale: string): readonly string[] {
  const { singularsOf } = wordsIn(locale)
  return fold(name)
    .split(/[&/,]|\s(?:and|und)\s/u)
    .flatMap((part) => {
      const words = plainWords(part).split(' ')
      return singularsOf(words.at(-1)!).map((last) => [...words.slice(0, -1), last].join('').slice(0, NAME_MAX))
    })
    .filter((each) => each !== '')
    .map((each) => `=#${each.toWellFormed()}`)
}
