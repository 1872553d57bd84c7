import { de } from './de.ts'
import { en, type Texts } from './en.ts'

const languages: Readonly<Record<string, Texts>> = { en, de }

export type { Texts }
/** The languages of the shop. */
export const LOCALES = Object.keys(languages)
export const textsIn = (locale: string): Texts => languages[locale] ?? en

/** The text for an enum value of the service. A value that this shop does not know is shown as it is. */
export const wordFor = (words: Readonly<Record<string, string>>, value: string): string => words[value] ?? value
