import { lookUpLocale, matchLocale } from '../../kernel/locale.ts'

/** The languages that pages are written in, each with its own name for itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** A text in every language. */
export type Texts<Keys extends string> = Readonly<Record<Language, Readonly<Record<Keys, string>>>>

const codes = Object.keys(LANGUAGES) as readonly Language[]

/** The language of a page: what the address asks for, else what the browser prefers, else English. */
export function languageOf(asked: string | null, accepted: readonly string[]): Language {
  return lookUpLocale([...(asked === null ? [] : [asked]), ...accepted], codes, 'en') as Language
}

/** The language that an address asks for, or null where it asks for none that we have. */
export function askedLanguage(asked: string | null): Language | null {
  return asked === null ? null : ((matchLocale([asked], codes) as Language | undefined) ?? null)
}
