import { RegisterCustomerRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import { type AccountParts, hashNewPassword, register } from '../../features/accounts/index.ts'
import {
  doneMark,
  type FieldErrors,
  type FieldValues,
  form,
  html,
  nothing,
  type PageReadContext,
  type PageRoute,
  pageRead,
  pageWrite,
  type ShownPage,
  type Texts,
} from '../toolkit/index.ts'
import { errorsOf } from './field-errors.ts'

const PATH = '/account/register'

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
    marketing: 'Write to me now and then about new things. I can say stop at any time.',
    submit: 'Open the account',
    sentTitle: 'Look into your mailbox',
    sent: 'We have sent you a mail. Open the link in it, and your account is open. The link works for 24 hours.',
    sentKnown: 'If this address has an account already, the mail says so. If none comes, look among unwanted mail.',
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
    marketing: 'Schreibt mir ab und zu über Neues. Ich kann das jederzeit beenden.',
    submit: 'Konto eröffnen',
    sentTitle: 'Sieh in dein Postfach',
    sent: 'Wir haben dir eine E-Mail geschickt. Öffne den Link darin, und dein Konto ist eröffnet. Der Link gilt 24 Stunden.',
    sentKnown:
      'Wenn es mit dieser Adresse schon ein Konto gibt, steht das in der E-Mail. Kommt keine, sieh im Spam-Ordner nach.',
  },
}

const { email, password, firstName, lastName } = RegisterCustomerRequest.properties
const RegisterForm = Type.Object(
  { email, password, firstName, lastName, marketing: Type.Optional(Type.Literal('yes')) },
  { additionalProperties: false },
)

/** How somebody opens an account without a shop. */
export function registerPages({ demandGrant }: AccountParts): PageRoute[] {
  return [
    pageRead({ path: PATH, query: nothing, show: async (_input, context) => registerPage(context) }),

    pageWrite({
      path: PATH,
      query: nothing,
      form: RegisterForm,
      limit: 'register',
      async prepare({ form }, { reader, now }) {
        await demandGrant(reader, { purpose: 'register', token: null, now })
        return hashNewPassword(form.password, form.email, '/password')
      },
      async work({ form, prepared: passwordHash }, { tx, ids, now, language, link }) {
        const wish = {
          email: form.email,
          passwordHash,
          firstName: form.firstName ?? null,
          lastName: form.lastName ?? null,
          locale: language,
          marketingConsent: form.marketing === 'yes',
          acceptedDocuments: [],
        }
        register(tx, wish, { ids, now })
        return { kind: 'redirect', to: link(`${PATH}/sent`) }
      },
      async refused(refusal, { form }, context) {
        const errors = errorsOf(refusal, context.language)
        return errors && registerPage(context, form, errors)
      },
    }),

    pageRead({
      path: `${PATH}/sent`,
      query: nothing,
      async show(_input, { language }) {
        const words = texts[language]
        const main = html`${doneMark}<h1>${words.sentTitle}</h1>
<p>${words.sent}</p>
<p class="small">${words.sentKnown}</p>`
        return { kind: 'page', title: words.sentTitle, main }
      },
    }),
  ]
}

function registerPage(context: PageReadContext, values: FieldValues = {}, errors?: FieldErrors): ShownPage {
  const { language, formToken, link } = context
  const words = texts[language]
  const main = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${form({
  language,
  action: link(PATH),
  formToken,
  values,
  ...(errors && { errors }),
  submit: words.submit,
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
    { name: 'marketing', label: words.marketing, type: 'checkbox', optional: true },
  ],
})}`
  return { kind: 'page', title: words.title, main, ...(errors && { status: 400, hasErrors: true }) }
}
