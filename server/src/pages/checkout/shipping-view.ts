import { type Static, Type } from 'typebox'
import type { PageSession } from '../../features/checkout/index.ts'
import { form, type Html, html, money, type Texts } from '../toolkit/index.ts'
import { radioCards } from './radio-cards.ts'
import { optionsByStore } from './step.ts'
import { texts as common } from './texts.ts'
import { type CheckoutView, stepUrl } from './view.ts'

const texts: Texts<'title' | 'free' | 'day' | 'days' | 'between'> = {
  en: {
    title: 'Shipping method',
    free: 'Free',
    day: 'Arrives in 1 day',
    days: 'Arrives in {max} days',
    between: 'Arrives in {min}–\u2060{max} days',
  },
  de: {
    title: 'Versandart wählen',
    free: 'Kostenlos',
    day: 'Lieferzeit: 1 Tag',
    days: 'Lieferzeit: {max} Tage',
    between: 'Lieferzeit: {min}–\u2060{max} Tage',
  },
}

/** One option per store: `ship_<index of the store>`. */
export const ShippingChoice = Type.Object(
  {},
  {
    additionalProperties: false,
    patternProperties: { '^ship_[0-9]{1,2}$': { type: 'string', pattern: '^[a-z0-9_]{1,64}$' } },
  },
)

type Option = PageSession['shippingOptions'][number]

export function shippingForm(view: CheckoutView): Html {
  const { page, language, formToken } = view
  const names = new Map(page.stores.map(({ id, name }) => [id, name]))
  const stores = optionsByStore(page.shippingOptions)
  const selected = new Map(page.selectedShipping.map(({ storeId, optionId }) => [storeId, optionId]))
  const groups = stores.map(([storeId, options], index) =>
    radioCards(
      `ship_${index}`,
      stores.length > 1 ? (names.get(storeId) ?? storeId) : html`<span class="unseen">${texts[language].title}</span>`,
      options.map((option) => ({
        value: option.id,
        label: option.name,
        hint: deliveryTime(view, option),
        aside: option.price.amount === 0 ? texts[language].free : money(view, option.price),
      })),
      selected.get(storeId),
    ),
  )
  return html`<h2>${texts[language].title}</h2>
${form({
  language,
  action: stepUrl(view, '/shipping'),
  formToken,
  fields: [],
  before: html`${groups}`,
  submit: common[language].continueToPayment,
})}`
}

export function deliveryTime(
  { language }: Pick<CheckoutView, 'language'>,
  { delivery: { minDays, maxDays } }: Option,
): string {
  const words = texts[language]
  if (minDays === maxDays) return maxDays === 1 ? words.day : words.days.replace('{max}', String(maxDays))
  return words.between.replace('{min}', String(minDays)).replace('{max}', String(maxDays))
}

/** The selected options, joined by `+`. */
export function selectedShipping(page: PageSession, sent: Static<typeof ShippingChoice>): string {
  const values = sent as Readonly<Record<string, string>>
  return optionsByStore(page.shippingOptions)
    .map(([, options], index) => values[`ship_${index}`] ?? options[0]?.id ?? '')
    .join('+')
}
