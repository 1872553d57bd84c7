import type { Address } from '@vitrine/contract'
import { addressLines, countryName } from '../../features/carts/index.ts'
import type { PageSession } from '../../features/checkout/index.ts'
import { CHECKOUT_PATH, type PageAccess } from '../../features/checkout/index.ts'
import { type Language, languageOf, type PageReadContext } from '../toolkit/index.ts'

/** The data, language and URLs of a session, for its views. */
export interface CheckoutView {
  readonly page: PageSession
  readonly language: Language
  /** For numbers, dates and countries: the session's locale, unless another language is requested. */
  readonly locale: string
  readonly now: Date
  /** The language in the URL. */
  readonly requestedLanguage: Language | null
  readonly formToken: string
  /** A path of the session, in the requested language. */
  at(path?: '' | `/${string}`, query?: Readonly<Record<string, string>>): string
  /** The absolute URL of an image. */
  picture(url: string): string
  /** Another path of the pages door. */
  link(path: string, query?: Readonly<Record<string, string>>): string
}

/** Uses the language of the cart unless the URL has another. */
export function viewOf(
  page: PageSession,
  { access, publicUrl }: { readonly access: PageAccess; readonly publicUrl: string },
  context: PageReadContext,
): CheckoutView {
  const { requestedLanguage, now, formToken, link } = context
  const language = requestedLanguage ?? languageOf(page.locale, [context.language])
  return {
    page,
    language,
    locale:
      requestedLanguage === null || languageOf(page.locale, []) === requestedLanguage ? page.locale : requestedLanguage,
    now,
    requestedLanguage,
    formToken,
    at: (path = '', query = {}) => link(`${CHECKOUT_PATH}/${access.sessionId}/${access.key}${path}`, query),
    picture: (url) => new URL(url, publicUrl).href,
    link,
  }
}

/** The target of a step's form. The fragment scrolls to the step, below the order summary. */
export function stepUrl({ at }: Pick<CheckoutView, 'at'>, path: '' | `/${string}` = ''): string {
  return `${at(path)}#step`
}

/** Countries by name, sorted for the locale. */
export function countriesByName(view: Pick<CheckoutView, 'locale'>, countries: readonly string[]) {
  const { compare } = new Intl.Collator(view.locale)
  return countries
    .map((value) => ({ value, label: countryName(view.locale, value) }))
    .toSorted((one, other) => compare(one.label, other.label))
}

/** An address as its country writes it. */
export function linesOf({ locale }: Pick<CheckoutView, 'locale'>, address: Address): readonly string[] {
  return addressLines(address, locale)
}
