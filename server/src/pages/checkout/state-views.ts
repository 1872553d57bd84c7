import { type Html, type HtmlPage, html, money, type Texts } from '../toolkit/index.ts'
import { cancelForm, pageOf } from './open-view.ts'
import { summary } from './summary-view.ts'
import { texts as common } from './texts.ts'
import type { CheckoutView } from './view.ts'

type Words =
  | 'waitTitle'
  | 'wait'
  | 'dontPay'
  | 'unknownTitle'
  | 'unknown'
  | 'unknownClose'
  | 'cancelingTitle'
  | 'canceling'
  | 'check'
  | 'actionTitle'
  | 'action'
  | 'actionGo'
  | 'hostedTitle'
  | 'hosted'
  | 'hostedGo'
  | 'canceledTitle'
  | 'canceled'
  | 'expiredTitle'
  | 'expired'
  | 'voided'
  | 'refunded'
  | 'returned'
  | 'noCancel'

export const texts: Texts<Words> = {
  en: {
    waitTitle: 'Confirming your payment',
    wait: 'This usually takes a few seconds. This page updates automatically.',
    dontPay: 'Please do not pay again.',
    unknownTitle: 'We don’t know yet if your payment went through',
    unknown:
      'The payment service has not responded. We’ll keep checking. If you were charged, your order is placed. If not, you can try again.',
    unknownClose: 'You can close this page. The shop will be notified of the result.',
    cancelingTitle: 'Canceling your order',
    canceling:
      'A payment was in progress when you canceled. If it went through, your order is placed. Otherwise you won’t be charged.',
    check: 'Check now',
    actionTitle: 'One more step',
    action: 'Your bank asks you to confirm the payment of',
    actionGo: 'Continue to your bank',
    hostedTitle: 'Continue to payment',
    hosted: 'On the secure page of our payment provider you pay',
    hostedGo: 'Pay now',
    canceledTitle: 'Checkout canceled',
    canceled: 'You were not charged. Your items are no longer reserved.',
    expiredTitle: 'This checkout has expired',
    expired: 'Your items are no longer reserved. Return to the shop to start again.',
    voided: 'The payment was canceled. If it still arrives, we’ll refund it in full.',
    refunded: 'A payment arrived after that. It is being refunded in full.',
    returned: 'Part or all of your bank transfer has arrived. We’ll transfer it back.',
    noCancel: 'You can’t cancel right now, because we don’t know yet if your payment went through.',
  },
  de: {
    waitTitle: 'Deine Zahlung wird bestätigt',
    wait: 'Das dauert meist nur ein paar Sekunden. Diese Seite aktualisiert sich automatisch.',
    dontPay: 'Bitte bezahle nicht noch einmal.',
    unknownTitle: 'Wir wissen noch nicht, ob deine Zahlung erfolgreich war',
    unknown:
      'Der Zahlungsdienst hat nicht geantwortet. Wir prüfen das weiter. Wurde der Betrag abgebucht, ist deine Bestellung aufgegeben. Wenn nicht, kannst du es noch einmal versuchen.',
    unknownClose: 'Du kannst diese Seite schließen. Der Shop erfährt das Ergebnis automatisch.',
    cancelingTitle: 'Deine Bestellung wird storniert',
    canceling:
      'Beim Abbrechen lief bereits eine Zahlung. War sie erfolgreich, ist deine Bestellung aufgegeben. Andernfalls wird nichts abgebucht.',
    check: 'Jetzt prüfen',
    actionTitle: 'Noch ein Schritt',
    action: 'Deine Bank bittet dich um Bestätigung der Zahlung von',
    actionGo: 'Weiter zu deiner Bank',
    hostedTitle: 'Weiter zur Zahlung',
    hosted: 'Auf der sicheren Seite unseres Zahlungsanbieters bezahlst du',
    hostedGo: 'Jetzt bezahlen',
    canceledTitle: 'Bestellung abgebrochen',
    canceled: 'Es wurde nichts abgebucht. Deine Artikel sind nicht mehr reserviert.',
    expiredTitle: 'Deine Sitzung ist abgelaufen',
    expired: 'Deine Artikel sind nicht mehr reserviert. Kehre zum Shop zurück, um neu zu beginnen.',
    voided: 'Die Zahlung wurde storniert. Geht sie trotzdem ein, erstatten wir sie vollständig.',
    refunded: 'Danach ist eine Zahlung eingegangen. Sie wird vollständig erstattet.',
    returned: 'Deine Überweisung ist ganz oder teilweise eingegangen. Wir überweisen sie zurück.',
    noCancel: 'Du kannst jetzt nicht abbrechen, weil wir noch nicht wissen, ob deine Zahlung erfolgreich war.',
  },
}

