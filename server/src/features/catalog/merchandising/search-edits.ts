import { hash } from 'node:crypto'
import type { SynonymEdits } from '../search/query.ts'
import { rankedByOf, type SearchQuery } from '../search/terms.ts'
import { languageOf, wordsIn } from '../search/words/index.ts'
import { foldedText } from '../text-normalization.ts'

/** A rule of an operator for a query. */
export interface SearchRule {
  readonly query: string
  /** `null`: every language. */
  readonly language: string | null
  /** Product ids, in the order shown. */
  readonly pins: readonly string[]
  readonly hidden: readonly string[]
  readonly redirect: string | null
}

/** Words with one meaning. With a `source`, a search for the source also finds the words, but not the reverse. */
export interface SearchSynonyms {
  readonly language: string | null
  readonly source: string | null
  readonly words: readonly string[]
}

/** The name of shipped synonyms: their first word, folded. */
export interface ShippedName {
  readonly language: string
  readonly word: string
}

/** The pinned and hidden products of a search. */
export type Placement = Pick<SearchRule, 'pins' | 'hidden'>

export const UNPLACED: Placement = { pins: [], hidden: [] }

/** A redirect stays on the site or goes to a page with TLS. A path that begins with two slashes would name another host. */
export function isRedirect(target: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(target)) return false
  if (target.startsWith('/')) return !target.startsWith('//')
  if (!target.startsWith('https://') || !URL.canParse(target)) return false
  const { username, password } = new URL(target)
  return username === '' && password === ''
}

/** Folds the name of shipped synonyms. */
export function foldedName({ language, word }: ShippedName): ShippedName {
  return { language, word: foldedText(word) }
}

/** The forms of a word. Two words are the same if they share a form: `box` and `boxes`. */
type WordForms = ReadonlySet<string>

interface IndexedRule {
  readonly rule: SearchRule
  readonly text: string
  readonly words: readonly WordForms[]
}

/** All rules and synonyms of operators, found by the words of a query. Immutable. */
export class SearchEdits {
  readonly #rules: readonly SearchRule[]
  readonly #synonyms: readonly SearchSynonyms[]
  readonly #rulesIn = new Map<string, Map<string, IndexedRule[]>>()
  readonly #off: readonly ShippedName[]
  readonly #synonymsIn = new Map<string, SynonymEdits>()

  /** @param off shipped synonyms that are switched off */
  constructor(rules: readonly SearchRule[], synonyms: readonly SearchSynonyms[], off: readonly ShippedName[]) {
    this.#rules = rules
    this.#synonyms = synonyms
    this.#off = off
  }

  /**
   * The rule for a query. A rule for the query's language comes before one for all languages; an exact match comes before the singular
   * or plural.
   */
  ruleOf(query: string, locale: string): SearchRule | null {
    const language = languageOf(locale)
    const asked = indexed(query, language)
    const index = this.#indexOf(language)
    const found = new Set([...(asked.words[0] ?? [])].flatMap((form) => index.get(form) ?? []))
    const rank = ({ rule, text }: IndexedRule) => (rule.language === null ? 0 : 2) + (text === asked.text ? 1 : 0)
    const best = [...found].filter(({ words }) => areSame(words, asked.words)).sort((a, b) => rank(b) - rank(a))[0]
    return best?.rule ?? null
  }

  /** Operators' changes to the synonyms of a locale. */
  synonymsIn(locale: string): SynonymEdits {
    const language = languageOf(locale)
    const known = this.#synonymsIn.get(language)
    if (known) return known
    const others = new Map<string, readonly string[]>()
    for (const { source, words } of this.#synonyms.filter((each) => isIn(language, each))) {
      const folded = words.map(foldedText)
      for (const said of source === null ? folded : [foldedText(source)]) {
        for (const form of phraseForms(said, language)) {
          others.set(form, [...(others.get(form) ?? []), ...folded.filter((word) => word !== said)])
        }
      }
    }
    const off = new Set(this.#off.filter((each) => each.language === language).map(({ word }) => word))
    const edits = { added: others, off }
    this.#synonymsIn.set(language, edits)
    return edits
  }

  /** The rules for a language, by each form of their first word. */
  #indexOf(language: string): Map<string, IndexedRule[]> {
    const known = this.#rulesIn.get(language)
    if (known) return known
    const index = new Map<string, IndexedRule[]>()
    for (const rule of this.#rules.filter((each) => isIn(language, each))) {
      const entry = { rule, ...indexed(rule.query, language) }
      for (const form of entry.words[0] ?? []) index.set(form, [...(index.get(form) ?? []), entry])
    }
    this.#rulesIn.set(language, index)
    return index
  }
}

export const NO_EDITS = new SearchEdits([], [], [])

function isIn(language: string, edit: { readonly language: string | null }): boolean {
  return edit.language === null || edit.language === language
}

function indexed(query: string, language: string): Omit<IndexedRule, 'rule'> {
  const text = foldedText(query)
  const { singularsOf } = wordsIn(language)
  const words = text.split(' ').filter(Boolean)
  return { text, words: words.map((word) => new Set(singularsOf(word))) }
}

function areSame(one: readonly WordForms[], other: readonly WordForms[]): boolean {
  return one.length === other.length && one.every((forms, index) => !forms.isDisjointFrom(other[index]!))
}

/** Whether two queries share a rule. */
export function isSameQuery(one: string, other: string, language: string | null): boolean {
  const locale = language ?? ''
  return areSame(indexed(one, locale).words, indexed(other, locale).words)
}

/** The phrase with each form of its last word, singular and plural. */
function phraseForms(phrase: string, language: string): readonly string[] {
  const before = phrase.slice(0, phrase.lastIndexOf(' ') + 1)
  const forms = wordsIn(language).singularsOf(phrase.slice(before.length))
  return forms.map((form) => `${before}${form}`)
}

/**
 * A hash of the search terms and the placed products, and of the weights if the cursor does not carry them. If it has changed between two
 * pages, the second would repeat or lose products.
 */
export function markOf(query: SearchQuery, { pins, hidden }: Placement, areWeightsCarried: boolean): string {
  const said = query.locales.map(({ locale, terms }) => [
    locale,
    terms.map(({ forms }) => forms.map(({ query }) => query)),
  ])
  const marked = [said, pins, hidden, ...(areWeightsCarried ? [] : [rankedByOf(query)])]
  return hash('sha256', JSON.stringify(marked), 'base64url').slice(0, 11)
}
