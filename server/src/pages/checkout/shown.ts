import type { Address, Money } from '@vitrine/contract'
import { formatOf } from '../../features/carts/index.ts'
import type { PageSession } from '../../features/checkout/index.ts'
import { CHECKOUT_PATH, type PageAccess } from '../../features/checkout/index.ts'
import { majorOf } from '../../kernel/currencies.ts'
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

/** An amount as it is written there: 38,88 € or €38.88. Decimal text keeps amounts exact that a float does not hold. */
export function money({ locale }: Pick<Shown, 'locale'>, { amount, currency }: Money): string {
  const text = majorOf(BigInt(amount), currency) as Intl.StringNumericLiteral
  return formatOfMoney(locale, currency).format(text).replace('-', '−')
}

// Making one costs some hundred times what formatting does, and a page writes a dozen amounts: 6 % of a checkout's time.
const formats = new Map<string, Intl.NumberFormat>()
const FORMATS_MAX = 200

function formatOfMoney(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size >= FORMATS_MAX) formats.clear()
  const made = new Intl.NumberFormat(locale, { style: 'currency', currency })
  formats.set(key, made)
  return made
}

export function moment({ locale }: Pick<Shown, 'locale'>, date: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(date)
}

export function countryName({ locale }: Pick<Shown, 'locale'>, country: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country
}

/** Countries by their names, as they are sorted there. */
export function countriesByName(shown: Pick<Shown, 'locale'>, countries: readonly string[]) {
  const { compare } = new Intl.Collator(shown.locale)
  return countries
    .map((value) => ({ value, label: countryName(shown, value) }))
    .toSorted((one, other) => compare(one.label, other.label))
}

/** Where the place stands before its postal code, though no region stands between them. */
const PLACE_FIRST = new Set(['GB', 'IE', 'NZ', 'IN', 'SG', 'ID', 'PK', 'TH', 'ZA'])

/** Whether a country writes the place before its postal code. @see UPU S42, in as much as we need of it */
export function isPlaceFirst(country: string): boolean {
  return PLACE_FIRST.has(country) || formatOf(country)?.requiresRegion === true
}

/** An address in the lines of its country. */
export function linesOf(shown: Pick<Shown, 'locale'>, address: Address): readonly string[] {
  const { recipientName, company, line1, line2, line3, dependentLocality, city, region, postalCode, countryCode } =
    address
  const place = isPlaceFirst(countryCode)
    ? [city, region, postalCode].filter(Boolean).join(' ')
    : [postalCode, city].filter(Boolean).join(' ')
  const lines = [recipientName, company, line1, line2, line3, dependentLocality, place, countryName(shown, countryCode)]
  return lines.filter((line) => line !== undefined && line !== '') as string[]
}
