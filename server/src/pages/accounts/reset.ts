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
    askTitle: 'Forgotten your password?',
    askLead: 'Tell us your e-mail address, and we send you a link to choose a new one.',
    email: 'E-mail address',
    askSubmit: 'Send me the link',
    sentTitle: 'Look into your mailbox',
    sent: 'If there is an account with this address, we have just sent a link there. It works once, for 20 minutes.',
    sentNone: 'If no mail comes, look among unwanted mail, or try another address of yours.',
    chooseTitle: 'Choose a new password',
    chooseLead: 'For the account of',
    password: 'New password',
    passwordHint: 'At least 8 characters. Three or four words that nobody else would put together are good.',
    chooseSubmit: 'Save the password',
    doneTitle: 'Your password is changed',
    done: 'You were signed out everywhere. Sign in with the new password, wherever you came from.',
    goneTitle: 'This link does not work any more',
    gone: 'It was used already, it is older than 20 minutes, or you have asked for a newer one.',
    again: 'Send me a new link',
  },
  de: {
    askTitle: 'Passwort vergessen?',
    askLead: 'Nenne uns deine E-Mail-Adresse, und wir schicken dir einen Link, mit dem du ein neues wählst.',
    email: 'E-Mail-Adresse',
    askSubmit: 'Link schicken',
    sentTitle: 'Sieh in dein Postfach',
    sent: 'Wenn es mit dieser Adresse ein Konto gibt, haben wir gerade einen Link dorthin geschickt. Er gilt einmal, 20 Minuten lang.',
    sentNone: 'Kommt keine E-Mail, sieh im Spam-Ordner nach oder versuche es mit einer anderen Adresse von dir.',
    chooseTitle: 'Wähle ein neues Passwort',
    chooseLead: 'Für das Konto von',
    password: 'Neues Passwort',
    passwordHint: 'Mindestens 8 Zeichen. Gut sind drei oder vier Wörter, die sonst niemand zusammenstellen würde.',
    chooseSubmit: 'Passwort speichern',
    doneTitle: 'Dein Passwort ist geändert',
    done: 'Du wurdest überall abgemeldet. Melde dich mit dem neuen Passwort dort an, wo du herkommst.',
    goneTitle: 'Dieser Link gilt nicht mehr',
    gone: 'Er wurde schon benutzt, ist älter als 20 Minuten, oder du hast einen neueren verlangt.',
    again: 'Neuen Link schicken',
  },
}

const { email } = RequestPasswordResetRequest.properties
const { token, newPassword } = ConfirmPasswordResetRequest.properties
const AskForm = Type.Object({ email }, { additionalProperties: false })
const ChooseQuery = Type.Object({ token }, { additionalProperties: false })
const ChooseForm = Type.Object({ token, newPassword }, { additionalProperties: false })

/** How somebody asks for a new password, and the page behind the mail that follows. */
export function resetPages(parts: AccountDeps): PageRoute[] {
  return [...askPages(parts), ...choosePages(parts)]
}

function askPages({ requireGrant }: AccountDeps): PageRoute[] {
  return [
    pageRead({ path: ASK, query: nothing, show: async (_input, context) => askPage(context) }),

    pageWrite({
      path: ASK,
      query: nothing,
      form: AskForm,
      limit: 'reset-address',
      async prepare({ form }, { reader, limiter, now }) {
        await requireGrant(reader, { purpose: 'password_reset', token: null, now })
        await limitReset(limiter, { email: form.email, now })
      },
      async work({ form }, { tx, ids, now, language, link }) {
        requestReset(tx, { email: form.email, locale: language }, { ids, now })
        return { kind: 'redirect', to: link(`${ASK}/sent`) }
      },
      async refused(refusal, { form }, context) {
        const errors = errorsOf(refusal, context.language)
        return errors && askPage(context, form, errors)
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
        if (refusal.code === 'reset_token_invalid') return gonePage(context)
        const errors = errorsOf(refusal, context.language)
        return errors && choosePage(context, token, errors)
      },
    }),

    pageRead({
      path: `${CHOOSE}/done`,
      query: nothing,
      async show(_input, { language }) {
        const words = texts[language]
        const main = html`${doneMark}<h1>${words.doneTitle}</h1>\n<p>${words.done}</p>`
        return { kind: 'page', title: words.doneTitle, main }
      },
    }),
  ]
}

function askPage(context: PageReadContext, values: FieldValues = {}, errors?: FieldErrors): ShownPage {
  const { language, formToken, link } = context
  const words = texts[language]
  const main = html`<h1>${words.askTitle}</h1>
<p class="lead">${words.askLead}</p>
${form({
  language,
  action: link(ASK),
  formToken,
  values,
  ...(errors && { errors }),
  fields: [{ name: 'email', label: words.email, type: 'email', autocomplete: 'email' }],
  submit: words.askSubmit,
})}`
  return { kind: 'page', title: words.askTitle, main, ...(errors && { status: 400, hasErrors: true }) }
}

async function choosePage(context: PageReadContext, token: string, errors?: FieldErrors): Promise<ShownPage> {
  const { reader, now, language, formToken, link } = context
  const reset = await findOpenReset(reader, token, now)
  if (!reset) return gonePage(context)
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

function gonePage({ language, link }: PageReadContext): ShownPage {
  const words = texts[language]
  const main = html`<h1>${words.goneTitle}</h1>
<p class="lead">${words.gone}</p>
<div class="actions"><a class="button" href="${link(ASK)}">${words.again}</a></div>`
  return { kind: 'page', status: 400, title: words.goneTitle, main }
}
