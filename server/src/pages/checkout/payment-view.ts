import { Type } from 'typebox'
import { type PaymentMethod, TEST_OUTCOMES, type TestOutcome } from '../../features/payments/index.ts'
import type { LegalHead } from '../../features/storefront/index.ts'
import { AcceptanceFields, acceptanceField, documentVersions } from '../legal/acceptance.ts'
import { type FieldErrors, form, type Html, html, money, type Texts } from '../toolkit/index.ts'
import { radioCards } from './radio-cards.ts'
import { type CheckoutView, stepUrl } from './view.ts'

type Words =
  | 'title'
  | 'pay'
  | 'order'
  | 'nothing'
  | 'simulator'
  | 'simulatorHint'
  | 'outcome'
  | TestOutcome
  | `${TestOutcome}Hint`
  | 'manual'
  | 'manualHint'
  | 'card'
  | 'hosted'
  | 'hostedHint'
  | 'none'
  | 'shippingUnavailable'
  | 'notTaxed'
  | 'declinedTitle'
  | 'abandonedTitle'
  | 'abandoned'
  | 'refused'
  | 'card_declined'
  | 'insufficient_funds'
  | 'action_declined'
  | 'again'
  | 'from'

const texts: Texts<Words> = {
  en: {
    title: 'Payment method',
    pay: 'Order and pay',
    order: 'Place order',
    nothing: 'No payment is needed.',
    simulator: 'Test card',
    simulatorHint: 'For testing. You won’t be charged.',
    outcome: 'What the test card does',
    pays: 'Pays',
    paysHint: 'The payment goes through at once.',
    declined: 'Is declined',
    declinedHint: 'You can then pay another way.',
    bank_asks: 'Bank asks',
    bank_asksHint: 'You approve or decline the payment on a page of the bank (3D Secure).',
    no_answer: 'No answer',
    no_answerHint: 'The outcome is unknown for a few seconds, then the payment turns out to be made.',
    reserves: 'Is reserved',
    reservesHint: 'The shop takes the money later, for example when it ships.',
    settles: 'Arrives later',
    settlesHint: 'The order is placed, and the money arrives a minute later, as from a direct debit.',
    disputed: 'Is disputed',
    disputedHint: 'Pays, and a minute later the buyer disputes the payment with their bank.',
    bounces: 'Bounces later',
    bouncesHint: 'The order is placed, and a minute later the payment fails and the order is canceled.',
    manual: 'Bank transfer',
    manualHint: 'You’ll see the bank details in the next step. We’ll reserve your items until your payment arrives.',
    card: 'Card',
    hosted: 'Card, wallet and more',
    hostedHint: 'You’ll pay on a secure page of our payment provider and come back here afterwards.',
    none: 'No payment method is available right now. Try again later or return to the shop.',
    shippingUnavailable: 'We can’t ship to this address. Choose another one or return to the shop.',
    notTaxed: 'We can’t sell to this address right now. Choose another one or return to the shop.',
    declinedTitle: 'Payment failed',
    abandonedTitle: 'Payment not completed',
    abandoned: 'You left the payment page.',
    refused: 'The payment was declined.',
    card_declined: 'Your card was declined.',
    insufficient_funds: 'Your card has insufficient funds.',
    action_declined: 'The payment was not confirmed.',
    from: 'You’re buying from',
    again: 'Nothing was charged. Try again or choose another payment method.',
  },
  de: {
    title: 'Zahlungsart wählen',
    pay: 'Zahlungspflichtig bestellen',
    order: 'Bestellung abschicken',
    nothing: 'Es fällt keine Zahlung an.',
    simulator: 'Testkarte',
    simulatorHint: 'Nur zum Testen. Es wird nichts abgebucht.',
    outcome: 'Was die Testkarte tut',
    pays: 'Zahlt',
    paysHint: 'Die Zahlung klappt sofort.',
    declined: 'Wird abgelehnt',
    declinedHint: 'Danach kannst du anders bezahlen.',
    bank_asks: 'Bank fragt nach',
    bank_asksHint: 'Du gibst die Zahlung auf einer Seite der Bank frei oder lehnst sie ab (3D Secure).',
    no_answer: 'Keine Antwort',
    no_answerHint: 'Das Ergebnis ist ein paar Sekunden lang unbekannt. Dann stellt sich heraus, dass bezahlt wurde.',
    reserves: 'Wird reserviert',
    reservesHint: 'Der Shop bucht den Betrag später ab, zum Beispiel beim Versand.',
    settles: 'Kommt später an',
    settlesHint: 'Die Bestellung wird aufgegeben. Das Geld kommt eine Minute später an, wie bei einer Lastschrift.',
    disputed: 'Wird angefochten',
    disputedHint: 'Zahlt. Eine Minute später ficht der Käufer die Zahlung bei seiner Bank an.',
    bounces: 'Platzt später',
    bouncesHint:
      'Die Bestellung wird aufgegeben. Eine Minute später scheitert die Zahlung und die Bestellung wird storniert.',
    manual: 'Überweisung',
    manualHint:
      'Die Bankverbindung siehst du im nächsten Schritt. Bis zum Zahlungseingang reservieren wir deine Artikel.',
    card: 'Karte',
    hosted: 'Karte, Wallet und mehr',
    hostedHint: 'Du bezahlst auf einer sicheren Seite unseres Zahlungsanbieters und kommst danach hierher zurück.',
    none: 'Derzeit ist keine Zahlungsart verfügbar. Versuche es später noch einmal oder kehre zum Shop zurück.',
    shippingUnavailable: 'An diese Adresse können wir nicht liefern. Wähle eine andere oder kehre zum Shop zurück.',
    notTaxed: 'An diese Adresse können wir derzeit nicht verkaufen. Wähle eine andere oder kehre zum Shop zurück.',
    declinedTitle: 'Zahlung fehlgeschlagen',
    abandonedTitle: 'Zahlung nicht abgeschlossen',
    abandoned: 'Du hast die Zahlungsseite verlassen.',
    refused: 'Die Zahlung wurde abgelehnt.',
    card_declined: 'Deine Karte wurde abgelehnt.',
    insufficient_funds: 'Deine Karte ist nicht ausreichend gedeckt.',
    action_declined: 'Die Zahlung wurde nicht bestätigt.',
    from: 'Du kaufst bei',
    again: 'Es wurde nichts abgebucht. Versuche es noch einmal oder wähle eine andere Zahlungsart.',
  },
}

