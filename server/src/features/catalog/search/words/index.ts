import { de } from './de.ts'
import { en } from './en.ts'
import type { LanguageWords } from './words.ts'

export type { LanguageWords }

const none: LanguageWords = {
  stopWords: [],
  synonyms: [],
  accessories: {},
  purpose: /(?!)/u,
  compoundHeads: [],
  singularsOf: (word) => [word],
}

/** The words of the language of a locale; empty lists for a language that has none yet. */
export function wordsIn(locale: string): LanguageWords {
  const language = locale.split('-')[0]!.toLowerCase()
  return { en, de }[language] ?? none
}

/** The families of accessories that these words name. In a language of compounds, a word may end with the accessory. */
export function accessoriesIn(
  words: readonly string[],
  { accessories, compoundHeads, singularsOf }: LanguageWords,
): string[] {
  const forms = new Set(words.flatMap(singularsOf))
  const isNamed = (each: string) =>
    forms.has(each) || (compoundHeads.length > 0 && [...forms].some((form) => form.endsWith(each)))
  return Object.entries(accessories).flatMap(([family, named]) => (named.some(isNamed) ? [family] : []))
}

const COMPOUND_REST_MIN = 3

/** The parts of a compound, or `null` where the word is none that we know. `laptoptaschen` is `laptop`, `taschen`. */
export function partsOf(word: string, { compoundHeads, singularsOf }: LanguageWords): readonly [string, string] | null {
  for (const form of singularsOf(word)) {
    const head = compoundHeads
      .filter((each) => form.endsWith(each) && form.length - each.length >= COMPOUND_REST_MIN)
      .reduce((longest, each) => (each.length > longest.length ? each : longest), '')
    if (head !== '') return [form.slice(0, -head.length), head]
  }
  return null
}
