import { lastDayOf, type TransferHold } from '../../features/checkout/index.ts'
import {
  bankAccountIn,
  epcText,
  type Intent,
  qrCode,
  spacedIban,
  transferReference,
} from '../../features/payments/index.ts'
import { formatDate } from '../../kernel/format-date.ts'
import { wireMoney } from '../../kernel/money.ts'
import { type Html, type HtmlPage, html, money, plainText, type Texts } from '../toolkit/index.ts'
import { cancelForm } from './open-view.ts'
import { backLink, stateOf } from './state-views.ts'
import type { CheckoutView } from './view.ts'

type Words =
  | 'title'
  | 'lead'
  | 'how'
  | 'isTest'
  | 'amount'
  | 'received'
  | 'rest'
  | 'reference'
  | 'heldUntil'
  | 'account'
  | 'holder'
  | 'more'
  | 'copy'
  | 'copied'
  | 'code'
  | 'codeLead'
  | 'confirmTitle'
  | 'confirmSent'
  | 'confirmWithin'
  | 'confirmUntil'

const texts: Texts<Words> = {
  en: {
    title: 'Complete your bank transfer',
    lead: 'We’ll place your order when your payment arrives. We’ll reserve your items until then.',
    how: 'The shop will tell you its bank details. Include the reference so that we can match your payment.',
    isTest: 'This is a test. Please do not transfer any money.',
    amount: 'Amount',
    received: 'Received so far',
    rest: 'Still to be paid',
    reference: 'Reference',
    heldUntil: 'Reserved until',
    account: 'Bank details',
    holder: 'Account holder',
    more: 'Note',
    copy: 'Copy',
    copied: 'Copied',
    code: 'QR code with the details of the transfer',
    codeLead: 'Scan the code with your banking app to fill in the transfer.',
    confirmTitle: 'Please confirm your email address',
    confirmSent: 'We have sent a link to',
    confirmWithin: 'Without confirmation, we reserve your items for another',
    confirmUntil: 'With confirmation, we reserve them until',
  },
  de: {
    title: 'Bitte überweise den Betrag',
    lead: 'Nach Zahlungseingang wird deine Bestellung aufgegeben. Bis dahin reservieren wir deine Artikel.',
    how: 'Die Bankverbindung erhältst du vom Shop. Gib den Verwendungszweck an, damit wir die Zahlung zuordnen können.',
    isTest: 'Dies ist ein Test. Bitte überweise kein Geld.',
    amount: 'Betrag',
    received: 'Bisher eingegangen',
    rest: 'Noch zu zahlen',
    reference: 'Verwendungszweck',
    heldUntil: 'Reserviert bis',
    account: 'Bankverbindung',
    holder: 'Kontoinhaber',
    more: 'Hinweis',
    copy: 'Kopieren',
    copied: 'Kopiert',
    code: 'QR-Code mit den Angaben der Überweisung',
    codeLead: 'Scanne den Code mit deiner Banking-App. Sie füllt die Überweisung aus.',
    confirmTitle: 'Bitte bestätige deine E-Mail-Adresse',
    confirmSent: 'Wir haben einen Link geschickt an',
    confirmWithin: 'Ohne Bestätigung reservieren wir deine Artikel noch',
    confirmUntil: 'Mit Bestätigung reservieren wir sie bis zum',
  },
}

/**
 * Instructions for a bank transfer: amount, account and reference with copy buttons, and a QR code if banking apps can read it. Once a
 * part has arrived, they are about the rest.
 */
export function transferPage(
  view: CheckoutView,
  charge: Intent,
  {
    hold,
    instructions,
    received,
    timeZone,
  }: {
    readonly hold: TransferHold
    readonly instructions: string | null
    readonly received: bigint
    readonly timeZone: string
  },
): HtmlPage {
  const { page, language } = view
  const words = texts[language]
  const { total } = page.session.snapshot.totals
  const account = bankAccountIn(instructions ?? '')
  const reference = transferReference(charge)
  const { currency } = charge
  const rest = charge.amount - received
  const code = account && epcText(account, { amount: rest, currency }, reference)
  const until = formatDate(view.locale, lastDayOf(hold.until), timeZone)
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${!hold.isConfirmed && unconfirmedNote(view, until)}
${page.environment === 'test' && html`<p class="note">${words.isTest}</p>`}
${code !== null && codeOf(code, words)}
<dl class="facts">
<div><dt>${words.amount}</dt><dd>${money(view, total)}</dd></div>
${
  received > 0n &&
  html`<div><dt>${words.received}</dt><dd>${money(view, wireMoney(received, currency))}</dd></div>
<div><dt>${words.rest}</dt><dd><strong>${money(view, wireMoney(rest, currency))}</strong></dd></div>`
}
${account && fact(view, words.holder, account.holder)}
${account && fact(view, 'IBAN', spacedIban(account.iban), account.iban)}
${account?.bic && fact(view, 'BIC', account.bic)}
${fact(view, words.reference, reference)}
${account?.rest && html`<div><dt>${words.more}</dt><dd>${plainText(account.rest)}</dd></div>`}
${!account && instructions && html`<div><dt>${words.account}</dt><dd>${plainText(instructions)}</dd></div>`}
${hold.isConfirmed && html`<div><dt>${words.heldUntil}</dt><dd>${until}</dd></div>`}
</dl>
${!instructions && html`<p>${words.how}</p>`}
<div class="actions">${backLink(view)}</div>
${cancelForm(view)}`
  return { ...stateOf(view, words.title, body), hasScript: true }
}

/** Shows the minutes left, because the time zone of the shopper is unknown. */
function unconfirmedNote({ page, language, locale, now }: CheckoutView, until: string): Html {
  const words = texts[language]
  const minutes = Math.max(1, Math.ceil((Date.parse(page.session.expiresAt) - now.getTime()) / 60_000))
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' })
  return html`<div class="note"><p><strong>${words.confirmTitle}</strong></p>
<p>${words.confirmSent} <strong>${page.contact?.email}</strong>. ${words.confirmWithin} ${format.format(minutes)}. ${words.confirmUntil} ${until}.</p></div>`
}

/** A value of the transfer. The copy button appears only if scripts run. */
function fact({ language }: CheckoutView, label: string, shown: string, value: string = shown): Html {
  const { copy, copied } = texts[language]
  return html`<div><dt>${label}</dt><dd class="copied"><span class="figure">${shown}</span>
<button type="button" class="quiet" hidden data-copies="${value}" data-copied="${copied}" aria-label="${copy}: ${label}">${copy}</button></dd></div>`
}

const QUIET_ZONE = 4

function codeOf(text: string, { code, codeLead }: (typeof texts)['en']): Html {
  const rows = qrCode(text)
  const size = rows.length + 2 * QUIET_ZONE
  const path = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [])),
  )
  return html`<figure class="code"><svg role="img" aria-label="${code}" viewBox="0 0 ${size} ${size}" width="176" height="176" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path.join('')}" fill="#000"/></svg>
<figcaption class="small">${codeLead}</figcaption></figure>`
}
