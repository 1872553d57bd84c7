import { RegisterCustomerRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import { ACCOUNT_PATHS, type AccountDeps, hashNewPassword, register } from '../../features/accounts/index.ts'
import { LOGIN_PATHS } from '../../features/hosted-login/index.ts'
import { documentsToAccept, type LegalHead } from '../../features/storefront/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import {
  AcceptanceFields,
  acceptanceField,
  acceptanceMissing,
  assertAccepted,
  documentVersions,
} from '../legal/acceptance.ts'
import {
  doneMark,
  type FieldErrors,
  type FieldValues,
  form,
  type HtmlPage,
  html,
  nothing,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  type Texts,
} from '../toolkit/index.ts'
import { errorsOf, withWeakPassword } from './field-errors.ts'
import { LoginQuery, loginCookies } from './onward.ts'

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
    title: 'Create account',
    lead: 'With an account you sign in at all shops of this marketplace and see your orders in one place.',
    email: 'Email address',
    emailHint: 'We’ll send a link to confirm your address.',
    password: 'Password',
    passwordHint: 'At least 8 characters. Three or four random words make a good password.',
    firstName: 'First name',
    lastName: 'Last name',
    marketing: 'Email me news and offers. I can unsubscribe at any time.',
    submit: 'Create account',
    sentTitle: 'Check your inbox',
    sent: 'We sent you an email. Open the link in it to activate your account. The link is valid for 24 hours.',
    sentKnown:
      'If this address already has an account, the email says so. If you don’t receive an email, check your spam folder.',
    known: 'Already have an account?',
    signIn: 'Sign in',
    confirmed: 'I’ve confirmed my address. Sign in',
  },
  de: {
    title: 'Konto erstellen',
    lead: 'Mit einem Konto meldest du dich in allen Shops dieses Marktplatzes an und siehst alle Bestellungen an einem Ort.',
    email: 'E-Mail-Adresse',
    emailHint: 'Wir senden dir einen Link, um deine Adresse zu bestätigen.',
    password: 'Passwort',
    passwordHint: 'Mindestens 8 Zeichen. Gut sind drei oder vier zufällige Wörter.',
    firstName: 'Vorname',
    lastName: 'Nachname',
    marketing: 'Ich möchte Neuigkeiten und Angebote per E-Mail erhalten. Ich kann mich jederzeit abmelden.',
    submit: 'Konto erstellen',
    sentTitle: 'Prüfe dein Postfach',
    sent: 'Wir haben dir eine E-Mail gesendet. Öffne den Link darin, um dein Konto zu aktivieren. Der Link ist 24 Stunden gültig.',
    sentKnown:
      'Wenn es mit dieser Adresse schon ein Konto gibt, steht das in der E-Mail. Wenn keine E-Mail ankommt, prüfe deinen Spam-Ordner.',
    known: 'Hast du schon ein Konto?',
    signIn: 'Anmelden',
    confirmed: 'Adresse bestätigt, jetzt anmelden',
  },
}

const { email, password, firstName, lastName } = RegisterCustomerRequest.properties
const RegisterForm = Type.Object(
  { email, password, firstName, lastName, marketing: Type.Optional(Type.Literal('yes')), ...AcceptanceFields },
  { additionalProperties: false },
)

/** Registration, with or without a hosted login to return to. */
export function registerPages({ requireGrant }: AccountDeps): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: LoginQuery,
      show: async ({ query }, context) => registerPage(context, query, await documentsFor(context.reader, context)),
    }),

    pageWrite({
      path: PATH,
      query: LoginQuery,
      form: RegisterForm,
      limit: 'register',
      async prepare({ form }, { reader, now, language }) {
        await requireGrant(reader, { purpose: 'register', token: null, now })
        const acceptedDocuments = assertAccepted(form, await documentsFor(reader, { now, language }))
        return { acceptedDocuments, passwordHash: await hashNewPassword(form.password, form.email, 'password') }
      },
      async work({ query, form, prepared: { acceptedDocuments, passwordHash } }, { tx, ids, now, language, link }) {
        const registration = {
          email: form.email,
          passwordHash,
          firstName: form.firstName ?? null,
          lastName: form.lastName ?? null,
          locale: language,
          marketingConsent: form.marketing === 'yes',
          acceptedDocuments,
        }
        register(tx, registration, { ids, now })
        return { kind: 'redirect', to: link(`${PATH}/sent`, query), cookies: loginCookies(query) }
      },
      async refused(refusal, { query, form }, context) {
        const errors = errorsOf(refusal, context.language)
        if (!errors) return null
        const documents = await documentsFor(context.reader, context)
        const isMissing = documents.length > 0 && form.accepted === undefined
        const all = isMissing ? { ...errors, accepted: acceptanceMissing(context.language) } : errors
        const { email = null, password } = form
        const shown = await withWeakPassword(all, { field: 'password', typed: password, email }, context.language)
        return registerPage(context, query, documents, form, shown)
      },
    }),

    // Registration with a known email address, such as that of an order.
    pageWrite({
      path: `${PATH}/begin`,
      query: nothing,
      form: Type.Object({ email }, { additionalProperties: false }),
      work: async ({ form }, { tx, ...context }) =>
        registerPage(context, {}, await documentsFor(tx, context), { email: form.email }),
      refused: async (_refusal, _input, context) =>
        registerPage(context, {}, await documentsFor(context.reader, context)),
    }),

    pageRead({
      path: `${PATH}/sent`,
      query: LoginQuery,
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
  context: Pick<PageReadContext, 'language' | 'formToken' | 'link'>,
  from: LoginQuery,
  documents: readonly LegalHead[],
  values: FieldValues = {},
  errors?: FieldErrors,
): HtmlPage {
  const { language, formToken, link } = context
  const accepting = acceptanceField(documents, language, link)
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
  hidden: { documents: documentVersions(documents) },
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
