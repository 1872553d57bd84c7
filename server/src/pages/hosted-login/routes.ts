import { HostedLogin } from '@vitrine/contract'
import { Type } from 'typebox'
import {
  type CustomerSecret,
  endSession,
  findCustomerSession,
  limitSignIn,
  openSession,
  verifySignIn,
} from '../../features/accounts/index.ts'
import {
  cancelLogin,
  findPageLogin,
  LOGIN_PATHS,
  type PageLogin,
  returnCustomer,
} from '../../features/hosted-login/index.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import {
  type FieldErrors,
  type Language,
  nothing,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  type ShownPage,
} from '../toolkit/index.ts'
import { texts } from './texts.ts'
import { continuePage, overPage, signInPage } from './views.ts'

const closed = { additionalProperties: false } as const
const { loginSession: session } = HostedLogin.properties
const Asked = Type.Object({ session }, closed)
const AskedAnew = Type.Object({ session, other: Type.Optional(Type.Literal('yes')) }, closed)
const SignIn = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }), password: Type.String({ minLength: 1, maxLength: 128 }) },
  closed,
)

type Query = { readonly session: string }

/** What the pages of a login are made with. */
export interface LoginPagesDeps {
  /** Who we are to the installation that the shopper goes back to. */
  readonly issuer: string
}

/** Where shoppers say who they are, and go back from to the installation that asked. */
export function loginPages({ issuer }: LoginPagesDeps): PageRoute[] {
  return [
    pageRead({
      path: LOGIN_PATHS.signIn,
      query: AskedAnew,
      show: ({ query }, context) =>
        whileOpen(query, context, async (asked) => {
          const known = query.other ? null : await findCustomerSession(context.reader, context.cookie('customer'), context.now)
          return known ? continuePage(asked, known, context) : signInPage(asked, context)
        }),
    }),

    pageWrite({
      path: LOGIN_PATHS.signIn,
      query: Asked,
      form: SignIn,
      async prepare({ form: { email, password } }, { reader, limiter, address, now }): Promise<CustomerSecret> {
        await limitSignIn(limiter, { email, address, now })
        return (await verifySignIn(reader, { email, password })) ?? refuse('credential_invalid')
      },
      async work({ query, prepared: customer }, { tx, randomness, now, cookie }) {
        const opened = await openSession(tx, customer, { now, randomness })
        if (opened === null) refuse('credential_invalid', { reason: 'the password was changed a moment ago' })
        const before = cookie('customer')
        if (before !== null) endSession(tx, before)
        const who = { loginId: query.session, customerId: customer.id }
        const to = await returnCustomer(tx, who, { now, issuer, randomness })
        return { kind: 'redirect', to, cookies: [{ name: 'customer', value: opened }] }
      },
      async refused(refusal, { query, form: { email } }, context) {
        const errors = errorsOf(refusal, context.language)
        if (!errors) return overOrNothing(refusal, { query }, context)
        return whileOpen(query, context, async (asked) => signInPage(asked, context, { email }, errors))
      },
    }),

    pageWrite({
      path: LOGIN_PATHS.continue,
      query: Asked,
      form: nothing,
      async work({ query }, { tx, randomness, now, cookie, link }) {
        const customer = await findCustomerSession(tx, cookie('customer'), now)
        // The session ended while the page stood there: they sign in, as anybody does.
        if (!customer) return { kind: 'redirect', to: link(LOGIN_PATHS.signIn, query) }
        const who = { loginId: query.session, customerId: customer.id }
        return { kind: 'redirect', to: await returnCustomer(tx, who, { now, issuer, randomness }) }
      },
      refused: overOrNothing,
    }),

    pageWrite({
      path: LOGIN_PATHS.cancel,
      query: Asked,
      form: nothing,
      work: async ({ query }, { tx, now }) => ({
        kind: 'redirect',
        to: await cancelLogin(tx, query.session, { now, issuer }),
      }),
      refused: overOrNothing,
    }),
  ]
}

/** Shows a page of a login that is under way, or that it is over. */
async function whileOpen(
  { session }: Query,
  context: PageReadContext,
  show: (asked: PageLogin) => Promise<ShownPage>,
): Promise<ShownPage> {
  const asked = await findPageLogin(context.reader, session, context.now)
  return asked && isOpen(asked) ? show(asked) : overPage(asked, context)
}

/** Whoever has just gone back may go again, should their shop have lost them. */
function isOpen({ login }: PageLogin): boolean {
  return login.status === 'initiated' || login.status === 'returned'
}

async function overOrNothing(
  refusal: Refusal,
  { query }: { readonly query: Query },
  context: PageReadContext,
): Promise<ShownPage | null> {
  if (refusal.code !== 'session_expired' && refusal.code !== 'not_found') return null
  return overPage(await findPageLogin(context.reader, query.session, context.now), context)
}

/** One message for an address that nobody has and a password that is wrong. */
function errorsOf({ code, facts }: Refusal, language: Language): FieldErrors | null {
  const words = texts[language]
  if (code === 'credential_invalid') return { '': words.wrong }
  if (code !== 'validation_failed') return null
  const fields = new Set((facts.details ?? []).map(({ pointer }) => pointer))
  return {
    ...(fields.has('/email') && { email: words.emailMissing }),
    ...(fields.has('/password') && { password: words.passwordMissing }),
  }
}
