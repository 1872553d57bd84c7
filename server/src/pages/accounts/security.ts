import { ConfirmPasswordResetRequest, RegisterCustomerRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import {
  ACCOUNT_PATHS,
  type AccountDeps,
  type Customer,
  changePassword,
  endListedSession,
  endOtherSessions,
  hashNewPassword,
  limitEmailChange,
  listSessions,
  requestEmailChange,
  type SessionRecord,
  verifyPassword,
} from '../../features/accounts/index.ts'
import { readTimeZone } from '../../features/storefront/index.ts'
import { formatTime } from '../../kernel/format-date.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import { deviceName } from '../../platform/http/device-name.ts'
import {
  type FieldErrors,
  type FieldValues,
  form,
  type Html,
  type HtmlPage,
  html,
  type Language,
  nothing,
  type PageReadContext,
  type PageResponse,
  type PageRoute,
  pageRead,
  pageWrite,
  secondaryForm,
  type Texts,
} from '../toolkit/index.ts'
import { errorsOf, withWeakPassword } from './field-errors.ts'
import { accountPage, isCustomer, languageFor, signedIn } from './signed-in.ts'

const PATH = ACCOUNT_PATHS.security
const PASSWORD = `${PATH}/password` as const
const EMAIL = `${PATH}/email` as const
const SESSION = `${PATH}/session` as const
const OTHERS = `${PATH}/others` as const

type Words =
  | 'title'
  | 'emailTitle'
  | 'emailNow'
  | 'email'
  | 'emailHint'
  | 'emailSubmit'
  | 'emailSent'
  | 'passwordTitle'
  | 'current'
  | 'password'
  | 'passwordHint'
  | 'passwordSubmit'
  | 'passwordChanged'
  | 'wrong'
  | 'devices'
  | 'here'
  | 'since'
  | 'unknown'
  | 'end'
  | 'endOthers'
  | 'ended'

const texts: Texts<Words> = {
  en: {
    title: 'Sign-in and security',
    emailTitle: 'Email address',
    emailNow: 'You sign in with',
    email: 'New email address',
    emailHint: 'We’ll send a link to the new address. Until you open it, nothing changes.',
    emailSubmit: 'Change email address',
    emailSent: 'We have sent an email to your new address. Open the link in it within 24 hours.',
    passwordTitle: 'Password',
    current: 'Current password',
    password: 'New password',
    passwordHint: 'At least 8 characters. Three or four random words make a good password.',
    passwordSubmit: 'Change password',
    passwordChanged: 'Your password was changed. Your other devices were signed out.',
    wrong: 'This is not your current password',
    devices: 'Devices',
    here: 'This device',
    since: 'Signed in on',
    unknown: 'Unknown device',
    end: 'Sign out',
    endOthers: 'Sign out all other devices',
    ended: 'Signed out.',
  },
  de: {
    title: 'Anmeldung und Sicherheit',
    emailTitle: 'E-Mail-Adresse',
    emailNow: 'Du meldest dich an mit',
    email: 'Neue E-Mail-Adresse',
    emailHint: 'Wir senden einen Link an die neue Adresse. Bis du ihn öffnest, ändert sich nichts.',
    emailSubmit: 'E-Mail-Adresse ändern',
    emailSent: 'Wir haben dir eine E-Mail an die neue Adresse gesendet. Öffne den Link darin innerhalb von 24 Stunden.',
    passwordTitle: 'Passwort',
    current: 'Aktuelles Passwort',
    password: 'Neues Passwort',
    passwordHint: 'Mindestens 8 Zeichen. Gut sind drei oder vier zufällige Wörter.',
    passwordSubmit: 'Passwort ändern',
    passwordChanged: 'Dein Passwort wurde geändert. Deine anderen Geräte wurden abgemeldet.',
    wrong: 'Das ist nicht dein aktuelles Passwort',
    devices: 'Geräte',
    here: 'Dieses Gerät',
    since: 'Angemeldet am',
    unknown: 'Unbekanntes Gerät',
    end: 'Abmelden',
    endOthers: 'Alle anderen Geräte abmelden',
    ended: 'Abgemeldet.',
  },
}

const closed = { additionalProperties: false } as const
const current = Type.String({ minLength: 1, maxLength: 128 })
const PasswordForm = Type.Object({ current, newPassword: ConfirmPasswordResetRequest.properties.newPassword }, closed)
const EmailForm = Type.Object({ email: RegisterCustomerRequest.properties.email }, closed)
const DoneQuery = Type.Object(
  { done: Type.Optional(Type.Union([Type.Literal('email'), Type.Literal('password'), Type.Literal('session')])) },
  closed,
)

/** Change of email address and password, and the sessions. */
export function securityPages({ mails }: AccountDeps): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: DoneQuery,
      async show({ query: { done } }, context) {
        const customer = await signedIn(context)
        if (!isCustomer(customer)) return customer
        return securityPage(customer, context, done === undefined ? {} : { done })
      },
    }),

    pageWrite({
      path: PASSWORD,
      query: nothing,
      form: PasswordForm,
      async prepare({ form: { current: password, newPassword } }, { reader, limiter, address, now, ...context }) {
        const customer = await signedIn({ ...context, reader, now })
        if (!isCustomer(customer)) return null
        const { email } = customer
        const proved = await verifyPassword(reader, limiter, { email, password, address, now })
        return { proved, passwordHash: await hashNewPassword(newPassword, email, 'newPassword') }
      },
      async work({ prepared }, { tx, ids, now, randomness, agent, ...context }) {
        const customer = await signedIn({ ...context, now, reader: tx })
        if (!isCustomer(customer) || prepared === null) return { kind: 'redirect', to: context.link(PATH) }
        const { proved, passwordHash } = prepared
        const value = await changePassword(tx, proved, passwordHash, { ids, now, mails, randomness, agent })
        const cookies = [{ name: 'customer', value }] as const
        return { kind: 'redirect', to: context.link(PATH, { done: 'password' }), cookies }
      },
      refused: (refusal, { form: sent }, context) => afterRefusal(refusal, 'password', sent, context),
    }),

    pageWrite({
      path: EMAIL,
      query: nothing,
      form: EmailForm,
      // The new address may belong to another person, so the mails to it are limited.
      limit: 'reset-address',
      prepare: ({ form: { email } }, { limiter, now }) => limitEmailChange(limiter, email, now),
      async work({ form: { email } }, { tx, ids, now, ...context }) {
        const customer = await signedIn({ ...context, now, reader: tx })
        if (!isCustomer(customer)) return customer
        const locale = languageFor(customer, context)
        requestEmailChange(tx, { customerId: customer.id, email, locale }, { ids, now })
        return { kind: 'redirect', to: context.link(PATH, { done: 'email' }) }
      },
      refused: (refusal, { form: sent }, context) => afterRefusal(refusal, 'email', sent, context),
    }),

    pageWrite({
      path: SESSION,
      query: nothing,
      form: Type.Object({ session: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43 }) }, closed),
      async work({ form: { session } }, { tx, ...context }) {
        const customer = await signedIn({ ...context, reader: tx })
        if (!isCustomer(customer)) return customer
        endListedSession(tx, customer.id, Buffer.from(session, 'base64url'))
        return { kind: 'redirect', to: context.link(PATH, { done: 'session' }) }
      },
      refused: async () => null,
    }),

    pageWrite({
      path: OTHERS,
      query: nothing,
      form: nothing,
      async work(_input, { tx, cookie, ...context }) {
        const customer = await signedIn({ ...context, cookie, reader: tx })
        const own = cookie('customer')
        if (!isCustomer(customer) || own === null) return { kind: 'redirect', to: context.link(PATH) }
        endOtherSessions(tx, customer.id, own)
        return { kind: 'redirect', to: context.link(PATH, { done: 'session' }) }
      },
      refused: async () => null,
    }),
  ]
}

