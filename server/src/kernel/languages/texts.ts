import { de } from './de.ts'
import { en } from './en.ts'
import { type Language, languageOf } from './languages.ts'

/** The texts of the public interface that a shopper may read. A language that lacks one does not compile. */
export type ShopperTexts = typeof en

const dictionaries: Readonly<Record<Language, ShopperTexts>> = { en, de }

/** The texts in the language of a locale, else in English. */
export function textsIn(locale: string): ShopperTexts {
  return dictionaries[languageOf(locale)]
}

type Sentence = string | ((facts: never) => string)

/** The codes of a section whose texts need facts. */
type CodeWithFacts<Section> = {
  [Code in keyof Section]: Section[Code] extends string ? never : Code
}[keyof Section]

/** A message of a decision: a code, and the facts that its text needs. */
export type Saying<Section> =
  | { readonly code: Exclude<keyof Section, CodeWithFacts<Section>>; readonly facts?: undefined }
  | {
      [Code in CodeWithFacts<Section>]: Section[Code] extends (facts: infer Facts) => string
        ? { readonly code: Code; readonly facts: Facts }
        : never
    }[CodeWithFacts<Section>]

/** The text of a message, from a section of a dictionary. */
export function say<Section extends object>(section: Section, { code, facts }: Saying<Section>): string {
  const sentence = section[code] as Sentence
  return typeof sentence === 'string' ? sentence : sentence(facts as never)
}