export const PaymentForm = Type.Object(
  {
    ...AcceptanceFields,
    provider: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$' })),
    outcome: Type.Optional(Type.Enum([...TEST_OUTCOMES])),
    version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  },
  { additionalProperties: false },
)

export interface PaymentChoices {
  readonly methods: readonly PaymentMethod[]
  readonly documents: readonly LegalHead[]
  /** Why the last attempt failed, if known. */
  readonly failureCode: string | null
}

/** The last step: payment method, documents to accept, and the order button. */
export function paymentForm(view: CheckoutView, offered: PaymentChoices, typed: Typed = {}): Html {
  const { page, language, formToken, link } = view
  const words = texts[language]
  const { methods, documents } = offered
  const { total } = page.session.snapshot.totals
  const accepting = acceptanceField(documents, language, link)
  const isFree = total.amount === 0
  const sellers = new Intl.ListFormat(language).format(page.stores.map(({ name }) => name))
  const blocked = blockedText(view)
  if (blocked) return html`<h2>${words.title}</h2>\n<p class="note" role="status">${blocked}</p>`
  if (!isFree && methods.length === 0)
    return html`<h2>${words.title}</h2>\n<p class="note" role="status">${words.none}</p>`
  return html`${page.session.payment.status === 'failed' && declinedAlert(view, offered)}
<h2>${words.title}</h2>
${form({
  language,
  action: stepUrl(view, '/pay'),
  formToken,
  hidden: { version: String(page.session.version), documents: documentVersions(documents) },
  top: isFree ? html`<p>${words.nothing}</p>` : methodChoice(view, methods, typed.values),
  fields: accepting ? [accepting] : [],
  values: typed.errors?.accepted ? {} : (typed.values ?? {}),
  ...(typed.errors && { errors: typed.errors }),
  before: html`<p class="small">${words.from} <strong>${sellers}</strong></p>`,
  submit: isFree ? words.order : html`${words.pay} <span class="amount">${money(view, total)}</span>`,
})}`
}

export interface Typed {
  readonly values?: Readonly<Record<string, string>>
  readonly errors?: FieldErrors
}

function methodChoice(
  { language }: CheckoutView,
  methods: readonly PaymentMethod[],
  selected: Typed['values'] = {},
): Html {
  const words = texts[language]
  const offered = methods.map(({ provider, kind, isSimulated }) => {
    if (isSimulated) return { value: provider, label: words.simulator, hint: words.simulatorHint }
    if (kind === 'manual') return { value: provider, label: words.manual, hint: words.manualHint }
    if (kind === 'hosted') return { value: provider, label: words.hosted, hint: words.hostedHint }
    return { value: provider, label: words.card }
  })
  const outcomes = TEST_OUTCOMES.map((each) => ({ value: each, label: words[each], hint: words[`${each}Hint`] }))
  return html`${radioCards('provider', html`<span class="unseen">${words.title}</span>`, offered, selected.provider)}
${methods.some(({ isSimulated }) => isSimulated) && html`<div class="rehearsal">${radioCards('outcome', words.outcome, outcomes, selected.outcome)}</div>`}`
}

function blockedText({ page, language }: CheckoutView): string | null {
  const codes = page.session.blockers.map(({ code }) => code)
  if (codes.includes('shipping_unavailable')) return texts[language].shippingUnavailable
  return codes.includes('tax_not_calculated') ? texts[language].notTaxed : null
}

/** The shopper left the page of the provider, and the charge was voided. */
export const ABANDONED = 'abandoned'
const REASONS = ['card_declined', 'insufficient_funds', 'action_declined', ABANDONED] as const

/** Why the last attempt failed. */
function declinedAlert({ language }: CheckoutView, { failureCode }: PaymentChoices): Html {
  const words = texts[language]
  const reason = REASONS.find((each) => each === failureCode) ?? 'refused'
  return html`<div class="summary" role="alert" aria-labelledby="declined"><h2 id="declined">${reason === ABANDONED ? words.abandonedTitle : words.declinedTitle}</h2>
<p>${words[reason]} ${words.again}</p></div>`
}
