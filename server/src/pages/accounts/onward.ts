import { HostedLogin } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import { ACCOUNT_PATHS } from '../../features/accounts/index.ts'
import { findPageLogin, LOGIN_PATHS } from '../../features/hosted-login/index.ts'
import { type Html, html, type PageReadContext, type Texts } from '../toolkit/index.ts'

const texts: Texts<'signIn' | 'backTo'> = {
  en: { signIn: 'Sign in', backTo: 'Back to' },
  de: { signIn: 'Jetzt anmelden', backTo: 'Zurück zu' },
}

/** The hosted login to return to. */
export const LoginQuery = Type.Object(
  { session: Type.Optional(HostedLogin.properties.loginSession) },
  { additionalProperties: false },
)
export type LoginQuery = Static<typeof LoginQuery>

/** Remembers the hosted login in the browser until the link in the mail is opened. */
export function loginCookies({ session }: LoginQuery) {
  return session === undefined ? [] : ([{ name: 'login', value: session }] as const)
}

/** The next step after a registration or a reset: the hosted login that it began in, or its shop, else the account. */
export async function onward({ reader, now, language, cookie, link }: PageReadContext): Promise<Html> {
  const words = texts[language]
  const session = cookie('login')
  const begun = session === null ? null : await findPageLogin(reader, session, now)
  if (session !== null && begun?.login.status === 'initiated')
    return actionOf(link(LOGIN_PATHS.signIn, { session }), words.signIn)
  // The login ends after ten minutes. The shop begins another one.
  if (begun) return actionOf(new URL(begun.login.returnUrl).origin, `${words.backTo} ${begun.installationName}`)
  return actionOf(link(ACCOUNT_PATHS.home), words.signIn)
}

function actionOf(to: string, label: string): Html {
  return html`<div class="actions"><a class="button" href="${to}">${label}</a></div>`
}
