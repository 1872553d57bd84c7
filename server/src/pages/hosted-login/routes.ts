import { HostedLogin } from '@vitrine/contract'
import { Type } from 'typebox'
import { findCustomerSession, replaceSession, verifyPassword } from '../../features/accounts/index.ts'
import {
  cancelLogin,
  findPageLogin,
  LOGIN_PATHS,
  type PageLogin,
  returnCustomer,
} from '../../features/hosted-login/index.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import {
  type FieldErrors,
  fieldFaults,
  type HtmlPage,
  type Language,
  nothing,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
} from '../toolkit/index.ts'
import { texts } from './texts.ts'
import { continuePage, endedPage, signInPage } from './views.ts'

const closed = { additionalProperties: false } as const
const { loginSession: session } = HostedLogin.properties
const SessionQuery = Type.Object({ session }, closed)
const SignInQuery = Type.Object({ session, other: Type.Optional(Type.Literal('yes')) }, closed)
const SignIn = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }), password: Type.String({ minLength: 1, maxLength: 128 }) },
  closed,
)

type Query = { readonly session: string }

/** Dependencies of the login pages. */
interface LoginPagesDeps {
  /** The issuer in responses to the installation. */
  readonly issuer: string
}

/** Hosted login: sign in, continue with a session, or cancel. */
export function loginPages({ issuer }: LoginPagesDeps): PageRoute[] {
  return [
    pageRead({
      path: LOGIN_PATHS.signIn,
      query: SignInQuery,
      show: ({ query }, context) =>
        whileOpen(query, context, async (login) => {
          const known = query.other
            ? null
            : await findCustomerSession(context.reader, context.cookie('customer'), context.now)
          return known ? continuePage(login, known, context) : signInPage(login, context)
        }),
    }),

    pageWrite({
      path: LOGIN_PATHS.signIn,
      query: SessionQuery,
      form: SignIn,
      prepare: ({ form }, { reader, limiter, address, now }) =>
        verifyPassword(reader, limiter, { ...form, address, now }),
      async work({ query, prepared: customer }, { tx, randomness, now, cookie, agent }) {
        const opened = await replaceSession(tx, cookie('customer'), customer, { now, randomness, agent })
        const who = { loginId: query.session, customer }
        const to = await returnCustomer(tx, who, { now, issuer, randomness })
        return { kind: 'redirect', to, cookies: [{ name: 'customer', value: opened }] }
      },
      async refused(refusal, { query, form: { email } }, context) {
        const errors = errorsOf(refusal, context.language)
        if (!errors) return endedPageOrNull(refusal, { query }, context)
        return whileOpen(query, context, async (login) => signInPage(login, context, { email }, errors))
      },
    }),

    pageWrite({
      path: LOGIN_PATHS.continue,
      query: SessionQuery,
      form: nothing,
      async work({ query }, { tx, randomness, now, cookie, link }) {
        const customer = await findCustomerSession(tx, cookie('customer'), now)
        // The session ended after the page was rendered: sign in again.
        if (!customer) return { kind: 'redirect', to: link(LOGIN_PATHS.signIn, query) }
        const who = { loginId: query.session, customer }
        return { kind: 'redirect', to: await returnCustomer(tx, who, { now, issuer, randomness }) }
      },
      refused: endedPageOrNull,
    }),

    pageWrite({
      path: LOGIN_PATHS.cancel,
      query: SessionQuery,
      form: nothing,
      work: async ({ query }, { tx, now }) => ({
        kind: 'redirect',
        to: await cancelLogin(tx, query.session, { now, issuer }),
      }),
      refused: endedPageOrNull,
    }),
  ]
}

/** Render a page of an open login, or the page of an ended one. */
async function whileOpen(
  { session }: Query,
  context: PageReadContext,
  show: (login: PageLogin) => Promise<HtmlPage>,
): Promise<HtmlPage> {
  const login = await findPageLogin(context.reader, session, context.now)
  return login && isOpen(login) ? show(login) : endedPage(login, context)
}

/** A shopper who has returned may return again, in case the shop lost the first response. */
function isOpen({ login }: PageLogin): boolean {
  return login.status === 'initiated' || login.status === 'returned'
}

async function endedPageOrNull(
  refusal: Refusal,
  { query }: { readonly query: Query },
  context: PageReadContext,
): Promise<HtmlPage | null> {
  if (refusal.code !== 'session_expired' && refusal.code !== 'not_found') return null
  return endedPage(await findPageLogin(context.reader, query.session, context.now), context)
}

/** One message for an unknown address and a wrong password. */
function errorsOf(refusal: Refusal, language: Language): FieldErrors | null {
  const words = texts[language]
  if (refusal.code === 'credential_invalid') return { '': words.wrong }
  if (refusal.code !== 'validation_failed') return null
  const fields = new Set(fieldFaults(refusal).map(({ field }) => field))
  return {
    ...(fields.has('email') && { email: words.emailMissing }),
    ...(fields.has('password') && { password: words.passwordMissing }),
  }
}
