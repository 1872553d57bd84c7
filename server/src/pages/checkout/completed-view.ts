import { ACCOUNT_PATHS } from '../../features/accounts/index.ts'
import type { Order } from '../../features/orders/index.ts'
import { formatDates } from '../../kernel/format-date.ts'
import { doneMark, type Html, type HtmlPage, html, lineBreaks, secondaryForm, type Texts } from '../toolkit/index.ts'
import { backLink, stateOf } from './state-views.ts'
import { texts as common } from './texts.ts'
import { type CheckoutView, linesOf } from './view.ts'

type Words =
  | 'title'
  | 'lead'
  | 'pending'
  | 'authorized'
  | 'failed'
  | 'canceledTitle'
  | 'canceled'
  | 'refunded'
  | 'mailed'
  | 'nextPaid'
  | 'isTest'
  | 'orderNumber'
  | 'expected'
  | 'next'
  | 'nextMail'
  | 'nextParcel'
  | 'nextDigital'
  | 'order'
  | 'offer'
  | 'offerLead'
  | 'offerGo'

const texts: Texts<Words> = {
  en: {
    title: 'Thank you for your order',
    lead: 'Your order is paid. We’ve sent the confirmation to',
    pending: 'Your payment is on its way. It can take a few days. Your items are reserved until it arrives.',
    authorized:
      'Your payment is reserved. You will be charged when the shop gets your order ready, at the latest before the reservation ends.',
    failed: 'The payment was not completed, so the order was canceled. You were not charged.',
    canceledTitle: 'Your order was canceled',
    canceled: 'Nothing more is delivered.',
    refunded: 'You get back what you paid for canceled items.',
    mailed: 'We’ve sent an email to',
    nextPaid: 'We’ll email you as soon as the payment is complete.',
    isTest: 'This is a test order. Nothing is delivered and nothing is charged.',
    orderNumber: 'Order number',
    expected: 'Expected delivery',
    next: 'What happens next',
    nextMail: 'You’ll get an email with the details of your order. Keep it for your records.',
    nextParcel: 'We’ll pack your order and email you as soon as it is on its way.',
    nextDigital: 'Items that are not shipped will be sent by email.',
    order: 'View your order',
    offer: 'Create an account',
    offerLead: 'Sign in faster next time, at all shops of this marketplace.',
    offerGo: 'Create account',
  },
  de: {
    title: 'Danke für deine Bestellung',
    lead: 'Deine Bestellung ist bezahlt. Die Bestätigung haben wir gesendet an',
    pending: 'Deine Zahlung ist unterwegs. Das kann einige Tage dauern. Bis dahin sind deine Artikel reserviert.',
    authorized:
      'Deine Zahlung ist reserviert. Abgebucht wird sie, wenn der Shop deine Bestellung vorbereitet, spätestens vor Ablauf der Reservierung.',
    failed: 'Die Zahlung kam nicht zustande, deshalb wurde die Bestellung storniert. Es wurde nichts abgebucht.',
    canceledTitle: 'Deine Bestellung wurde storniert',
    canceled: 'Es wird nichts mehr geliefert.',
    refunded: 'Was du für stornierte Artikel bezahlt hast, erhältst du zurück.',
    mailed: 'Wir haben eine E-Mail gesendet an',
    nextPaid: 'Sobald die Zahlung abgeschlossen ist, schreiben wir dir.',
    isTest: 'Dies ist eine Testbestellung. Es wird nichts geliefert und nichts berechnet.',
    orderNumber: 'Bestellnummer',
    expected: 'Voraussichtliche Lieferung',
    next: 'Wie es weitergeht',
    nextMail: 'Du erhältst eine E-Mail mit allen Angaben zu deiner Bestellung. Bewahre sie gut auf.',
    nextParcel: 'Wir packen deine Bestellung und schreiben dir, sobald sie unterwegs ist.',
    nextDigital: 'Artikel, die nicht verschickt werden, erhältst du per E-Mail.',
    order: 'Bestellung ansehen',
    offer: 'Konto erstellen',
    offerLead: 'Melde dich beim nächsten Mal schneller an, in allen Shops dieses Marktplatzes.',
    offerGo: 'Konto erstellen',
  },
}

/** What the page of a placed order shows besides it. */
interface Placed {
  readonly orderUrl: string | null
  /** That of the sellers, for days. */
  readonly timeZone: string
}