/** Refresh intervals in seconds: short for the first minute, then longer. */
const REFRESH_FAST = 2
const REFRESH_SLOW = 10
const FAST_MS = 60_000

/** The payment outcome is not known yet: wait, and do not pay again. */
export function waitPage(view: CheckoutView, notice?: string): HtmlPage {
  const { page, language, now, at } = view
  const words = texts[language]
  const { status, payment, updatedAt } = page.session
  const isCanceling = status === 'cancel_pending'
  const isUnknown = payment.status === 'unknown' && !isCanceling
  const title = isCanceling ? words.cancelingTitle : isUnknown ? words.unknownTitle : words.waitTitle
  const body = html`<div role="status">
<span class="busy" aria-hidden="true"></span>
<h1>${title}</h1>
<p class="lead">${isCanceling ? words.canceling : isUnknown ? words.unknown : words.wait}</p>
</div>
<p class="note"><strong>${words.dontPay}</strong>${isUnknown && ` ${words.unknownClose}`}</p>
<div class="actions"><a class="button quiet" href="${at()}">${words.check}</a>${isUnknown && backLink(view)}</div>`
  const waited = now.getTime() - Date.parse(updatedAt)
  return stateOf(view, title, body, {
    ...(notice !== undefined && { notice, status: 409 as const }),
    refresh: { seconds: waited < FAST_MS ? REFRESH_FAST : REFRESH_SLOW, to: at() },
  })
}

/** How long after their choice shoppers are redirected to the provider. Later they have come back, and choose themselves. */
const REDIRECT_MS_MAX = 10_000

/** The shopper has to confirm, or pay (`isHosted`), on a page of the provider. */
export function requiresActionPage(view: CheckoutView, url: string, isHosted: boolean): HtmlPage {
  const { page, language, now } = view
  const words = texts[language]
  const { totals } = page.session.snapshot
  const [title, lead, go] = isHosted
    ? [words.hostedTitle, words.hosted, words.hostedGo]
    : [words.actionTitle, words.action, words.actionGo]
  const body = html`<h1>${title}</h1>
<p class="lead">${lead} <strong>${money(view, totals.total)}</strong>.</p>
<div class="actions"><a class="button" href="${url}">${go}</a></div>
${cancelForm(view)}`
  const isNew = now.getTime() - Date.parse(page.session.updatedAt) < REDIRECT_MS_MAX
  // A redirect in response to the form would need the address of every provider in the content security policy.
  return stateOf(view, title, body, isHosted && isNew ? { refresh: { seconds: 0, to: url } } : {})
}

/** The session ended without an order. Mentions a payment that may still arrive, and a transfer that has, in part or as a whole. */
export function endedPage(view: CheckoutView, { hasReceived }: { readonly hasReceived: boolean }): HtmlPage {
  const { session } = view.page
  const words = texts[view.language]
  const isExpired = session.status === 'expired'
  const title = isExpired ? words.expiredTitle : words.canceledTitle
  const notes = { succeeded: words.refunded, pending: words.voided, unknown: words.voided } as const
  const { status } = session.payment
  const ofPayment = status === 'not_started' || status === 'failed' ? null : notes[status]
  const note = hasReceived ? words.returned : ofPayment
  const body = html`<h1>${title}</h1>
<p class="lead">${isExpired ? words.expired : note ? null : words.canceled}</p>
${note && html`<p class="note">${note}</p>`}
<div class="actions">${backLink(view, 'button')}</div>`
  return pageOf(view, title, body, { width: 'narrow' })
}

/** A status with the order summary. */
export function stateOf(
  view: CheckoutView,
  title: string,
  body: Html,
  more: Pick<HtmlPage, 'status' | 'refresh'> & { readonly notice?: string } = {},
): HtmlPage {
  const { notice, ...rest } = more
  const main = html`<div class="split">
<div class="now">${notice && html`<p class="note" role="alert">${notice}</p>`}
${body}</div>
${summary(view)}
</div>`
  return pageOf(view, title, main, rest)
}

/** A link back to the shop through our redirect, which adds the final status. */
export function backLink({ language, at }: CheckoutView, style: 'button' | 'button quiet' = 'button quiet'): Html {
  return html`<a class="${style}" href="${at('/back')}">${common[language].back}</a>`
}
