import type { Order } from '../../features/orders/index.ts'
import type { Intent } from '../../features/payments/index.ts'
import { doneMark, type Html, html, plainText, type ShownPage, type Texts } from '../toolkit/index.ts'
import { pageOf, wayOut } from './open-view.ts'
import { summary } from './summary-view.ts'
import { texts as common } from './texts.ts'
import { moment, money, type Shown } from './view.ts'

type Words =
  | 'waitTitle'
  | 'wait'
  | 'dontPay'
  | 'unknownTitle'
  | 'unknown'
  | 'unknownClose'
  | 'cancelingTitle'
  | 'canceling'
  | 'look'
  | 'actionTitle'
  | 'action'
  | 'actionGo'
  | 'transferTitle'
  | 'transfer'
  | 'transferHow'
  | 'amount'
  | 'reference'
  | 'heldUntil'
  | 'account'
  | 'completedTitle'
  | 'completed'
  | 'orderNumber'
  | 'canceledTitle'
  | 'canceled'
  | 'expiredTitle'
  | 'expired'
  | 'calledOff'
  | 'paidBack'
  | 'noCancel'

export const texts: Texts<Words> = {
  en: {
    waitTitle: 'Your payment is being confirmed',
    wait: 'This usually takes a few seconds. The page looks again by itself.',
    dontPay: 'Please do not pay again.',
    unknownTitle: 'We do not know yet whether you have paid',
    unknown:
      'The payment service has not answered. We keep asking until it does. If the money was taken, your order is placed; if it was not, you can try again then.',
    unknownClose: 'You may close this page: the shop is told how it ends.',
    cancelingTitle: 'We are cancelling your order',
    canceling:
      'A payment was under way when you cancelled. If it turns out that it had been made, your order stands; otherwise nothing is charged.',
    look: 'Look again now',
    actionTitle: 'One more step',
    action: 'Your bank asks you to confirm that you pay',
    actionGo: 'Go on and confirm',
    transferTitle: 'Please transfer the money',
    transfer: 'Your order is placed as soon as it has arrived. Until then your goods are kept for you.',
    transferHow: 'The shop tells you which account to transfer to. Write the reference on it, so that it is found.',
    amount: 'Amount',
    reference: 'Reference',
    heldUntil: 'Kept until',
    account: 'To',
    completedTitle: 'Thank you, your order is placed',
    completed: 'It is paid for, and is being prepared.',
    orderNumber: 'Order number',
    canceledTitle: 'This checkout was cancelled',
    canceled: 'Nothing was charged, and nothing is kept for you any more.',
    expiredTitle: 'Time has run out',
    expired: 'Your goods were kept for a while and are free for others now. Go back to the shop and begin again.',
    calledOff: 'The payment was called off. Should any money arrive all the same, it is paid back in full.',
    paidBack: 'A payment arrived after that. It is being paid back in full.',
    noCancel: 'This cannot be cancelled now, because nobody knows yet whether you have paid.',
  },
  de: {
    waitTitle: 'Deine Zahlung wird bestätigt',
    wait: 'Das dauert meist ein paar Sekunden. Die Seite sieht von selbst wieder nach.',
    dontPay: 'Bitte bezahle nicht noch einmal.',
    unknownTitle: 'Wir wissen noch nicht, ob du bezahlt hast',
    unknown:
      'Der Zahlungsdienst hat nicht geantwortet. Wir fragen nach, bis er es tut. Wurde das Geld abgebucht, ist deine Bestellung da; wenn nicht, kannst du es dann noch einmal versuchen.',
    unknownClose: 'Du kannst diese Seite schließen: Der Shop erfährt, wie es ausgeht.',
    cancelingTitle: 'Deine Bestellung wird abgebrochen',
    canceling:
      'Als du abgebrochen hast, lief schon eine Zahlung. Stellt sich heraus, dass sie da schon durch war, gilt deine Bestellung; sonst wird nichts abgebucht.',
    look: 'Jetzt nachsehen',
    actionTitle: 'Noch ein Schritt',
    action: 'Deine Bank bittet dich um eine Bestätigung. Du bezahlst',
    actionGo: 'Weiter zur Bestätigung',
    transferTitle: 'Bitte überweise den Betrag',
    transfer: 'Sobald er da ist, gilt deine Bestellung. Bis dahin sind deine Waren zurückgelegt.',
    transferHow: 'Auf welches Konto, sagt dir der Shop. Gib den Verwendungszweck an, damit die Zahlung gefunden wird.',
    amount: 'Betrag',
    reference: 'Verwendungszweck',
    heldUntil: 'Zurückgelegt bis',
    account: 'An',
    completedTitle: 'Danke, deine Bestellung ist da',
    completed: 'Sie ist bezahlt und wird vorbereitet.',
    orderNumber: 'Bestellnummer',
    canceledTitle: 'Der Kauf wurde abgebrochen',
    canceled: 'Es wurde nichts abgebucht, und es ist nichts mehr für dich zurückgelegt.',
    expiredTitle: 'Die Zeit ist abgelaufen',
    expired:
      'Deine Waren waren eine Weile zurückgelegt und sind jetzt wieder frei. Geh zurück zum Shop und beginne neu.',
    calledOff: 'Die Zahlung wurde abgesagt. Kommt trotzdem Geld an, wird es ganz zurückgezahlt.',
    paidBack: 'Danach ist eine Zahlung angekommen. Sie wird ganz zurückgezahlt.',
    noCancel: 'Das lässt sich jetzt nicht abbrechen, weil noch niemand weiß, ob du bezahlt hast.',
  },
}

