import { matchLocale } from '../locale.ts'

/**
 * The languages of all texts for shoppers, by their own names. For another one, add a line: the compiler then names each
 * dictionary that lacks it.
 */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[]

/** The best match among the supported languages; `undefined` if none matches. RFC 4647. */
export function matchLanguage(locales: readonly string[]): Language | undefined {
  return matchLocale(locales, LANGUAGE_CODES) as Language | undefined
}

/** The language of texts for a locale: English if the language of the locale is not supported. */
export function languageOf(locale: string): Language {
  return matchLanguage([locale]) ?? 'en'
}

/** The language of a text and the locale of its amounts and dates: `de` and `de-AT` for `de-AT`, `en` twice for `fr-FR`. */
export function writingFor(locale: string): { readonly language: Language; readonly locale: string } {
  const language = matchLanguage([locale])
  return language === undefined ? { language: 'en', locale: 'en' } : { language, locale }
}
