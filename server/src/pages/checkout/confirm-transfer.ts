import { CheckoutSessionParams } from '@vitrine/contract'
import { Type } from 'typebox'
import {
  CONFIRM_TRANSFER_PATH,
  confirmTransferAddress,
  findTransferToConfirm,
  lastDayOf,
  type TransferToConfirm,
} from '../../features/checkout/index.ts'
import { transferReference } from '../../features/payments/index.ts'
import { readTimeZone } from '../../features/storefront/index.ts'
import { formatDate } from '../../kernel/format-date.ts'
import { formatMoney } from '../../kernel/format-money.ts'
import {
  doneMark,
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
import type { CheckoutPagesDeps } from './pages.ts'

const texts: Texts<
  | 'title'
  | 'lead'
  | 'submit'
  | 'notYou'
  | 'doneTitle'
  | 'done'
  | 'amount'
  | 'reference'
  | 'until'
  | 'goneTitle'
  | 'gone'
> = {
  en: {
    title: 'Confirm your email address',
    lead: 'Then your items are reserved until your bank transfer arrives.',
    submit: 'Confirm and reserve',
    notYou: 'You did not order? Close this page: nothing happens.',
    doneTitle: 'Your items are reserved',
    done: 'Thank you. Your email address is confirmed. We’ll place your order when your payment arrives.',
    amount: 'Amount',
    reference: 'Reference',
    until: 'Reserved until',
    goneTitle: 'This link is no longer valid',
    gone: 'The items are no longer reserved, or the payment has already arrived. Return to the shop to start again. We refund transfers that arrive too late.',
  },
  de: {
    title: 'E-Mail-Adresse bestätigen',
    lead: 'Danach sind deine Artikel reserviert, bis deine Überweisung eintrifft.',
    submit: 'Bestätigen und reservieren',
    notYou: 'Du hast nichts bestellt? Schließe diese Seite: Es passiert nichts.',
    doneTitle: 'Deine Artikel sind reserviert',
    done: 'Danke, deine E-Mail-Adresse ist bestätigt. Nach Zahlungseingang wird deine Bestellung aufgegeben.',
    amount: 'Betrag',
    reference: 'Verwendungszweck',
    until: 'Reserviert bis',
    goneTitle: 'Dieser Link ist nicht mehr gültig',
    gone: 'Die Artikel sind nicht mehr reserviert, oder die Zahlung ist schon eingegangen. Im Shop kannst du neu beginnen. Eine verspätete Überweisung zahlen wir zurück.',
  },
}

const link = {
  session: CheckoutSessionParams.properties.sessionId,
  token: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
}
const Link = Type.Object(link, { additionalProperties: false })

/** The pages of the link in the mail about a bank transfer. Opening it changes nothing, because mail scanners open links, too. */
export function confirmTransferPages({ checkout }: Pick<CheckoutPagesDeps, 'checkout'>): PageRoute[] {
  return [
    pageRead({
      path: CONFIRM_TRANSFER_PATH,
      query: Link,
      async show({ query: { session, token } }, context) {
        const found = await findTransferToConfirm(checkout, context.reader, { sessionId: session, token }, context.now)
        if (!found) return gonePage(context)
        const timeZone = await readTimeZone(context.reader, storesOf(found))
        return found.hold.isConfirmed
          ? donePage(found, timeZone, context)
          : confirmPage(found, { token, timeZone }, context)
      },
    }),
    pageWrite({
      path: CONFIRM_TRANSFER_PATH,
      query: nothing,
      form: Link,
      async work({ form: { session, token } }, { tx, now, link: linkTo }) {
        await confirmTransferAddress(checkout, tx, { sessionId: session, token }, now)
        return { kind: 'redirect', to: linkTo(CONFIRM_TRANSFER_PATH, { session, token }) }
      },
      refused: async (_refusal, _input, context) => gonePage(context),
    }),
  ]
}

function confirmPage(
  found: TransferToConfirm,
  { token, timeZone }: { readonly token: string; readonly timeZone: string },
  context: PageReadContext,
): HtmlPage {
  const { language, formToken, link: linkTo } = context
  const words = texts[language]
  const main = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<p class="person">${found.session.contact?.email}</p>
${factsOf(found, timeZone, context)}
${form({
  language,
  action: linkTo(CONFIRM_TRANSFER_PATH),
  formToken,
  hidden: { session: found.session.id, token },
  fields: [],
  submit: words.submit,
})}
<hr>
<p class="small">${words.notYou}</p>`
  return { kind: 'page', title: words.title, main, stores: storesOf(found) }
}

function donePage(found: TransferToConfirm, timeZone: string, context: PageReadContext): HtmlPage {
  const words = texts[context.language]
  const main = html`${doneMark}<h1>${words.doneTitle}</h1>
<p class="lead">${words.done}</p>
${factsOf(found, timeZone, context)}`
  return { kind: 'page', title: words.doneTitle, main, stores: storesOf(found) }
}

function gonePage({ language }: PageReadContext): HtmlPage {
  const { goneTitle, gone } = texts[language]
  const main = html`<h1>${goneTitle}</h1>\n<p class="lead">${gone}</p>`
  return { kind: 'page', status: 404, title: goneTitle, main }
}

function factsOf({ charge, hold }: TransferToConfirm, timeZone: string, { language }: PageReadContext) {
  const words = texts[language]
  return html`<dl class="facts">
<div><dt>${words.amount}</dt><dd>${formatMoney(language, charge.amount, charge.currency)}</dd></div>
<div><dt>${words.reference}</dt><dd>${transferReference(charge)}</dd></div>
<div><dt>${words.until}</dt><dd>${formatDate(language, lastDayOf(hold.until), timeZone)}</dd></div>
</dl>`
}

function storesOf({ quote }: TransferToConfirm): readonly string[] {
  return [...new Set(quote.lines.map(({ storeId }) => storeId))]
}
