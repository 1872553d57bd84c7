import { lookUpLocale, matchLocale } from '../../kernel/locale.ts'
import { refuse } from '../../kernel/refusal.ts'

/** The locales that mails to customers are written in. */
export const ACCOUNT_LOCALES = ['en', 'de'] as const
export type AccountLocale = (typeof ACCOUNT_LOCALES)[number]

/**
 * The locale of a customer: the requested one, or else the best match for the caller's languages. Refusal:
 * `unsupported_locale`.
 */
export function accountLocale(requested: string | undefined, languages: readonly string[]): AccountLocale {
  if (requested === undefined) return lookUpLocale(languages, ACCOUNT_LOCALES, 'en') as AccountLocale
  const found = matchLocale([requested], ACCOUNT_LOCALES) as AccountLocale | undefined
  if (found !== undefined) return found
  const message = `Supported locales: ${ACCOUNT_LOCALES.join(', ')}.`
  return refuse('unsupported_locale', { faults: [{ field: 'locale', code: 'not_supported', message }] })
}
