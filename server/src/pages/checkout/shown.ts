import type { Address, Money } from '@vitrine/contract'
import { addressLines, countryName } from '../../features/carts/index.ts'
import type { PageSession } from '../../features/checkout/index.ts'
import { CHECKOUT_PATH, type PageAccess } from '../../features/checkout/index.ts'
import { formatMoney } from '../../kernel/format-money.ts'
import { type Language, languageOf, type PageReadContext } from '../toolkit/index.ts'

/** A session on its way to the screen: what is shown, in which language, and where its forms go. */
export interface Shown {
  readonly page: PageSession
  readonly language: Language
  /** How numbers, dates and countries are written: the session's own locale, unless another language was asked for. */
  readonly locale: string
  readonly now: Date
  /** The language that the address asks for. */
  readonly asked: Language | null
  readonly formToken: string
  /** A path below the session's own, in the language that was asked for. */
  at(path?: '' | `/${string}`, query?: Readonly<Record<string, string>>): string
  /** Where a picture is: what stands below our public address has no other. */
  picture(url: string): string
  /** A path of ours elsewhere. */
  link(path: string, query?: Readonly<Record<string, string>>): string
}

/** Speaks the language of the cart, unless the address asks for another. */
export function shownTo(
  page: PageSession,
  { access, publicUrl }: { readonly access: PageAccess; readonly publicUrl: string },
  context: PageReadContext,
): Shown {
  const { askedLanguage, now, formToken, link } = context
  const language = askedLanguage ?? languageOf(page.locale, [context.language])
  return {
    page,
    language,
    locale: askedLanguage === null || languageOf(page.locale, []) === askedLanguage ? page.locale : askedLanguage,
    now,
    asked: askedLanguage,
    formToken,
    at: (path = '', query = {}) => link(`${CHECKOUT_PATH}/${access.sessionId}/${access.key}${path}`, query),
    picture: (url) => new URL(url, publicUrl).href,
    link,
  }
}

/** Where a form of a step leads, and what the browser shows of the answer first: the step, below what is bought. */
export function stepAt({ at }: Pick<Shown, 'at'>, path: '' | `/${string}` = ''): string {
  return `${at(path)}#step`
}

/** An amount as it is written there: 38,88 € or €38.88. */
export function money({ locale }: Pick<Shown, 'locale'>, { amount, currency }: Money): string {
  return formatMoney(locale, BigInt(amount), currency)
}

export function moment({ locale }: Pick<Shown, 'locale'>, date: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(date)
}

/** Countries by their names, as they are sorted there. */
export function countriesByName(shown: Pick<Shown, 'locale'>, countries: readonly string[]) {
  const { compare } = new Intl.Collator(shown.locale)
  return countries
    .map((value) => ({ value, label: countryName(shown.locale, value) }))
    .toSorted((one, other) => compare(one.label, other.label))
}

/** An address in the lines of its country. */
export function linesOf({ locale }: Pick<Shown, 'locale'>, address: Address): readonly string[] {
  return addressLines(address, locale)
}
