import { SEARCH_WEIGHTS } from './weights.ts'

/** The number of documents of a locale and the usual length of their fields. */
export interface Collection {
  readonly documents: number
  /** The mean lengths of name, kind, facts and description, in words. */
  readonly lengths: FieldLengths
}
export type FieldLengths = readonly [name: number, kind: number, facts: number, description: number]

/** Before anything has been counted, all words have one weight, and all texts are of usual length. */
export const UNCOUNTED: Collection = { documents: 0, lengths: [1, 1, 1, 1] }

/** A form of a concept in one locale, as a tsquery. */
export interface TermForm {
  readonly query: string
  readonly weight: number
}

/** A concept in one locale, with its weight. */
export interface Term {
  readonly forms: readonly TermForm[]
  readonly idf: number
  /** The tsquery for products of the categories that it names; `null` for a purpose. */
  readonly kinds: string | null
}

/** Facts about a term in a market. */
interface TermFacts {
  /** Whether any product has it. */
  readonly isThere: boolean
  /** Whether it names a category that has products. */
  readonly isKind: boolean
}

/**
 * Weighs the terms for products that have most of them. A term that no product has gets no weight, and the head gets the highest one:
 * `blue headphones` finds headphones rather than anything blue. The head is the last term that names a category, else the last term.
 */
export function weightedByHead(terms: readonly Term[], facts: readonly TermFacts[]): readonly Term[] {
  const there = terms.map((term, index) => (facts[index]!.isThere ? term : { ...term, idf: 0 }))
  const last = (isHead: (at: number) => boolean) =>
    there.findLastIndex(({ idf, kinds }, at) => idf > 0 && kinds !== null && isHead(at))
  const named = last((at) => facts[at]!.isKind)
  const head = named < 0 ? last(() => true) : named
  const most = Math.max(...there.map(({ idf }) => idf))
  return there.map((term, at) => (at === head ? { ...term, idf: most } : term))
}

/**
 * The weight of a word that is in this number of documents.
 *
 * @see Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, §3.3
 */
export function idfOf(collection: Collection, documents: number): number {
  if (collection.documents === 0) return 1
  const found = Math.min(documents, collection.documents)
  const idf = Math.log(1 + (collection.documents - found + 0.5) / (found + 0.5)) ** SEARCH_WEIGHTS.rarity
  // Rounded, because cursors carry it.
  return Math.max(0.001, Math.round(idf * 1000) / 1000)
}

/** The tsquery for products that have every term. */
export function withAll(terms: readonly Term[]): string {
  return terms.map(anyForm).join(' & ')
}

/** The most terms that are combined. More would cost more than they find. */
const COMBINED_MAX = 6
const ENOUGH = 0.5

/**
 * The tsquery for products that have most of the query: each smallest set of terms with at least half of its weight. For
 * `gaming laptop`, any laptop; for two terms of equal weight, either.
 */
export function withMost(terms: readonly Term[]): string {
  const heaviest = [...terms].sort((a, b) => b.idf - a.idf).slice(0, COMBINED_MAX)
  const needed = ENOUGH * totalOf(heaviest) - 1e-9
  const isEnough = (set: readonly Term[]) => totalOf(set) >= needed
  return subsetsOf(heaviest)
    .filter((set) => isEnough(set) && !set.some((left) => isEnough(set.filter((term) => term !== left))))
    .map((set) => `(${withAll(set)})`)
    .join(' | ')
}

function subsetsOf(terms: readonly Term[]): readonly (readonly Term[])[] {
  return Array.from({ length: 2 ** terms.length - 1 }, (_, index) =>
    terms.filter((_term, at) => (index + 1) & (1 << at)),
  )
}

function anyForm({ forms }: Term): string {
  return `(${forms.map(({ query }) => `(${query})`).join(' | ')})`
}

export function totalOf(terms: readonly { readonly idf: number }[]): number {
  return terms.reduce((sum, { idf }) => sum + idf, 0)
}
