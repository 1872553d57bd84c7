import { ACCOUNT_PATHS, type Customer, findCustomerSession } from '../../features/accounts/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import {
  type Html,
  type HtmlPage,
  html,
  type Language,
  languageOf,
  type PageReadContext,
  type Texts,
} from '../toolkit/index.ts'

const texts: Texts<'back'> = { en: { back: 'Your account' }, de: { back: 'Dein Konto' } }

type SessionContext = Pick<PageReadContext, 'cookie' | 'now' | 'link'> & { readonly reader: Reader }

/** The redirect to the sign-in page. */
type Redirected = { readonly kind: 'redirect'; readonly to: string }

/** The signed-in customer, or the redirect to sign in. */
export async function signedIn({ reader, cookie, now, link }: SessionContext): Promise<Customer | Redirected> {
  const customer = await findCustomerSession(reader, cookie('customer'), now)
  return customer ?? { kind: 'redirect', to: link(ACCOUNT_PATHS.home) }
}

export function isCustomer(either: Customer | Redirected): either is Customer {
  return 'email' in either
}

/** The language of a customer's pages: the requested one, else their own. */
export function languageFor(
  { locale }: Pick<Customer, 'locale'>,
  { requestedLanguage, language }: Pick<PageReadContext, 'requestedLanguage' | 'language'>,
): Language {
  return requestedLanguage ?? languageOf(locale, [language])
}

/** A page of the account, with a link back to its home page. */
export function accountPage(
  {
    title,
    main,
    language,
    hasErrors = false,
  }: {
    readonly title: string
    readonly main: Html
    readonly language: Language
    readonly hasErrors?: boolean
  },
  { link }: Pick<PageReadContext, 'link'>,
): HtmlPage {
  return {
    kind: 'page',
    title,
    language,
    main: html`<p class="small"><a href="${link(ACCOUNT_PATHS.home)}">${texts[language].back}</a></p>
<h1>${title}</h1>
${main}`,
    ...(hasErrors && { status: 400, hasErrors }),
  }
}
