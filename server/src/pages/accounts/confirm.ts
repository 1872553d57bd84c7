import { ConfirmPasswordResetRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import { ACCOUNT_PATHS, confirmRegistration, findOpenRegistration } from '../../features/accounts/index.ts'
import {
  doneMark,
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

const PATH = ACCOUNT_PATHS.confirm
const DONE = `${PATH}/done` as const

const texts: Texts<'title' | 'lead' | 'submit' | 'doneTitle' | 'done' | 'goneTitle' | 'gone' | 'again'> = {
  en: {
    title: 'Is this your address?',
    lead: 'Confirm it, and your account is open:',
    submit: 'Yes, it is mine',
    doneTitle: 'Your account is open',
    done: 'You can sign in now, wherever you came from. This page is no longer needed.',
    goneTitle: 'This link does not work any more',
    gone: 'It was used already, or it is older than 24 hours. If you have confirmed your address, there is nothing left to do.',
    again: 'Open an account',
  },
  de: {
    title: 'Ist das deine Adresse?',
    lead: 'Bestätige sie, und dein Konto ist eröffnet:',
    submit: 'Ja, sie gehört mir',
    doneTitle: 'Dein Konto ist eröffnet',
    done: 'Du kannst dich jetzt dort anmelden, wo du herkommst. Diese Seite wird nicht mehr gebraucht.',
    goneTitle: 'Dieser Link gilt nicht mehr',
    gone: 'Er wurde schon benutzt oder ist älter als 24 Stunden. Wenn du deine Adresse bestätigt hast, ist nichts mehr zu tun.',
    again: 'Konto eröffnen',
  },
}

const { token } = ConfirmPasswordResetRequest.properties
const Token = Type.Object({ token }, { additionalProperties: false })

/** The page behind the mail that confirms an address. Opening it changes nothing: programs open links in mails as well. */
export function confirmPages(): PageRoute[] {
  return [
    pageRead({
      path: PATH,
      query: Token,
      async show({ query }, context) {
        const wish = await findOpenRegistration(context.reader, query.token, context.now)
        return wish ? confirmPage(context, wish.email, query.token) : gonePage(context)
      },
    }),

    pageWrite({
      path: PATH,
      query: nothing,
      form: Token,
      async work({ form }, { tx, ids, now, link }) {
        await confirmRegistration(tx, form.token, { ids, now })
        return { kind: 'redirect', to: link(DONE) }
      },
      refused: async ({ code }, _input, context) => (code === 'reset_token_invalid' ? gonePage(context) : null),
    }),

    pageRead({
      path: DONE,
      query: nothing,
      async show(_input, { language }) {
        const words = texts[language]
        const main = html`${doneMark}<h1>${words.doneTitle}</h1>\n<p>${words.done}</p>`
        return { kind: 'page', title: words.doneTitle, main }
      },
    }),
  ]
}

function confirmPage({ language, formToken, link }: PageReadContext, email: string, token: string): ShownPage {
  const words = texts[language]
  const main = html`<h1>${words.title}</h1>
<p>${words.lead}</p>
<p class="person">${email}</p>
${form({ language, action: link(PATH), formToken, hidden: { token }, fields: [], submit: words.submit })}`
  return { kind: 'page', title: words.title, main }
}

function gonePage({ language, link }: PageReadContext): ShownPage {
  const words = texts[language]
  const main = html`<h1>${words.goneTitle}</h1>
<p class="lead">${words.gone}</p>
<div class="actions"><a class="button quiet" href="${link('/account/register')}">${words.again}</a></div>`
  return { kind: 'page', status: 400, title: words.goneTitle, main }
}
