import { Type } from 'typebox'
import {
  ACCOUNT_PATHS,
  type Customer,
  endSession,
  findCustomerSession,
  replaceSession,
  verifyPassword,
} from '../../features/accounts/index.ts'
import { ORDER_LINK_PATHS } from '../../features/orders/index.ts'
import {
  type FieldErrors,
  type FieldValues,
  fieldFaults,
  form,
  type HtmlPage,
  html,
  nothing,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  secondaryForm,
  type Texts,
} from '../toolkit/index.ts'
import { languageFor } from './signed-in.ts'

const PATH = ACCOUNT_PATHS.home

type Words =
  | 'title'
  | 'lead'
  | 'email'
  | 'password'
  | 'submit'
  | 'forgot'
  | 'new'
  | 'register'
  | 'guest'
  | 'find'
  | 'emailMissing'
  | 'passwordMissing'
  | 'wrong'
  | 'account'
  | 'signedInAs'
  | 'orders'
  | 'ordersHint'
  | 'addresses'
  | 'addressesHint'
  | 'profile'
  | 'profileHint'
  | 'security'
  | 'securityHint'
  | 'privacy'
  | 'privacyHint'
  | 'signOut'

const texts: Texts<Words> = {
  en: {
    title: 'Sign in',
    lead: 'See your orders, and manage your addresses and your data.',
    email: 'Email address',
    password: 'Password',
    submit: 'Sign in',
    forgot: 'Forgot your password?',
    new: 'New here?',
    register: 'Create account',
    guest: 'Ordered without an account?',
    find: 'Find your order',
    emailMissing: 'Enter your email address',
    passwordMissing: 'Enter your password',
    wrong: 'Wrong email address or password',
    account: 'Your account',
    signedInAs: 'Signed in as',
    orders: 'Orders',
    ordersHint: 'Status, cancellations and returns',
    addresses: 'Addresses',
    addressesHint: 'Where we ship to',
    profile: 'Profile',
    profileHint: 'Name, phone and language',
    security: 'Sign-in and security',
    securityHint: 'Email address, password and devices',
    privacy: 'Privacy',
    privacyHint: 'Newsletter, your data, closing the account',
    signOut: 'Sign out',
  },
  de: {
    title: 'Anmelden',
    lead: 'Sieh deine Bestellungen und verwalte deine Adressen und Daten.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    new: 'Neu hier?',
    register: 'Konto erstellen',
    guest: 'Ohne Konto bestellt?',
    find: 'Bestellung finden',
    emailMissing: 'Gib deine E-Mail-Adresse ein',
    passwordMissing: 'Gib dein Passwort ein',
    wrong: 'E-Mail-Adresse oder Passwort ist falsch',
    account: 'Dein Konto',
    signedInAs: 'Angemeldet als',
    orders: 'Bestellungen',
    ordersHint: 'Status, Stornierungen und Rückgaben',
    addresses: 'Adressen',
    addressesHint: 'Wohin wir liefern',
    profile: 'Profil',
    profileHint: 'Name, Telefon und Sprache',
    security: 'Anmeldung und Sicherheit',
    securityHint: 'E-Mail-Adresse, Passwort und Geräte',
    privacy: 'Datenschutz',
    privacyHint: 'Newsletter, deine Daten, Konto schließen',
    signOut: 'Abmelden',
  },
}

const SignIn = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }), password: Type.String({ minLength: 1, maxLength: 128 }) },
  { additionalProperties: false },
)

/** Sign in, the account, sign out. */
export function homePages(): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: nothing,
      async show(_input, context) {
        const customer = await findCustomerSession(context.reader, context.cookie('customer'), context.now)
        return customer ? homePage(customer, context) : signInPage(context)
      },
    }),

    pageWrite({
      path: PATH,
      query: nothing,
      form: SignIn,
      prepare: ({ form }, { reader, limiter, address, now }) =>
        verifyPassword(reader, limiter, { ...form, address, now }),
      async work({ prepared: customer }, { tx, randomness, now, agent, cookie, link }) {
        const opened = await replaceSession(tx, cookie('customer'), customer, { now, randomness, agent })
        return { kind: 'redirect', to: link(PATH), cookies: [{ name: 'customer', value: opened }] }
      },
      async refused(refusal, { form: { email } }, context) {
        const words = texts[context.language]
        if (refusal.code === 'credential_invalid') return signInPage(context, { email }, { '': words.wrong })
        if (refusal.code !== 'validation_failed') return null
        const fields = new Set(fieldFaults(refusal).map(({ field }) => field))
        const errors = {
          ...(fields.has('email') && { email: words.emailMissing }),
          ...(fields.has('password') && { password: words.passwordMissing }),
        }
        return signInPage(context, { email }, errors)
      },
    }),

    pageWrite({
      path: ACCOUNT_PATHS.signOut,
      query: nothing,
      form: nothing,
      async work(_input, { tx, now, cookie, link, ...context }) {
        const session = cookie('customer')
        const customer = await findCustomerSession(tx, session, now)
        if (session !== null) endSession(tx, session)
        // The next page no longer knows the customer, and so not their language.
        const to = link(PATH, customer ? { locale: languageFor(customer, context) } : {})
        return { kind: 'redirect', to, cookies: [{ name: 'customer', value: '' }] }
      },
      refused: async () => null,
    }),
  ]
}

function signInPage(context: PageReadContext, values: FieldValues = {}, errors?: FieldErrors): HtmlPage {
  const { language, formToken, link } = context
  const words = texts[language]
  const main = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${form({
  language,
  action: link(PATH),
  formToken,
  fields: [
    { name: 'email', label: words.email, type: 'email', autocomplete: 'username', maxLength: 254 },
    { name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', maxLength: 128 },
  ],
  values,
  ...(errors && { errors }),
  before: html`<p><a href="${link(ACCOUNT_PATHS.reset)}">${words.forgot}</a></p>`,
  submit: words.submit,
})}
<hr>
<p>${words.new} <a href="${link(ACCOUNT_PATHS.register)}">${words.register}</a></p>
<p>${words.guest} <a href="${link(ORDER_LINK_PATHS.request)}">${words.find}</a></p>`
  return { kind: 'page', title: words.title, main, ...(errors && { status: 400, hasErrors: true }) }
}

const SECTIONS = ['orders', 'addresses', 'profile', 'security', 'privacy'] as const

function homePage(customer: Customer, context: PageReadContext): HtmlPage {
  const { formToken, link } = context
  const language = languageFor(customer, context)
  const words = texts[language]
  const main = html`<h1>${words.account}</h1>
<p class="lead">${words.signedInAs} <strong>${customer.email}</strong></p>
<nav aria-label="${words.account}">
${SECTIONS.map((section) => html`<p><a href="${link(ACCOUNT_PATHS[section])}"><strong>${words[section]}</strong></a><br><span class="small">${words[`${section}Hint`]}</span></p>\n`)}
</nav>
${secondaryForm({ action: link(ACCOUNT_PATHS.signOut), formToken, submit: words.signOut })}`
  return { kind: 'page', title: words.account, main, language }
}
