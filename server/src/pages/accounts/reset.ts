import { ConfirmPasswordResetRequest, RequestPasswordResetRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import {
  ACCOUNT_PATHS,
  type AccountDeps,
  confirmReset,
  findOpenReset,
  limitReset,
  prepareReset,
  requestReset,
} from '../../features/accounts/index.ts'
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
import { errorsOf } from './field-errors.ts'
import { LoginQuery, loginCookies, onward } from './onward.ts'

const ASK = ACCOUNT_PATHS.reset
const CHOOSE = ACCOUNT_PATHS.choosePassword

type Words =
  | 'askTitle'
  | 'askLead'
  | 'email'
  | 'askSubmit'
  | 'sentTitle'
  | 'sent'
  | 'sentNone'
  | 'chooseTitle'
  | 'chooseLead'
  | 'password'
  | 'passwordHint'
  | 'chooseSubmit'
  | 'doneTitle'
  | 'done'
  | 'goneTitle'
  | 'gone'
  | 'again'

const texts: Texts<Words> = {
  en: {
    askTitle: 'Forgot your password?',
    askLead: 'Enter your email address and we’ll send you a link to reset it.',
    email: 'Email address',
    askSubmit: 'Send link',
    sentTitle: 'Check your inbox',
    sent: 'If there is an account with this address, we sent a link to it. It can be used once and is valid for 20 minutes.',
    sentNone: 'If you don’t receive an email, check your spam folder or try another address.',
    chooseTitle: 'Choose a new password',
    chooseLead: 'For the account',
    password: 'New password',
    passwordHint: 'At least 8 characters. Three or four random words make a good password.',
    chooseSubmit: 'Save password',
    doneTitle: 'Your password was changed',
    done: 'You were signed out on all devices. Sign in with your new password.',
    goneTitle: 'This link is no longer valid',
    gone: 'It was already used, is older than 20 minutes, or was replaced by a newer one.',
    again: 'Send a new link',
  },
  de: {
    askTitle: 'Passwort vergessen?',
    askLead: 'Gib deine E-Mail-Adresse ein. Wir senden dir einen Link, mit dem du dein Passwort zurücksetzen kannst.',
    email: 'E-Mail-Adresse',
    askSubmit: 'Link senden',
    sentTitle: 'Prüfe dein Postfach',
    sent: 'Wenn es mit dieser Adresse ein Konto gibt, haben wir einen Link dorthin gesendet. Er kann einmal verwendet werden und ist 20 Minuten gültig.',
    sentNone: 'Wenn keine E-Mail ankommt, prüfe deinen Spam-Ordner oder versuche es mit einer anderen Adresse.',
    chooseTitle: 'Wähle ein neues Passwort',
    chooseLead: 'Für das Konto',
    password: 'Neues Passwort',
    passwordHint: 'Mindestens 8 Zeichen. Gut sind drei oder vier zufällige Wörter.',
    chooseSubmit: 'Passwort speichern',
    doneTitle: 'Dein Passwort wurde geändert',
    done: 'Du wurdest auf allen Geräten abgemeldet. Melde dich mit dem neuen Passwort an.',
    goneTitle: 'Dieser Link ist nicht mehr gültig',
    gone: 'Er wurde bereits verwendet, ist älter als 20 Minuten oder wurde durch einen neueren ersetzt.',
    again: 'Neuen Link senden',
  },
}

const { email } = RequestPasswordResetRequest.properties
const { token, newPassword } = ConfirmPasswordResetRequest.properties
const AskForm = Type.Object({ email }, { additionalProperties: false })
const ChooseQuery = Type.Object({ token }, { additionalProperties: false })
const ChooseForm = Type.Object({ token, newPassword }, { additionalProperties: false })

/** Password reset: the request, and the page linked from the email. */
export function resetPages(deps: AccountDeps): PageRoute[] {
  return [...requestPages(deps), ...choosePages(deps)]
}

function requestPages({ requireGrant }: AccountDeps): PageRoute[] {
  return [
    pageRead({ path: ASK, query: LoginQuery, show: async ({ query }, context) => requestPage(context, query) }),

    pageWrite({
      path: ASK,
      query: LoginQuery,
      form: AskForm,
      limit: 'reset-address',
      async prepare({ form }, { reader, limiter, now }) {
        await requireGrant(reader, { purpose: 'password_reset', token: null, now })
        await limitReset(limiter, { email: form.email, now })
      },
      async work({ query, form }, { tx, ids, now, language, link }) {
        requestReset(tx, { email: form.email, locale: language }, { ids, now })
        return { kind: 'redirect', to: link(`${ASK}/sent`), cookies: loginCookies(query) }
      },
      async refused(refusal, { query, form }, context) {
        const errors = errorsOf(refusal, context.language)
        return errors && requestPage(context, query, form, errors)
      },
    }),

    pageRead({
      path: `${ASK}/sent`,
      query: nothing,
      async show(_input, { language }) {
        const words = texts[language]
        const main = html`${doneMark}<h1>${words.sentTitle}</h1>
<p>${words.sent}</p>
<p class="small">${words.sentNone}</p>`
        return { kind: 'page', title: words.sentTitle, main }
      },
    }),
  ]
}

function choosePages({ mails }: AccountDeps): PageRoute[] {
  return [
    pageRead({
      path: CHOOSE,
      query: ChooseQuery,
      show: async ({ query }, context) => choosePage(context, query.token),
    }),

    pageWrite({
      path: CHOOSE,
      query: nothing,
      form: ChooseForm,
      prepare: ({ form }, { reader, now }) => prepareReset(reader, { ...form, now }),
      async work({ form: { token }, prepared: passwordHash }, { tx, ids, now, link }) {
        await confirmReset(tx, { token, passwordHash }, { ids, now, mails })
        return { kind: 'redirect', to: link(`${CHOOSE}/done`) }
      },
      async refused(refusal, { form: { token = '' } }, context) {
        if (refusal.code === 'reset_token_invalid') return invalidLinkPage(context)
        const errors = errorsOf(refusal, context.language)
        return errors && choosePage(context, token, errors)
      },
    }),

    pageRead({
      path: `${CHOOSE}/done`,
      query: nothing,
      async show(_input, context) {
        const words = texts[context.language]
        const main = html`${doneMark}<h1>${words.doneTitle}</h1>
<p>${words.done}</p>
${await onward(context)}`
        return { kind: 'page', title: words.doneTitle, main }
      },
    }),
  ]
}

function requestPage(
  context: PageReadContext,
  from: LoginQuery,
  values: FieldValues = {},
  errors?: FieldErrors,
): HtmlPage {
  const { language, formToken, link } = context
  const words = texts[language]
  const main = html`<h1>${words.askTitle}</h1>
<p class="lead">${words.askLead}</p>
${form({
  language,
  action: link(ASK, from),
  formToken,
  values,
  ...(errors && { errors }),
  fields: [{ name: 'email', label: words.email, type: 'email', autocomplete: 'email' }],
  submit: words.askSubmit,
})}`
  return { kind: 'page', title: words.askTitle, main, ...(errors && { status: 400, hasErrors: true }) }
}

async function choosePage(context: PageReadContext, token: string, errors?: FieldErrors): Promise<HtmlPage> {
  const { reader, now, language, formToken, link } = context
  const reset = await findOpenReset(reader, token, now)
  if (!reset) return invalidLinkPage(context)
  const words = texts[language]
  const main = html`<h1>${words.chooseTitle}</h1>
<p class="lead">${words.chooseLead}</p>
<p class="person">${reset.customer_email}</p>
${form({
  language,
  action: link(CHOOSE),
  formToken,
  hidden: { token },
  ...(errors && { errors }),
  fields: [
    {
      name: 'newPassword',
      label: words.password,
      type: 'password',
      hint: words.passwordHint,
      autocomplete: 'new-password',
    },
  ],
  submit: words.chooseSubmit,
})}`
  return { kind: 'page', title: words.chooseTitle, main, ...(errors && { status: 400, hasErrors: true }) }
}

function invalidLinkPage({ language, link }: PageReadContext): HtmlPage {
  const words = texts[language]
  const main = html`<h1>${words.goneTitle}</h1>
<p class="lead">${words.gone}</p>
<div class="actions"><a class="button" href="${link(ASK)}">${words.again}</a></div>`
  return { kind: 'page', status: 400, title: words.goneTitle, main }
}