/** How often the page looks: soon at first, and calmly once it takes longer. Seconds. */
const LOOK_SOON = 2
const LOOK_LATER = 10
const SOON_MS = 60_000

/** Somebody has to wait: nobody knows the outcome yet, and so nobody may pay again. */
export function waitPage(shown: Shown, notice?: string): ShownPage {
  const { page, language, now, at } = shown
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
<div class="actions"><a class="button quiet" href="${at()}">${words.look}</a>${isUnknown && wayBack(shown)}</div>`
  const waited = now.getTime() - Date.parse(updatedAt)
  return stateOf(shown, title, body, {
    ...(notice !== undefined && { notice, status: 409 as const }),
    refreshSeconds: waited < SOON_MS ? LOOK_SOON : LOOK_LATER,
  })
}

/** The shopper has to do something on a page of the provider. */
export function actionPage(shown: Shown, url: string): ShownPage {
  const { page, language } = shown
  const words = texts[language]
  const { total } = page.session.snapshot.totals
  const body = html`<h1>${words.actionTitle}</h1>
<p class="lead">${words.action} <strong>${money(shown, total)}</strong>.</p>
<div class="actions"><a class="button" href="${url}">${words.actionGo}</a></div>
${wayOut(shown)}`
  return stateOf(shown, words.actionTitle, body)
}

/** The shopper has to transfer the money: how much, where to, and what to write on it. */
export function transferPage(shown: Shown, charge: Intent, instructions: string | null): ShownPage {
  const { page, language } = shown
  const words = texts[language]
  const { total } = page.session.snapshot.totals
  const body = html`<h1>${words.transferTitle}</h1>
<p class="lead">${words.transfer}</p>
<dl class="facts">
<div><dt>${words.amount}</dt><dd>${money(shown, total)}</dd></div>
<div><dt>${words.reference}</dt><dd class="figure">${referenceOf(charge)}</dd></div>
${instructions && html`<div><dt>${words.account}</dt><dd>${plainText(instructions)}</dd></div>`}
<div><dt>${words.heldUntil}</dt><dd>${moment(shown, new Date(page.session.expiresAt))} UTC</dd></div>
</dl>
${!instructions && html`<p>${words.transferHow}</p>`}
<div class="actions">${wayBack(shown)}</div>
${wayOut(shown)}`
  return stateOf(shown, words.transferTitle, body)
}

/** How many of an intent's last characters stand on a transfer: enough that no two are alike, few enough to be typed. */
const REFERENCE_LENGTH = 10

/** What is written on a transfer: how the intent's id ends, so that whoever sees it finds the intent. */
export function referenceOf({ id }: Pick<Intent, 'id'>): string {
  return id.slice(-REFERENCE_LENGTH).toUpperCase()
}

/** It is over well: the order, its number, and the way back. */
export function completedPage(shown: Shown, order: Order): ShownPage {
  const words = texts[shown.language]
  const body = html`${doneMark}<h1>${words.completedTitle}</h1>
<p class="lead">${words.completed}</p>
<dl class="facts"><div><dt>${words.orderNumber}</dt><dd class="figure">${order.number}</dd></div></dl>
<div class="actions">${wayBack(shown, 'button')}</div>`
  return stateOf(shown, words.completedTitle, body)
}

/** It is over without an order. Whatever money is on its way is told about. */
export function endedPage(shown: Shown): ShownPage {
  const { session } = shown.page
  const words = texts[shown.language]
  const isExpired = session.status === 'expired'
  const title = isExpired ? words.expiredTitle : words.canceledTitle
  const money = { succeeded: words.paidBack, pending: words.calledOff, unknown: words.calledOff } as const
  const { status } = session.payment
  const said = status === 'not_started' || status === 'failed' ? null : money[status]
  const body = html`<h1>${title}</h1>
<p class="lead">${isExpired ? words.expired : said ? null : words.canceled}</p>
${said && html`<p class="note">${said}</p>`}
<div class="actions">${wayBack(shown, 'button')}</div>`
  return pageOf(shown, title, body, { width: 'narrow' })
}

/** What goes on, with what is bought beside it. */
function stateOf(
  shown: Shown,
  title: string,
  body: Html,
  more: Pick<ShownPage, 'status' | 'refreshSeconds'> & { readonly notice?: string } = {},
): ShownPage {
  const { notice, ...rest } = more
  const main = html`<div class="split">
<div class="now">${notice && html`<p class="note" role="alert">${notice}</p>`}
${body}</div>
${summary(shown)}
</div>`
  return pageOf(shown, title, main, rest)
}

/** Back to the shop, by way of us: we say how it ended at the moment when they go. */
function wayBack({ page, language, at }: Shown, looks: 'button' | 'button quiet' = 'button quiet'): Html {
  return html`<a class="${looks}" href="${at('/back')}">${common[language].backTo} ${page.installationName}</a>`
}