async function afterRefusal(
  refusal: Refusal,
  of: 'password' | 'email',
  values: FieldValues,
  context: PageReadContext,
): Promise<PageResponse | null> {
  const customer = await signedIn(context)
  if (!isCustomer(customer)) return customer
  const language = languageFor(customer, context)
  const errors =
    refusal.code === 'credential_invalid' ? { current: texts[language].wrong } : errorsOf(refusal, language)
  if (!errors) return null
  // An empty current password gets the same error as a wrong one.
  const shown = errors.current === undefined ? errors : { ...errors, current: texts[language].wrong }
  const all = await withWeakPassword(
    shown,
    { field: 'newPassword', typed: values.newPassword, email: customer.email },
    language,
  )
  return securityPage(customer, context, { of, values, errors: all })
}

interface Shown {
  readonly done?: 'email' | 'password' | 'session'
  readonly of?: 'password' | 'email'
  readonly values?: FieldValues
  readonly errors?: FieldErrors
}

async function securityPage(
  customer: Customer,
  context: PageReadContext,
  { done, of, values = {}, errors }: Shown,
): Promise<HtmlPage> {
  const { reader, now, formToken, link } = context
  const language = languageFor(customer, context)
  const words = texts[language]
  const [sessions, timeZone] = await Promise.all([listSessions(reader, customer.id, now), readTimeZone(reader, [])])
  const said = done && { email: words.emailSent, password: words.passwordChanged, session: words.ended }[done]
  const main = html`${said && html`<p class="note" role="status">${said}</p>`}
<h2>${words.emailTitle}</h2>
<p>${words.emailNow} <strong>${customer.email}</strong></p>
${form({
  language,
  action: link(EMAIL),
  formToken,
  fields: [
    { name: 'email', label: words.email, type: 'email', hint: words.emailHint, autocomplete: 'email', maxLength: 254 },
  ],
  values,
  ...(of === 'email' && errors && { errors }),
  submit: words.emailSubmit,
})}
<h2>${words.passwordTitle}</h2>
${form({
  language,
  action: link(PASSWORD),
  formToken,
  fields: [
    { name: 'current', label: words.current, type: 'password', autocomplete: 'current-password', maxLength: 128 },
    {
      name: 'newPassword',
      label: words.password,
      type: 'password',
      hint: words.passwordHint,
      autocomplete: 'new-password',
      maxLength: 128,
    },
  ],
  ...(of === 'password' && errors && { errors }),
  submit: words.passwordSubmit,
})}
${devices(sessions, { language, timeZone }, context)}`
  return accountPage({ title: words.title, main, language, hasErrors: errors !== undefined }, context)
}

function devices(
  sessions: readonly SessionRecord[],
  { language, timeZone }: { readonly language: Language; readonly timeZone: string },
  { cookie, formToken, link }: PageReadContext,
): Html {
  const words = texts[language]
  const own = cookie('customer')
  const isOwn = ({ token_hash }: SessionRecord) => own !== null && token_hash.equals(hashOfToken(own))
  const sorted = sessions.toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
  return html`<h2>${words.devices}</h2>
${sorted.map((session) => {
  const name = deviceName(session.agent) || words.unknown
  const end = {
    action: link(SESSION),
    formToken,
    hidden: { session: session.token_hash.toString('base64url') },
    submit: html`${words.end}<span class="unseen">: ${name}</span>`,
  }
  return html`<div class="device"><p class="person">${isOwn(session) ? words.here : name}<br>
<span class="small">${words.since} ${formatTime(language, session.created_at, timeZone)}${isOwn(session) && session.agent && html`<br>${name}`}</span></p>
${!isOwn(session) && secondaryForm(end)}</div>
`
})}
${sessions.length > 1 && secondaryForm({ action: link(OTHERS), formToken, submit: words.endOthers })}`
}
