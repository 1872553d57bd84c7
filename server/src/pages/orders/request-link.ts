import { RegisterCustomerRequest } from '@vitrine/contract'
import { Type } from 'typebox'
import { limitOrderLinkRequest, ORDER_LINK_PATHS, requestOrderLink } from '../../features/orders/index.ts'
import {
  doneMark,
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
  type Texts,
} from '../toolkit/index.ts'

const PATH = ORDER_LINK_PATHS.request
const SENT = `${PATH}/sent` as const

type Words =
  | 'title'
  | 'lead'
  | 'number'
  | 'numberHint'
  | 'numberWrong'
  | 'email'
  | 'emailHint'
  | 'emailWrong'
  | 'submit'
  | 'sentTitle'
  | 'sent'
  | 'sentNone'

const texts: Texts<Words> = {
  en: {
    title: 'Find your order',
    lead: 'We’ll email you a link to your order. There you can see its status, cancel items or return them.',
    number: 'Order number',
    numberHint: 'It is in your order confirmation, such as V-10044.',
    numberWrong: 'Enter an order number such as V-10044',
    email: 'Email address',
    emailHint: 'The address that you ordered with.',
    emailWrong: 'Enter an email address such as ada@example.com',
    submit: 'Send link',
    sentTitle: 'Check your inbox',
    sent: 'If the order number and email address match, a link to your order is on its way to you.',
    sentNone: 'If you don’t receive an email, check your spam folder and the order number.',
  },
  de: {
    title: 'Bestellung finden',
    lead: 'Wir senden dir einen Link zu deiner Bestellung. Dort siehst du ihren Status und kannst Artikel stornieren oder zurückgeben.',
    number: 'Bestellnummer',
    numberHint: 'Sie steht in deiner Bestellbestätigung, zum Beispiel V-10044.',
    numberWrong: 'Gib eine Bestellnummer wie V-10044 ein',
    email: 'E-Mail-Adresse',
    emailHint: 'Die Adresse, mit der du bestellt hast.',
    emailWrong: 'Gib eine E-Mail-Adresse wie ada@example.com ein',
    submit: 'Link senden',
    sentTitle: 'Prüfe dein Postfach',
    sent: 'Wenn Bestellnummer und E-Mail-Adresse zusammenpassen, ist ein Link zu deiner Bestellung unterwegs.',
    sentNone: 'Wenn du keine E-Mail erhältst, prüfe deinen Spam-Ordner und die Bestellnummer.',
  },
}

const RequestForm = Type.Object(
  {
    number: Type.String({ pattern: '^[A-Za-z0-9-]{1,40}$', maxLength: 40 }),
    email: RegisterCustomerRequest.properties.email,
  },
  { additionalProperties: false },
)

/** Asks for order number and email address and sends a new link. The response is the same whether or not they match. */
export function requestLinkPages(): PageRoute[] {
  return [
    pageRead({ path: PATH, query: nothing, show: async (_input, context) => requestPage(context) }),

    pageWrite({
      path: PATH,
      query: nothing,
      form: RequestForm,
      limit: 'reset-address',
      prepare: ({ form }, { limiter, now }) => limitOrderLinkRequest(limiter, form.email, now),
      async work({ form }, { tx, ids, now, link }) {
        requestOrderLink(tx, form, { ids, now })
        return { kind: 'redirect', to: link(SENT) }
      },
      async refused(refusal, { form }, context) {
        if (refusal.code !== 'validation_failed') return null
        const words = texts[context.language]
        const fields = new Set(fieldFaults(refusal).map(({ field }) => field))
        return requestPage(context, form, {
          ...(fields.has('number') && { number: words.numberWrong }),
          ...(fields.has('email') && { email: words.emailWrong }),
        })
      },
    }),

    pageRead({
      path: SENT,
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

function requestPage(context: PageReadContext, values: FieldValues = {}, errors?: FieldErrors): HtmlPage {
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
  fields: [
    { name: 'number', label: words.number, hint: words.numberHint, autocomplete: 'off', maxLength: 40 },
    { name: 'email', label: words.email, type: 'email', hint: words.emailHint, autocomplete: 'email', maxLength: 254 },
  ],
  submit: words.submit,
})}`
  return { kind: 'page', title: words.title, main, ...(errors && { status: 400, hasErrors: true }) }
}
