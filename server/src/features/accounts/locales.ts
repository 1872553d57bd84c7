import { LANGUAGE_CODES, type Language, matchLanguage } from '../../kernel/languages/languages.ts'
import { refuse } from '../../kernel/refusal.ts'

/**
 * The locale of a customer: the requested one, or else the best match for the caller's languages. Refusal:
 * `unsupported_locale`.
 */
export function accountLocale(requested: string | undefined, languages: readonly string[]): Language {
  if (requested === undefined) return matchLanguage(languages) ?? 'en'
  const found = matchLanguage([requested])
  if (found !== undefined) return found
  const message = `Supported locales: ${LANGUAGE_CODES.join(', ')}.`
  return refuse('unsupported_locale', { faults: [{ field: 'locale', code: 'not_supported', message }] })
}
