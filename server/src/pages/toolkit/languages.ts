import { type Language, matchLanguage } from '../../kernel/languages/languages.ts'

export type { Language }

/** Texts in all languages. */
export type Texts<Keys extends string> = Readonly<Record<Language, Readonly<Record<Keys, string>>>>

/** The language of a page: the requested one, else the browser's preference, else English. */
export function languageOf(requested: string | null, accepted: readonly string[]): Language {
  return matchLanguage([...(requested === null ? [] : [requested]), ...accepted]) ?? 'en'
}

/** The language of a locale in the URL, or null if it is absent or not available. */
export function requestedLanguage(locale: string | null): Language | null {
  return locale === null ? null : (matchLanguage([locale]) ?? null)
}
