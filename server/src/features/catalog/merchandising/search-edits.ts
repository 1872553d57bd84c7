import { hash } from 'node:crypto'
import type { SynonymEdits } from '../search/query.ts'
import type { SearchQuery } from '../search/terms.ts'
import { languageOf, wordsIn } from '../search/words/index.ts'
import { foldedText } from '../text-normalization.ts'

/** What an operator set for a query. */
export interface SearchRule {
  readonly query: string
  /** `null`: every language. */
  readonly language: string | null
  /** Product ids, in the order shown. */
  readonly pins: readonly string[]
  readonly hidden: readonly string[]
  readonly redirect: string | null
}

/** Words that mean the same or, with a `source`, that are found by it too. */
export interface SearchSynonyms {
  readonly language: string | null
  readonly source: string | null
  readonly words: readonly string[]
}

/** Shipped synonyms by their first word, folded. */
export interface ShippedName {
  readonly language: string
  readonly word: string
}

/** What changes the products of a search. */
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

/** A shipped synonym by its name, however that is written. */
export function foldedName({ language, word }: ShippedName): ShippedName {
  return { language, word: foldedText(word) }
}

/** A word is another one if they share a form: `box` and `boxes`. */
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

  /** The rule of a query, of its language before one of every language, as it is written before another number of its words. */
  ruleOf(query: string, locale: string): SearchRule | null {
    const language = languageOf(locale)
    const asked = indexed(query, language)
    const index = this.#indexOf(language)
    const found = new Set([...(asked.words[0] ?? [])].flatMap((form) => index.get(form) ?? []))
    const rank = ({ rule, text }: IndexedRule) => (rule.language === null ? 0 : 2) + (text === asked.text ? 1 : 0)
    const best = [...found].filter(({ words }) => areSame(words, asked.words)).sort((a, b) => rank(b) - rank(a))[0]
    return best?.rule ?? null
  }

  /** What operators changed about the synonyms of a locale. */
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

  /** By each form of the first word. */
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

/** Whether two queries have the same rule. */
export function isSameQuery(one: string, other: string, language: string | null): boolean {
  const locale = language ?? ''
  return areSame(indexed(one, locale).words, indexed(other, locale).words)
}

/** The phrase with its last word in each number. */
function phraseForms(phrase: string, language: string): readonly string[] {
  const before = phrase.slice(0, phrase.lastIndexOf(' ') + 1)
  const forms = wordsIn(language).singularsOf(phrase.slice(before.length))
  return forms.map((form) => `${before}${form}`)
}

/**
 * Changes with what is searched and where its products are placed. A walk whose mark has changed in between would repeat or lose
 * products.
 */
export function markOf({ locales }: SearchQuery, { pins, hidden }: Placement): string {
  const said = locales.map(({ locale, terms }) => [locale, terms.map(({ forms }) => forms.map(({ query }) => query))])
  return hash('sha256', JSON.stringify([said, pins, hidden]), 'base64url').slice(0, 11)
}
