import { de } from './de.ts'
import { en, type Texts } from './en.ts'

const languages: Readonly<Record<string, Texts>> = { en, de }

export type { Texts }
/** Languages that the shop speaks. */
export const LOCALES = Object.keys(languages)
export const textsIn = (locale: string): Texts => languages[locale] ?? en
