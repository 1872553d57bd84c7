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

/** One way to say a thing: words that follow each other, and how much less it counts than the words typed. */
export interface Form {
  readonly words: string
  readonly weight: number
  /** One letter of a script without spaces, which may begin a pair. */
  readonly isBeginning?: boolean
  /** Words in any order and place, as the parts of a compound: `Tasche für Laptops`. */
  readonly isLoose?: boolean
}

/** What a query asks for, in the words of one language. */
export interface Understood {
  /** Each is one thing asked for, in any of its forms. */
  readonly concepts: readonly (readonly Form[])[]
  /** The words as they follow each other, for products that have them so. */
  readonly phrase: string
  /** The families of accessories that are asked for. */
  readonly accessories: readonly string[]
  /** The whole text as the name of a product, as the index has it; `null` where it is articles alone. */
  readonly name: string | null
  /** What the query says as the names of categories, as the index has them. */
  readonly kinds: readonly string[]
  /** What follows `without`, as the language says that, and what a product says that has none; `null` where all is wanted. */
  readonly unwanted: readonly [thing: string, saidSo: string] | null
  /** How many of the concepts say what is asked for. The others say for what purpose: `case | for phones`. */
  readonly what: number
}

/** More words than a shopper types say nothing more. */
const WORDS_MAX = 12
/** No synonym has more. */
export const PHRASE_WORDS_MAX = 3
/** Joining each two words of a longer query would cost more than it finds. */
const JOINED_WORDS_MAX = 4
const JOINED_LENGTH_MIN = 4

/** What operators changed about the synonyms of a language. */
export interface SynonymEdits {
  /** Folded words and phrases, with what is to be found by them too. */
  readonly added: ReadonlyMap<string, readonly string[]>
  /** The first words of shipped ones that are switched off. */
  readonly off: ReadonlySet<string>
}
const UNEDITED: SynonymEdits = { added: new Map(), off: new Set() }

/** What a query asks for: words, units, model numbers and compounds in each way that a product may have them. */
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
  // Of `laptop bags` the last word tells the kind, of `memory for laptops` the last before the purpose.
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

/** The folded words of a query, as many as a shopper types. */
function queryWords(query: string): readonly string[] {
  return foldedWords(query).filter(Boolean).slice(0, WORDS_MAX)
}

const whole = (words: string): Form => ({ words, weight: 1 })

function unique(forms: readonly Form[]): readonly Form[] {
  return forms.filter(({ words }, index) => forms.findIndex((other) => other.words === words) === index)
}

/** The word, and its parts where it is made of some: `mx400`, `laptoptasche`. */
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

/** The word joined with the one before it and the one after it, where one of them is short or all are few: `mx 400`, `note book`. */
function joinedAt(words: readonly string[], at: number, length: number): readonly Form[] {
  if (length !== 1 || words.length > JOINED_WORDS_MAX) return []
  const pairs = [words.slice(at - 1, at + 1), words.slice(at, at + 2)]
  const isJoinable = (pair: readonly string[]) =>
    pair.length === 2 &&
    pair.join('').length >= JOINED_LENGTH_MIN &&
    !pair.some((word) => isUnspaced(word) || word.includes('.'))
  return pairs.filter(isJoinable).map((pair) => whole(pair.join('')))
}

/** The synonyms of the longest phrase that begins here, and how many words it has. */
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

/** A phrase with its last word in each number. */
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

/** A code, or a whole name, as the index has it: letters and digits alone. `CZ-103/A` is `=cz103a`. */
export function wholeTerm(text: string): string {
  return `=${fold(text).replaceAll(/[^\p{Letter}\p{Number}]+/gu, '')}`
}

/** A name is compared by so many letters. */
const NAME_MAX = 200

/** A whole name as the index has it, without articles: `A mug that was not there` is `=~mugthatwasnotthere`. */
export function nameTerm(name: string, locale: string): string | null {
  const { articles } = wordsIn(locale)
  const words = foldedWords(name).filter((word) => !articles.includes(word))
  const joined = words.join('').slice(0, NAME_MAX).toWellFormed()
  return joined === '' ? null : `=~${joined}`
}

/** A category as the index has it, in the singular and as written, and each part of `Cases & Bags`. */
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
