import { HostedLogin, RegisterCustomerRequest } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import { ACCOUNT_PATHS, type AccountDeps, hashNewPassword, register } from '../../features/accounts/index.ts'
import { LOGIN_PATHS } from '../../features/hosted-login/index.ts'
import { documentsToAccept, type LegalHead } from '../../features/storefront/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { AcceptingFields, acceptedWith, acceptingField, shownDocuments } from '../legal/accepting.ts'
import {
  doneMark,
  type FieldErrors,
  type FieldValues,
  form,
  html,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  type ShownPage,
  type Texts,
} from '../toolkit/index.ts'
import { errorsOf } from './field-errors.ts'

const PATH = ACCOUNT_PATHS.register

type Words =
  | 'title'
  | 'lead'
  | 'email'
  | 'emailHint'
  | 'password'
  | 'passwordHint'
  | 'firstName'
  | 'lastName'
  | 'marketing'
  | 'submit'
  | 'sentTitle'
  | 'sent'
  | 'sentKnown'
  | 'known'
  | 'signIn'
  | 'confirmed'

const texts: Texts<Words> = {
  en: {
    title: 'Open an account',
    lead: 'With an account you find your orders again and need to type your address only once.',
    email: 'E-mail address',
    emailHint: 'We send a link there to confirm that it is yours.',
    password: 'Password',
    passwordHint: 'At least 8 characters. Three or four words that nobody else would put together are good.',
    firstName: 'First name',
    lastName: 'Last name',
    marketing: 'Send me news and offers now and then. I can end that at any time.',
    submit: 'Open the account',
    sentTitle: 'Look into your mailbox',
    sent: 'We have sent you a mail. Open the link in it, and your account is open. The link works for 24 hours.',
    sentKnown: 'If this address has an account already, the mail says so. If none comes, look among unwanted mail.',
    known: 'Do you have an account?',
    signIn: 'Sign in',
    confirmed: 'I have confirmed it: sign in',
  },
  de: {
    title: 'Konto eröffnen',
    lead: 'Mit einem Konto findest du deine Bestellungen wieder und gibst deine Adresse nur einmal ein.',
    email: 'E-Mail-Adresse',
    emailHint: 'Wir schicken dorthin einen Link, mit dem du bestätigst, dass sie dir gehört.',
    password: 'Passwort',
    passwordHint: 'Mindestens 8 Zeichen. Gut sind drei oder vier Wörter, die sonst niemand zusammenstellen würde.',
    firstName: 'Vorname',
    lastName: 'Nachname',
    marketing: 'Schickt mir ab und zu Neues und Angebote. Ich kann das jederzeit beenden.',
    submit: 'Konto eröffnen',
    sentTitle: 'Sieh in dein Postfach',
    sent: 'Wir haben dir eine E-Mail geschickt. Öffne den Link darin, und dein Konto ist eröffnet. Der Link gilt 24 Stunden.',
    sentKnown:
      'Wenn es mit dieser Adresse schon ein Konto gibt, steht das in der E-Mail. Kommt keine, sieh im Spam-Ordner nach.',
    known: 'Hast du schon ein Konto?',
    signIn: 'Anmelden',
    confirmed: 'Bestätigt: jetzt anmelden',
  },
}

const { email, password, firstName, lastName } = RegisterCustomerRequest.properties
const RegisterForm = Type.Object(
  { email, password, firstName, lastName, marketing: Type.Optional(Type.Literal('yes')), ...AcceptingFields },
  { additionalProperties: false },
)

/** The login that somebody came from who had no account, so that they find back to it. */
const From = Type.Object(
  { session: Type.Optional(HostedLogin.properties.loginSession) },
  { additionalProperties: false },
)
type From = Static<typeof From>

/** How somebody opens an account, on the way to a shop or without one. */
export function registerPages({ demandGrant }: AccountDeps): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: From,
      show: async ({ query }, context) => registerPage(context, query, await documentsFor(context.reader, context)),
    }),

    pageWrite({
      path: PATH,
      query: From,
      form: RegisterForm,
      limit: 'register',
      async prepare({ form }, { reader, now, language }) {
        await demandGrant(reader, { purpose: 'register', token: null, now })
        const acceptedDocuments = acceptedWith(form, await documentsFor(reader, { now, language }))
        return { acceptedDocuments, passwordHash: await hashNewPassword(form.password, form.email, '/password') }
      },
      async work({ query, form, prepared: { acceptedDocuments, passwordHash } }, { tx, ids, now, language, link }) {
        const wish = {
          email: form.email,
          passwordHash,
          firstName: form.firstName ?? null,
          lastName: form.lastName ?? null,
          locale: language,
          marketingConsent: form.marketing === 'yes',
          acceptedDocuments,
        }
        register(tx, wish, { ids, now })
        return { kind: 'redirect', to: link(`${PATH}/sent`, query) }
      },
      async refused(refusal, { query, form }, context) {
        const errors = errorsOf(refusal, context.language)
        return errors && registerPage(context, query, await documentsFor(context.reader, context), form, errors)
      },
    }),

    pageRead({
      path: `${PATH}/sent`,
      query: From,
      async show({ query }, { language, link }) {
        const words = texts[language]
        const main = html`${doneMark}<h1>${words.sentTitle}</h1>
<p>${words.sent}</p>
<p class="small">${words.sentKnown}</p>
${query.session && html`<div class="actions"><a class="button" href="${link(LOGIN_PATHS.signIn, query)}">${words.confirmed}</a></div>`}`
        return { kind: 'page', title: words.sentTitle, main }
      },
    }),
  ]
}

function documentsFor(reader: Reader, { now, language }: Pick<PageReadContext, 'now' | 'language'>) {
  return documentsToAccept(reader, 'registering', { now, languages: [language] })
}

function registerPage(
  context: PageReadContext,
  from: From,
  documents: readonly LegalHead[],
  values: FieldValues = {},
  errors?: FieldErrors,
): ShownPage {
  const { language, formToken, link } = context
  const accepting = acceptingField(documents, language, link)
  const words = texts[language]
  const main = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${form({
  language,
  action: link(PATH, from),
  formToken,
  values: errors?.accepted ? { ...values, accepted: undefined } : values,
  ...(errors && { errors }),
  submit: words.submit,
  hidden: { documents: shownDocuments(documents) },
  fields: [
    { name: 'email', label: words.email, type: 'email', hint: words.emailHint, autocomplete: 'email' },
    {
      name: 'password',
      label: words.password,
      type: 'password',
      hint: words.passwordHint,
      autocomplete: 'new-password',
    },
    [
      { name: 'firstName', label: words.firstName, autocomplete: 'given-name', optional: true },
      { name: 'lastName', label: words.lastName, autocomplete: 'family-name', optional: true },
    ],
    ...(accepting ? [accepting] : []),
    { name: 'marketing', label: words.marketing, type: 'checkbox', optional: true },
  ],
})}
${from.session && html`<hr>\n<p>${words.known} <a href="${link(LOGIN_PATHS.signIn, from)}">${words.signIn}</a></p>`}`
  return { kind: 'page', title: words.title, main, ...(errors && { status: 400, hasErrors: true }) }
}
