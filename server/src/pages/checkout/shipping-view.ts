import { type Static, Type } from 'typebox'
import type { PageSession } from '../../features/checkout/index.ts'
import { form, type Html, html, type Texts } from '../toolkit/index.ts'
import { choices } from './radio-cards.ts'
import { optionsByStore } from './step.ts'
import { texts as common } from './texts.ts'
import { money, type Shown, stepAt } from './view.ts'

const texts: Texts<'title' | 'free' | 'day' | 'days' | 'between'> = {
  en: {
    title: 'How shall it be sent?',
    free: 'free',
    day: 'Arrives in a day',
    days: 'Arrives in {max} days',
    between: 'Arrives in {min} to {max} days',
  },
  de: {
    title: 'Wie soll es kommen?',
    free: 'kostenlos',
    day: 'Kommt in einem Tag',
    days: 'Kommt in {max} Tagen',
    between: 'Kommt in {min} bis {max} Tagen',
  },
}

/** A way to ship for each store, by the store’s place in the list. */
export const ShippingChoice = Type.Object(
  {},
  {
    additionalProperties: false,
    patternProperties: { '^ship_[0-9]{1,2}$': { type: 'string', pattern: '^[a-z0-9_]{1,64}$' } },
  },
)

type Option = PageSession['shippingOptions'][number]

/** Each store's ways to ship, the taken one first in mind. */
export function shippingForm(shown: Shown): Html {
  const { page, language, formToken } = shown
  const names = new Map(page.stores.map(({ id, name }) => [id, name]))
  const stores = optionsByStore(page.shippingOptions)
  const taken = new Map(page.selectedShipping.map(({ storeId, optionId }) => [storeId, optionId]))
  const groups = stores.map(([storeId, options], index) =>
    choices(
      `ship_${index}`,
      stores.length > 1 ? (names.get(storeId) ?? storeId) : html`<span class="unseen">${texts[language].title}</span>`,
      options.map((option) => ({
        value: option.id,
        label: option.name,
        hint: delivery(shown, option),
        aside: option.price.amount === 0 ? texts[language].free : money(shown, option.price),
      })),
      taken.get(storeId),
    ),
  )
  return html`<h2>${texts[language].title}</h2>
${form({
  language,
  action: stepAt(shown, '/shipping'),
  formToken,
  fields: [],
  before: html`${groups}`,
  submit: common[language].goOnToPayment,
})}`
}

/** When it arrives, in words. */
export function delivery({ language }: Pick<Shown, 'language'>, { delivery: { minDays, maxDays } }: Option): string {
  const words = texts[language]
  if (minDays === maxDays) return maxDays === 1 ? words.day : words.days.replace('{max}', String(maxDays))
  return words.between.replace('{min}', String(minDays)).replace('{max}', String(maxDays))
}

/** What was chosen, as checkout takes it: one option for each store, joined. */
export function chosenShipping(page: PageSession, sent: Static<typeof ShippingChoice>): string {
  const values = sent as Readonly<Record<string, string>>
  return optionsByStore(page.shippingOptions)
    .map(([, options], index) => values[`ship_${index}`] ?? options[0]?.id ?? '')
    .join('+')
}
