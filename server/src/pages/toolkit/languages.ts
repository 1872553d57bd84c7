import { lookUpLocale, matchLocale } from '../../kernel/locale.ts'

/** The languages of the pages, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** Texts in all languages. */
export type Texts<Keys extends string> = Readonly<Record<Language, Readonly<Record<Keys, string>>>>

const codes = Object.keys(LANGUAGES) as readonly Language[]

/** The language of a page: the requested one, else the browser's preference, else English. */
export function languageOf(requested: string | null, accepted: readonly string[]): Language {
  return lookUpLocale([...(requested === null ? [] : [requested]), ...accepted], codes, 'en') as Language
}

/** The language of a locale in the URL, or null if it is absent or not available. */
export function requestedLanguage(locale: string | null): Language | null {
  return locale === null ? null : ((matchLocale([locale], codes) as Language | undefined) ?? null)
}