/** The order confirmation: order number, address, shipping method, expected delivery and next steps. */
export function completedPage(view: CheckoutView, order: Order, { orderUrl, timeZone }: Placed): HtmlPage {
  const { page, language } = view
  const words = texts[language]
  const isShipped = order.shippingAddress !== null && page.requiresShipping
  const isBilledThere = JSON.stringify(order.billingAddress) === JSON.stringify(order.shippingAddress)
  const hasDigital = page.session.snapshot.lines.some(({ requiresShipping }) => requiresShipping === false)
  const { charge } = order.money
  if (order.status === 'canceled' || charge === 'failed' || charge === 'voided')
    return canceledPage(view, order, orderUrl)
  const isPaid = charge === 'captured'
  const steps = [
    words.nextMail,
    ...(isPaid ? [] : [words.nextPaid]),
    ...(isShipped && order.parcels.length === 0 ? [words.nextParcel] : []),
    ...(hasDigital ? [words.nextDigital] : []),
  ]
  const body = html`${doneMark}<h1>${words.title}</h1>
<p class="lead">${isPaid ? words.lead : html`${words[charge]} ${words.mailed}`} <strong>${order.email}</strong>.</p>
${order.environment === 'test' && html`<p class="note">${words.isTest}</p>`}
<dl class="facts">
<div><dt>${words.orderNumber}</dt><dd class="figure">${order.number}</dd></div>
${isShipped && shippedFacts(view, order, timeZone)}
${order.billingAddress && html`<div><dt>${common[language].billTo}</dt><dd class="plain">${isBilledThere ? common[language].billSame : lineBreaks(linesOf(view, order.billingAddress))}</dd></div>`}
</dl>
<h2>${words.next}</h2>
<ol class="next">${steps.map((each) => html`<li>${each}</li>`)}</ol>
${onward(view, orderUrl)}
${order.customerId === null && accountOffer(view, order)}`
  return stateOf(view, words.title, body)
}

/** The page of an order that was canceled, by the shop, by the shopper or because its payment failed. */
function canceledPage(view: CheckoutView, order: Order, orderUrl: string | null): HtmlPage {
  const words = texts[view.language]
  const { charge, charged } = order.money
  const reason = charge === 'captured' ? words.canceled : words.failed
  const body = html`<h1>${words.canceledTitle}</h1>
<p class="lead">${reason} ${charged > 0n && `${words.refunded} `}${words.mailed} <strong>${order.email}</strong>.</p>
<dl class="facts"><div><dt>${words.orderNumber}</dt><dd class="figure">${order.number}</dd></div></dl>
${onward(view, orderUrl)}`
  return stateOf(view, words.canceledTitle, body)
}

/** Links to the order and to the shop. */
function onward(view: CheckoutView, orderUrl: string | null): Html {
  return html`<div class="actions">${orderUrl !== null && html`<a class="button" href="${orderUrl}">${texts[view.language].order}</a>`}${backLink(view, orderUrl === null ? 'button' : 'button quiet')}</div>`
}

/** Address, shipping methods, and when the order is expected. */
function shippedFacts(view: CheckoutView, order: Order, timeZone: string): Html {
  const { language, page } = view
  const words = texts[language]
  const methods = order.shipping.flatMap(({ storeId, name }) => {
    const store = page.stores.length > 1 ? page.stores.find(({ id }) => id === storeId)?.name : undefined
    return name === null ? [] : [store === undefined ? name : `${store}: ${name}`]
  })
  // Nothing is packed before the payment is captured.
  const expected = order.money.charge === 'captured' ? expectedDate(view, order, timeZone) : null
  return html`${order.shippingAddress && html`<div><dt>${common[language].shipTo}</dt><dd class="plain">${lineBreaks(linesOf(view, order.shippingAddress))}</dd></div>`}
${methods.length > 0 && html`<div><dt>${common[language].shippingMethod}</dt><dd class="plain">${lineBreaks(methods)}</dd></div>`}
${expected !== null && html`<div><dt>${words.expected}</dt><dd>${expected}</dd></div>`}`
}

const DAY_MS = 86_400_000

/** From the first to the last parcel: November 25 – 28, 2026. `null` if an option is no longer offered. */
function expectedDate({ page, locale }: CheckoutView, { placedAt, shipping }: Order, timeZone: string): string | null {
  const { delivery } = page
  if (delivery.length === 0 || delivery.length < shipping.length) return null
  const after = (days: number) => new Date(placedAt.getTime() + days * DAY_MS)
  const first = Math.min(...delivery.map((each) => each.delivery.minDays))
  const last = Math.max(...delivery.map((each) => each.delivery.maxDays))
  return formatDates(locale, after(first), after(last), timeZone)
}

/** Offers guests an account. Their email address is sent in a form, so that it appears in no log. */
function accountOffer({ language, formToken, link }: CheckoutView, { email }: Order): Html {
  const words = texts[language]
  return html`<section class="offer" aria-labelledby="offer"><h2 id="offer">${words.offer}</h2>
<p>${words.offerLead}</p>
${secondaryForm({ action: link(`${ACCOUNT_PATHS.register}/begin`), formToken, hidden: { email }, submit: words.offerGo })}</section>`
}
