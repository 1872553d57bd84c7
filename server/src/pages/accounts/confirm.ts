import { ConfirmPasswordResetRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import {
  ACCOUNT_PATHS,
  confirmRegistration,
  findOpenRegistration,
  verifyRegistrationPassword,
} from '../../features/accounts/index.ts'
import { LOGIN_PATHS } from '../../features/hosted-login/index.ts'
import {
  doneMark,
  type FieldErrors,
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

const PATH = ACCOUNT_PATHS.confirm
const DONE = `${PATH}/done` as const

const texts: Texts<
  | 'title'
  | 'lead'
  | 'password'
  | 'wrong'
  | 'notYou'
  | 'submit'
  | 'doneTitle'
  | 'done'
  | 'goneTitle'
  | 'gone'
  | 'again'
  | 'signIn'
> = {
  en: {
    title: 'Confirm your email address',
    lead: 'Enter the password that you chose to activate your account:',
    password: 'Password',
    wrong: 'This is not the password that you chose when you created the account.',
    notYou: 'You did not create an account? Close this page: nothing is activated.',
    submit: 'Confirm address',
    doneTitle: 'Your account is active',
    done: 'You can now sign in, here and at the shops.',
    goneTitle: 'This link is no longer valid',
    gone: 'It was already used or is older than 24 hours. If you have confirmed your address, you don’t need to do anything.',
    again: 'Create account',
    signIn: 'Sign in',
  },
  de: {
    title: 'E-Mail-Adresse bestätigen',
    lead: 'Gib das Passwort ein, das du gewählt hast, um dein Konto zu aktivieren:',
    password: 'Passwort',
    wrong: 'Das ist nicht das Passwort, das du beim Anlegen des Kontos gewählt hast.',
    notYou: 'Du hast kein Konto angelegt? Schließe diese Seite: Es wird nichts aktiviert.',
    submit: 'Adresse bestätigen',
    doneTitle: 'Dein Konto ist aktiviert',
    done: 'Du kannst dich jetzt anmelden, hier und in den Shops.',
    goneTitle: 'Dieser Link ist nicht mehr gültig',
    gone: 'Er wurde bereits verwendet oder ist älter als 24 Stunden. Wenn du deine Adresse schon bestätigt hast, ist nichts weiter zu tun.',
    again: 'Konto erstellen',
    signIn: 'Jetzt anmelden',
  },
}

const { token } = ConfirmPasswordResetRequest.properties
const Token = Type.Object({ token }, { additionalProperties: false })
const Confirmation = Type.Object({ token, password: Type.String({ maxLength: 128 }) }, { additionalProperties: false })

/** The page linked from the confirmation email. Opening it changes nothing, as mail scanners open links too. */
export function confirmPages(): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: Token,
      async show({ query }, context) {
        const registration = await findOpenRegistration(context.reader, query.token, context.now)
        return registration ? confirmPage(context, registration.email, query.token) : invalidLinkPage(context)
      },
    }),

    pageWrite({
      path: PATH,
      query: nothing,
      form: Confirmation,
      prepare: ({ form }, { reader, limiter, address, now }) =>
        verifyRegistrationPassword(reader, limiter, { ...form, address, now }),
      async work({ form }, { tx, ids, now, link }) {
        await confirmRegistration(tx, form.token, { ids, now })
        return { kind: 'redirect', to: link(DONE) }
      },
      async refused({ code }, { form: { token: sent = '' } }, context) {
        const registration = await findOpenRegistration(context.reader, sent, context.now)
        if (code === 'reset_token_invalid' || !registration) return invalidLinkPage(context)
        if (code !== 'credential_invalid' && code !== 'validation_failed') return null
        return confirmPage(context, registration.email, sent, { password: texts[context.language].wrong })
      },
    }),

    pageRead({
      path: DONE,
      query: nothing,
      async show(_input, { language, cookie, link }) {
        const words = texts[language]
        const session = cookie('login')
        const onward =
          session === null
            ? html`<p>${words.done}</p>
<div class="actions"><a class="button" href="${link(ACCOUNT_PATHS.home)}">${words.signIn}</a></div>`
            : html`<div class="actions"><a class="button" href="${link(LOGIN_PATHS.signIn, { session })}">${words.signIn}</a></div>`
        const main = html`${doneMark}<h1>${words.doneTitle}</h1>\n${onward}`
        return { kind: 'page', title: words.doneTitle, main }
      },
    }),
  ]
}

function confirmPage(
  { language, formToken, link }: PageReadContext,
  email: string,
  token: string,
  errors?: FieldErrors,
): HtmlPage {
  const words = texts[language]
  const main = html`<h1>${words.title}</h1>
<p>${words.lead}</p>
<p class="person">${email}</p>
${form({
  language,
  action: link(PATH),
  formToken,
  hidden: { token },
  fields: [
    { name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', maxLength: 128 },
  ],
  ...(errors && { errors }),
  submit: words.submit,
})}
<hr>
<p class="small">${words.notYou}</p>`
  return { kind: 'page', title: words.title, main, ...(errors && { status: 400, hasErrors: true }) }
}

function invalidLinkPage({ language, link }: PageReadContext): HtmlPage {
  const words = texts[language]
  const main = html`<h1>${words.goneTitle}</h1>
<p class="lead">${words.gone}</p>
<div class="actions"><a class="button quiet" href="${link('/account/register')}">${words.again}</a></div>`
  return { kind: 'page', status: 400, title: words.goneTitle, main }
}
