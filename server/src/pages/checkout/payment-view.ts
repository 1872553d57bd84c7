import { Type } from 'typebox'
import type { PaymentMethod } from '../../features/payments/index.ts'
import type { LegalHead } from '../../features/storefront/index.ts'
import { AcceptingFields, acceptingField, shownDocuments } from '../legal/acceptance.ts'
import { type FieldErrors, form, type Html, html, type Texts } from '../toolkit/index.ts'
import { choices } from './radio-cards.ts'
import { money, type Shown, stepAt } from './view.ts'

type Words =
  | 'title'
  | 'pay'
  | 'order'
  | 'nothing'
  | 'simulator'
  | 'simulatorHint'
  | 'manual'
  | 'manualHint'
  | 'card'
  | 'none'
  | 'shippingUnavailable'
  | 'notTaxed'
  | 'declinedTitle'
  | 'declined'
  | 'card_declined'
  | 'insufficient_funds'
  | 'action_declined'
  | 'again'

const texts: Texts<Words> = {
  en: {
    title: 'How do you want to pay?',
    pay: 'Order and pay',
    order: 'Place the order',
    nothing: 'There is nothing to pay.',
    simulator: 'Test card',
    simulatorHint: 'For trying this shop out. No money moves.',
    manual: 'Bank transfer',
    manualHint: 'You see what to transfer in the next step. Your goods are kept for you meanwhile.',
    card: 'Card',
    none: 'Nothing can be paid with here at the moment. Please come back later, or go back to the shop.',
    shippingUnavailable: 'Nothing can be sent to this address. Choose another one, or go back to the shop.',
    notTaxed: 'This cannot be sold to this address at the moment. Choose another one, or go back to the shop.',
    declinedTitle: 'The payment was not made',
    declined: 'It was declined, without a reason.',
    card_declined: 'The card was declined.',
    insufficient_funds: 'There is not enough money behind the card.',
    action_declined: 'The payment was not confirmed.',
    again: 'Nothing was charged. Try again, or pay in another way.',
  },
  de: {
    title: 'Wie möchtest du bezahlen?',
    pay: 'Zahlungspflichtig bestellen',
    order: 'Bestellen',
    nothing: 'Es ist nichts zu bezahlen.',
    simulator: 'Testkarte',
    simulatorHint: 'Zum Ausprobieren dieses Shops. Es fließt kein Geld.',
    manual: 'Überweisung',
    manualHint: 'Was du überweist, siehst du im nächsten Schritt. So lange werden deine Waren zurückgelegt.',
    card: 'Karte',
    none: 'Im Moment kann hier mit nichts bezahlt werden. Komm später wieder, oder geh zurück zum Shop.',
    shippingUnavailable: 'An diese Adresse kann nichts geschickt werden. Wähle eine andere, oder geh zurück zum Shop.',
    notTaxed: 'An diese Adresse kann das im Moment nicht verkauft werden. Wähle eine andere, oder geh zurück zum Shop.',
    declinedTitle: 'Es wurde nicht bezahlt',
    declined: 'Die Zahlung wurde ohne Angabe von Gründen abgelehnt.',
    card_declined: 'Die Karte wurde abgelehnt.',
    insufficient_funds: 'Die Karte ist nicht gedeckt.',
    action_declined: 'Die Zahlung wurde nicht bestätigt.',
    again: 'Es wurde nichts abgebucht. Versuche es noch einmal, oder bezahle anders.',
  },
}

/** What is sent by who pays: what they accept, with what, and which version of the session they have seen. */
export const PaymentForm = Type.Object(
  {
    ...AcceptingFields,
    provider: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$' })),
    version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  },
  { additionalProperties: false },
)

export interface PaymentChoices {
  readonly methods: readonly PaymentMethod[]
  readonly documents: readonly LegalHead[]
  /** Why the try before did not go through; `null` where there was none, or it is not known. */
  readonly failureCode: string | null
}

/** The last step: what is accepted, with what it is paid, and the button that says that it costs money. */
export function paymentForm(shown: Shown, offered: PaymentChoices, typed: Typed = {}): Html {
  const { page, language, formToken, link } = shown
  const words = texts[language]
  const { methods, documents } = offered
  const { total } = page.session.snapshot.totals
  const accepting = acceptingField(documents, language, link)
  const isFree = total.amount === 0
  const blocked = blockedBy(shown)
  if (blocked) return html`<h2>${words.title}</h2>\n<p class="note" role="status">${blocked}</p>`
  if (!isFree && methods.length === 0)
    return html`<h2>${words.title}</h2>\n<p class="note" role="status">${words.none}</p>`
  return html`${page.session.payment.status === 'failed' && declined(shown, offered)}
<h2>${words.title}</h2>
${form({
  language,
  action: stepAt(shown, '/pay'),
  formToken,
  hidden: { version: String(page.session.version), documents: shownDocuments(documents) },
  top: isFree ? html`<p>${words.nothing}</p>` : methodChoice(shown, methods, typed.values?.provider),
  fields: accepting ? [accepting] : [],
  values: typed.errors?.accepted ? {} : (typed.values ?? {}),
  ...(typed.errors && { errors: typed.errors }),
  submit: isFree ? words.order : html`${words.pay} <span class="amount">${money(shown, total)}</span>`,
})}`
}

export interface Typed {
  readonly values?: Readonly<Record<string, string>>
  readonly errors?: FieldErrors
}

function methodChoice({ language }: Shown, methods: readonly PaymentMethod[], taken: string | undefined): Html {
  const words = texts[language]
  const offered = methods.map(({ provider, kind }) => {
    if (provider === 'simulator') return { value: provider, label: words.simulator, hint: words.simulatorHint }
    if (kind === 'manual') return { value: provider, label: words.manual, hint: words.manualHint }
    return { value: provider, label: words.card }
  })
  return choices('provider', html`<span class="unseen">${words.title}</span>`, offered, taken)
}

function blockedBy({ page, language }: Shown): string | null {
  const codes = page.session.blockers.map(({ code }) => code)
  if (codes.includes('shipping_unavailable')) return texts[language].shippingUnavailable
  return codes.includes('tax_not_calculated') ? texts[language].notTaxed : null
}

const REASONS = ['card_declined', 'insufficient_funds', 'action_declined'] as const

/** Says that nothing was charged, and why, before the same step is offered again. */
function declined({ language }: Shown, { failureCode }: PaymentChoices): Html {
  const words = texts[language]
  const reason = REASONS.find((each) => each === failureCode) ?? 'declined'
  return html`<div class="summary" role="alert" aria-labelledby="declined"><h2 id="declined">${words.declinedTitle}</h2>
<p>${words[reason]} ${words.again}</p></div>`
}
