import { de } from './de.ts'
import { en, type Texts } from './en.ts'

const languages: Readonly<Record<string, Texts>> = { en, de }

export type { Texts }
/** Languages that the shop speaks. */
export const LOCALES = Object.keys(languages)
export const textsIn = (locale: string): Texts => languages[locale] ?? en

/** The word for a value of the service. One that is newer than this shop is shown as it is. */
export const wordFor = (words: Readonly<Record<string, string>>, value: string): string => words[value] ?? value
