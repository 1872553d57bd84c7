import { ConfirmPasswordResetRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import {
  ACCOUNT_PATHS,
  type AccountDeps,
  confirmEmailChange,
  findOpenEmailChange,
  verifyEmailChange,
} from '../../features/accounts/index.ts'
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

const PATH = ACCOUNT_PATHS.confirmEmail
const DONE = `${PATH}/done` as const

type Words =
  | 'title'
  | 'lead'
  | 'password'
  | 'wrong'
  | 'submit'
  | 'doneTitle'
  | 'done'
  | 'account'
  | 'goneTitle'
  | 'gone'

const texts: Texts<Words> = {
  en: {
    title: 'Confirm your new email address',
    lead: 'Enter the password of your account. From then on you sign in with this address:',
    password: 'Password',
    wrong: 'This is not the password of the account',
    submit: 'Confirm address',
    doneTitle: 'Your email address was changed',
    done: 'From now on you sign in with your new address.',
    account: 'Go to your account',
    goneTitle: 'This link is no longer valid',
    gone: 'It was already used or replaced, or is older than 24 hours. Nothing was changed.',
  },
  de: {
    title: 'Neue E-Mail-Adresse bestätigen',
    lead: 'Gib das Passwort deines Kontos ein. Danach meldest du dich mit dieser Adresse an:',
    password: 'Passwort',
    wrong: 'Das ist nicht das Passwort des Kontos',
    submit: 'Adresse bestätigen',
    doneTitle: 'Deine E-Mail-Adresse wurde geändert',
    done: 'Ab jetzt meldest du dich mit deiner neuen Adresse an.',
    account: 'Zu deinem Konto',
    goneTitle: 'Dieser Link ist nicht mehr gültig',
    gone: 'Er wurde bereits verwendet oder ersetzt oder ist älter als 24 Stunden. Es wurde nichts geändert.',
  },
}

const { token } = ConfirmPasswordResetRequest.properties
const Token = Type.Object({ token }, { additionalProperties: false })
const Confirmation = Type.Object({ token, password: Type.String({ maxLength: 128 }) }, { additionalProperties: false })

/** The page linked from the mail to a new address. Opening it changes nothing, as mail scanners open links too. */
export function confirmEmailPages({ mails }: AccountDeps): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: Token,
      async show({ query }, context) {
        const change = await findOpenEmailChange(context.reader, query.token, context.now)
        return change ? confirmPage(context, change.email, query.token) : invalidLinkPage(context)
      },
    }),

    pageWrite({
      path: PATH,
      query: nothing,
      form: Confirmation,
      prepare: ({ form }, { reader, limiter, address, now }) =>
        verifyEmailChange(reader, limiter, { ...form, address, now }),
      async work({ form }, { tx, ids, now, link }) {
        await confirmEmailChange(tx, form.token, { ids, now, mails })
        return { kind: 'redirect', to: link(DONE) }
      },
      async refused({ code }, { form: { token: sent = '' } }, context) {
        const change = await findOpenEmailChange(context.reader, sent, context.now)
        if (code === 'reset_token_invalid' || !change) return invalidLinkPage(context)
        if (code !== 'credential_invalid' && code !== 'validation_failed') return null
        return confirmPage(context, change.email, sent, { password: texts[context.language].wrong })
      },
    }),

    pageRead({
      path: DONE,
      query: nothing,
      async show(_input, { language, link }) {
        const words = texts[language]
        const main = html`${doneMark}<h1>${words.doneTitle}</h1>
<p>${words.done}</p>
<div class="actions"><a class="button" href="${link(ACCOUNT_PATHS.home)}">${words.account}</a></div>`
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
})}`
  return { kind: 'page', title: words.title, main, ...(errors && { status: 400, hasErrors: true }) }
}

function invalidLinkPage({ language, link }: PageReadContext): HtmlPage {
  const words = texts[language]
  const main = html`<h1>${words.goneTitle}</h1>
<p class="lead">${words.gone}</p>
<div class="actions"><a class="button quiet" href="${link(ACCOUNT_PATHS.home)}">${words.account}</a></div>`
  return { kind: 'page', status: 400, title: words.goneTitle, main }
}
