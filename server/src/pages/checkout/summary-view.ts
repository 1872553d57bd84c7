import type { Money, QuoteLine } from '@vitrine/contract'
import { type Html, html, type Texts } from '../toolkit/index.ts'
import { money, type Shown } from './shown.ts'

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
    title: 'What you buy',
    bought: 'What you have bought',
    goods: 'Goods',
    discount: 'Discount',
    shipping: 'Shipping',
    shippingOpen: 'once we know where to',
    free: 'free',
    shippingDiscount: 'Off the shipping',
    tax: 'Tax',
    estimated: 'estimated',
    includes: 'Tax included:',
    total: 'Total',
    before: 'instead of',
  },
  de: {
    title: 'Was du kaufst',
    bought: 'Was du gekauft hast',
    goods: 'Waren',
    discount: 'Rabatt',
    shipping: 'Versand',
    shippingOpen: 'sobald wir wissen, wohin',
    free: 'kostenlos',
    shippingDiscount: 'Nachlass auf den Versand',
    tax: 'Steuer',
    estimated: 'geschätzt',
    includes: 'Enthaltene Steuer:',
    total: 'Summe',
    before: 'statt',
  },
}

/** From so many lines on, they are folded away until somebody wants to see them. */
const LINES_OPEN_MAX = 6

/** What is bought, and what it comes to. */
export function summary(shown: Shown): Html {
  const { page, language } = shown
  const words = texts[language]
  const { lines } = page.session.snapshot
  const { total } = page.session.snapshot.totals
  const isOpen = lines.length <= LINES_OPEN_MAX
  return html`<aside class="bought" aria-labelledby="bought">
<details${isOpen && html` open`}>
<summary><h2 id="bought">${page.session.status === 'completed' ? words.bought : words.title}</h2> <span class="amount">${money(shown, total)}</span></summary>
${listVisibleStores(shown)}
</details>
${totals(shown)}
</aside>`
}

function listVisibleStores(shown: Shown): Html[] {
  const { stores, session } = shown.page
  const byStore = Map.groupBy(session.snapshot.lines, ({ storeId }) => storeId)
  return stores.map(
    ({ id, name }) => html`${stores.length > 1 && html`<h3>${name}</h3>`}
<ul class="lines">
${(byStore.get(id) ?? []).map((line) => lineOf(shown, line))}
</ul>
`,
  )
}

function lineOf(shown: Shown, line: QuoteLine): Html {
  const { name, image, optionLabels, quantity, unitPrice, subtotal, discountAllocations } = line
  const options = optionLabels.map((option) => `${option.name}: ${option.value}`).join(' · ')
  const off = discountAllocations.reduce((sum, { amount }) => sum + amount.amount, 0)
  const after: Money = { ...subtotal, amount: subtotal.amount - off }
  return html`<li>
${image ? html`<img src="${shown.picture(image.url)}" alt="" width="64" height="64">` : html`<span class="no-picture" aria-hidden="true"></span>`}
<div><span class="thing">${name}</span>
${options && html`<span class="small">${options}</span>`}
<span class="small">${quantity} × ${money(shown, unitPrice)}</span></div>
<div class="amount">${money(shown, after)}${
    off > 0 && html`<br><span class="small">${texts[shown.language].before} <s>${money(shown, subtotal)}</s></span>`
  }</div>
</li>
`
}

function totals(shown: Shown): Html {
  const { page, language } = shown
  const words = texts[language]
  const { itemsSubtotal, shipping, tax, total } = page.session.snapshot.totals
  const isEstimated = tax.status !== 'final' && ` (${words.estimated})`
  const shippingCosts = shipping && (shipping.amount === 0 ? words.free : money(shown, shipping))
  return html`<dl class="totals">
<div><dt>${words.goods}</dt><dd>${money(shown, itemsSubtotal)}</dd></div>
${discountsOf(shown).map(({ title, amount }) => html`<div class="off"><dt>${title}</dt><dd>${money(shown, negative(amount))}</dd></div>\n`)}
<div><dt>${words.shipping}</dt><dd>${shippingCosts ?? html`<span class="small">${words.shippingOpen}</span>`}</dd></div>
${shippingDiscountsOf(shown).map(({ title, amount }) => html`<div class="off"><dt>${title}</dt><dd>${money(shown, negative(amount))}</dd></div>\n`)}
${tax.added.amount > 0 && html`<div><dt>${words.tax}${isEstimated}</dt><dd>${money(shown, tax.added)}</dd></div>`}
<div class="sum"><dt>${words.total}</dt><dd>${money(shown, total)}</dd></div>
</dl>
${tax.amount.amount > tax.added.amount && html`<p class="small">${words.includes} ${money(shown, { ...tax.amount, amount: tax.amount.amount - tax.added.amount })}${isEstimated}</p>`}`
}

interface Discount {
  readonly title: string
  readonly amount: Money
}

/** What promotions take off, each under its own name. */
function promotionsOf({ page, language }: Shown): readonly (Discount & { readonly phase: string })[] {
  const { promotion, automaticPromotions } = page
  const { amount, title = texts[language].discount, phase = 'order', code } = promotion
  const byCode =
    promotion.status === 'applied' && amount ? [{ title: code ? `${title} (${code})` : title, phase, amount }] : []
  return [...byCode, ...automaticPromotions].filter((each) => each.amount.amount > 0)
}

function discountsOf(shown: Shown): readonly Discount[] {
  return promotionsOf(shown).filter(({ phase }) => phase !== 'shipping')
}

function shippingDiscountsOf(shown: Shown): readonly Discount[] {
  return promotionsOf(shown).filter(({ phase }) => phase === 'shipping')
}

function negative({ amount, currency }: Money): Money {
  return { amount: -amount, currency }
}
