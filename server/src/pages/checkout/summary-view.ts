import type { Money, QuoteLine } from '@vitrine/contract'
import { exemptionNotes } from '../../features/pricing/index.ts'
import { type Html, html, money, type Texts } from '../toolkit/index.ts'
import type { CheckoutView } from './view.ts'

type Words =
  | 'title'
  | 'bought'
  | 'goods'
  | 'discount'
  | 'shipping'
  | 'shippingOpen'
  | 'free'
  | 'shippingDiscount'
  | 'tax'
  | 'estimated'
  | 'includes'
  | 'total'
  | 'before'

const texts: Texts<Words> = {
  en: {
    title: 'Order summary',
    bought: 'Your order',
    goods: 'Subtotal',
    discount: 'Discount',
    shipping: 'Shipping',
    shippingOpen: 'Calculated after you enter your address',
    free: 'Free',
    shippingDiscount: 'Shipping discount',
    tax: 'Tax',
    estimated: 'estimated',
    includes: 'Includes tax:',
    total: 'Total',
    before: 'was',
  },
  de: {
    title: 'Bestellübersicht',
    bought: 'Deine Bestellung',
    goods: 'Zwischensumme',
    discount: 'Rabatt',
    shipping: 'Versand',
    shippingOpen: 'wird nach Eingabe der Adresse berechnet',
    free: 'Kostenlos',
    shippingDiscount: 'Versandrabatt',
    tax: 'Steuern',
    estimated: 'geschätzt',
    includes: 'Enthaltene Steuern:',
    total: 'Gesamtbetrag',
    before: 'statt',
  },
}

/**
 * The items and the totals. On phones they are collapsed to the total unless `isOpen`: above the button that places the order, the
 * items have to be visible.
 */
export function summary(view: CheckoutView, isOpen = true, below: Html | null = null): Html {
  const { page, language } = view
  const words = texts[language]
  const { total } = page.session.snapshot.totals
  return html`<aside class="bought" aria-labelledby="bought">
<details${isOpen && html` open`}>
<summary><h2 id="bought">${page.session.status === 'completed' ? words.bought : words.title}</h2> <span class="amount">${money(view, total)}</span></summary>
${storesOf(view)}
${totals(view)}
</details>
${below}
</aside>`
}

function storesOf(view: CheckoutView): Html[] {
  const { stores, session } = view.page
  const byStore = Map.groupBy(session.snapshot.lines, ({ storeId }) => storeId)
  return stores.map(
    ({ id, name }) => html`${stores.length > 1 && html`<h3>${name}</h3>`}
<ul class="lines">
${(byStore.get(id) ?? []).map((line) => lineOf(view, line))}
</ul>
`,
  )
}

function lineOf(view: CheckoutView, line: QuoteLine): Html {
  const { name, image, optionLabels, quantity, unitPrice, subtotal, discountAllocations } = line
  const options = optionLabels.map((option) => `${option.name}: ${option.value}`).join(' · ')
  const off = discountAllocations.reduce((sum, { amount }) => sum + amount.amount, 0)
  const after: Money = { ...subtotal, amount: subtotal.amount - off }
  return html`<li>
${image ? html`<img src="${view.picture(image.url)}" alt="" width="64" height="64">` : html`<span class="no-picture" aria-hidden="true"></span>`}
<div><span class="thing">${name}</span>
${options && html`<span class="small">${options}</span>`}
<span class="small">${quantity} × ${money(view, unitPrice)}</span></div>
<div class="amount">${money(view, after)}${
    off > 0 && html`<br><span class="small">${texts[view.language].before} <s>${money(view, subtotal)}</s></span>`
  }</div>
</li>
`
}

function totals(view: CheckoutView): Html {
  const { page, language } = view
  const words = texts[language]
  const { itemsSubtotal, shipping, tax, total } = page.session.snapshot.totals
  const isEstimated = tax.status !== 'final' && ` (${words.estimated})`
  const shippingCosts = shipping && (shipping.amount === 0 ? words.free : money(view, shipping))
  const exemptions = exemptionNotes([...page.session.snapshot.lines, ...page.selectedShipping])
  return html`<dl class="totals">
<div><dt>${words.goods}</dt><dd>${money(view, itemsSubtotal)}</dd></div>
${discountsOf(view).map(({ title, amount }) => html`<div class="off"><dt>${title}</dt><dd>${money(view, negative(amount))}</dd></div>\n`)}
${page.requiresShipping && html`<div><dt>${words.shipping}</dt><dd>${shippingCosts ?? html`<span class="small">${words.shippingOpen}</span>`}</dd></div>`}
${shippingDiscountsOf(view).map(({ title, amount }) => html`<div class="off"><dt>${title}</dt><dd>${money(view, negative(amount))}</dd></div>\n`)}
${(tax.added.amount > 0 || exemptions.length > 0) && html`<div><dt>${words.tax}${isEstimated}</dt><dd>${money(view, tax.added)}</dd></div>`}
<div class="sum"><dt>${words.total}</dt><dd>${money(view, total)}</dd></div>
</dl>
${tax.amount.amount > tax.added.amount && html`<p class="small">${words.includes} ${money(view, { ...tax.amount, amount: tax.amount.amount - tax.added.amount })}${isEstimated}</p>`}
${exemptions.map((note) => html`<p class="small">${note}</p>`)}`
}

interface Discount {
  readonly title: string
  readonly amount: Money
}

/** The discount of each promotion, by title. */
function promotionsOf({ page, language }: CheckoutView): readonly (Discount & { readonly phase: string })[] {
  const { promotion, automaticPromotions } = page
  const { amount, title = texts[language].discount, phase = 'order', code } = promotion
  const byCode =
    promotion.status === 'applied' && amount ? [{ title: code ? `${title} (${code})` : title, phase, amount }] : []
  return [...byCode, ...automaticPromotions].filter((each) => each.amount.amount > 0)
}

function discountsOf(view: CheckoutView): readonly Discount[] {
  return promotionsOf(view).filter(({ phase }) => phase !== 'shipping')
}

function shippingDiscountsOf(view: CheckoutView): readonly Discount[] {
  return promotionsOf(view).filter(({ phase }) => phase === 'shipping')
}

function negative({ amount, currency }: Money): Money {
  return { amount: -amount, currency }
}
