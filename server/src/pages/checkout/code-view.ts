import type { CartPromotion } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import type { Refusal } from '../../kernel/refusal.ts'
import { type FieldErrors, form, type Html, html, secondaryForm, type Texts } from '../toolkit/index.ts'
import { type CheckoutView, stepUrl } from './view.ts'

type Reason = NonNullable<Static<typeof CartPromotion>['reasonCode']>
type Words = 'add' | 'code' | 'apply' | 'remove' | 'changed' | Reason

const texts: Texts<Words> = {
  en: {
    add: 'Add a promotion code',
    code: 'Promotion code',
    apply: 'Apply code',
    remove: 'Remove code {code}',
    changed: 'Prices have changed. Return to the shop to use a code.',
    invalid: 'This code is not valid',
    not_started: 'This code is not active yet',
    expired: 'This code has expired',
    customer_required: 'Sign in at the shop to use this code',
    customer_ineligible: 'This code is not for your account',
    usage_limit_reached: 'This code has been used up',
    minimum_not_met: 'Your order does not reach the minimum for this code',
    combination_disallowed: 'This code cannot be combined with the other discounts',
  },
  de: {
    add: 'Gutscheincode hinzufügen',
    code: 'Gutscheincode',
    apply: 'Code einlösen',
    remove: 'Code {code} entfernen',
    changed: 'Die Preise haben sich geändert. Kehre zum Shop zurück, um einen Code einzulösen.',
    invalid: 'Diesen Code gibt es nicht',
    not_started: 'Dieser Code gilt noch nicht',
    expired: 'Dieser Code ist abgelaufen',
    customer_required: 'Melde dich im Shop an, um diesen Code einzulösen',
    customer_ineligible: 'Dieser Code gilt nicht für dein Konto',
    usage_limit_reached: 'Dieser Code ist aufgebraucht',
    minimum_not_met: 'Der Mindestbestellwert für diesen Code ist nicht erreicht',
    combination_disallowed: 'Dieser Code lässt sich nicht mit den anderen Rabatten kombinieren',
  },
}

export const CodeForm = Type.Object(
  { code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) },
  { additionalProperties: false },
)

/** Adds a promotion code, or removes the applied one. Collapsed, because most shoppers have none. */
export function codeForm(view: CheckoutView, values: { readonly code?: string } = {}, errors?: FieldErrors): Html {
  const { page, language, formToken } = view
  const words = texts[language]
  const action = stepUrl(view, '/code')
  if (page.promotion.status === 'applied') {
    return html`<div class="promo">${secondaryForm({ action, formToken, submit: words.remove.replace('{code}', page.promotion.code ?? '') })}</div>`
  }
  return html`<details class="promo"${errors && html` open`}><summary>${words.add}</summary>
${form({
  language,
  action,
  formToken,
  fields: [{ name: 'code', label: words.code, autocomplete: 'off', maxLength: 64 }],
  values,
  ...(errors && { errors }),
  submit: words.apply,
})}</details>`
}

/** Why a code was not applied; `null` for other refusals. */
export function errorOfCode(
  { code, facts }: Refusal,
  { language }: Pick<CheckoutView, 'language'>,
): FieldErrors | null {
  const words = texts[language]
  if (code === 'validation_failed') return { code: words.invalid }
  if (code === 'price_changed') return { code: words.changed }
  if (code !== 'promotion_inapplicable') return null
  const reason = (facts.conflict?.reasons?.[0] ?? 'invalid') as Reason
  return { code: words[reason] }
}
