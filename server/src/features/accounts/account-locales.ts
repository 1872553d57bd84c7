import { lookUpLocale, matchLocale } from '../../kernel/locale.ts'
import { refuse } from '../../kernel/refusal.ts'

/** The languages that we can write to a customer in. */
export const ACCOUNT_LOCALES = ['en', 'de'] as const
export type AccountLocale = (typeof ACCOUNT_LOCALES)[number]

/** The locale of a customer: the one that was asked for, which must be one of ours; else the best for the caller. */
export function accountLocale(asked: string | undefined, languages: readonly string[]): AccountLocale {
  if (asked === undefined) return lookUpLocale(languages, ACCOUNT_LOCALES, 'en') as AccountLocale
  const found = matchLocale([asked], ACCOUNT_LOCALES) as AccountLocale | undefined
  if (found !== undefined) return found
  const message = `Offered here: ${ACCOUNT_LOCALES.join(', ')}.`
  return refuse('unsupported_locale', { details: [{ in: 'body', pointer: '/locale', code: 'not_supported', message }] })
}
