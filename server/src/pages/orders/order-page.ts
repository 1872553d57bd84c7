import { ACCOUNT_PATHS } from '../../features/accounts/index.ts'
import { addressLines, countryName } from '../../features/carts/index.ts'
import { lastDayOf } from '../../features/checkout/index.ts'
import { exemptionNotes } from '../../features/pricing/index.ts'
import { formatDate } from '../../kernel/format-date.ts'
import { type Html, type HtmlPage, html, lineBreaks, money } from '../toolkit/index.ts'
import { invoiceList } from './invoices.ts'
import { texts } from './texts.ts'
import type { OrderView } from './view.ts'

/** The page of an order: items, parcels, requests, and available actions. */
export function orderPage(view: OrderView, { isChanged = false } = {}): HtmlPage {
  const { order, shown, language, isGuest, at, link } = view
  const words = texts[language]
  const title = words.title(order.number)
  const main = html`<div class="split">
<div class="now">
${!isGuest && html`<p class="small"><a href="${link(ACCOUNT_PATHS.orders, order.environment === 'test' ? { environment: 'test' } : {})}">${words.all}</a></p>`}
${isChanged && html`<p class="note" role="status">${words.received}</p>`}
${order.environment === 'test' && html`<p class="note">${words.test}</p>`}
<h1>${title}</h1>
<p class="lead">${words.state[stateOf(view)]}</p>
<dl class="facts">
<div><dt>${words.placed}</dt><dd>${formatDate(view.locale, order.placedAt, view.timeZone)}</dd></div>
<div><dt>${words.payment}</dt><dd>${words.payments[shown.paymentStatus]}</dd></div>
${view.cancelBy && html`<div><dt>${words.cancelBy}</dt><dd>${possibleUntil(view, view.cancelBy)}</dd></div>`}
${view.returnBy && html`<div><dt>${words.kinds.return}</dt><dd>${possibleUntil(view, view.returnBy)}</dd></div>`}
</dl>
${
  (view.mayCancel || view.mayReturn) &&
  html`<div class="actions">
${view.mayCancel && html`<a class="button quiet" href="${at('/cancel')}">${words.cancel}</a>`}
${view.mayReturn && html`<a class="button quiet" href="${at('/return')}">${words.giveBack}</a>`}
</div>`
}
${parcels(view)}
${requests(view)}
${invoiceList(view)}
${delivery(view)}
${timeline(view)}
${documents(view)}
${contact(view)}
${isGuest && html`<p class="small"><a href="${link(ACCOUNT_PATHS.home)}">${words.account}</a></p>`}
</div>
${bought(view)}
</div>`
  const images = order.lines.flatMap(({ image }) => (image === null ? [] : [view.picture(image.url)]))
  return { kind: 'page', title, main, language, width: 'broad', images, stores: [...view.stores.keys()] }
}

const HOUR_MS = 3_600_000

/** The last day, or on that day the time left, because the time zone of the shopper is unknown. */
function possibleUntil({ language, locale, timeZone, now }: OrderView, end: Date): string {
  const words = texts[language]
  const hours = (end.getTime() - now.getTime()) / HOUR_MS
  if (hours > 24) return words.until(formatDate(locale, lastDayOf(end), timeZone))
  const [unit, count] =
    hours < 2 ? (['minute', Math.ceil(hours * 60)] as const) : (['hour', Math.floor(hours)] as const)
  return words.stillFor(new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
}

function stateOf({ shown }: OrderView): keyof (typeof texts)['en']['state'] {
  const { status, fulfillmentStatus, fulfillments } = shown
  if (status === 'canceled' || status === 'on_hold') return status
  if (fulfillmentStatus === 'delivered') return 'delivered'
  if (fulfillmentStatus === 'fulfilled') return 'on_its_way'
  if (fulfillmentStatus !== 'partially_fulfilled') return status
  // Such as a download of an order that is not shipped yet.
  return fulfillments.some((parcel) => parcel.status === 'dispatched') ? 'partly_on_its_way' : 'partly_delivered'
}

/** The items by store, and the totals. */
function bought(view: OrderView): Html {
  const { shown, stores, language } = view
  const words = texts[language]
  const byStore = Map.groupBy(shown.lines, ({ storeId }) => storeId)
  return html`<aside class="bought" aria-labelledby="items">
<details open>
<summary><h2 id="items">${words.items}</h2> <span class="amount">${money(view, shown.totals.total)}</span></summary>
${[...byStore].map(
  ([storeId, lines]) => html`<h3>${stores.get(storeId)?.name}</h3>
<ul class="lines">
${lines.map((line) => item(view, line))}
</ul>
`,
)}
</details>
${sums(view)}
</aside>`
}

function item(view: OrderView, line: OrderView['shown']['lines'][number]): Html {
  const { name, image, optionLabels, quantity, subtotal } = line
  const options = optionLabels.map((option) => `${option.name}: ${option.value}`).join(' · ')
  return html`<li>
${image ? html`<img src="${view.picture(image.url)}" alt="" width="64" height="64">` : html`<span class="no-picture" aria-hidden="true"></span>`}
<div><span class="thing">${name}</span>
${options && html`<span class="small">${options}</span>`}
<span class="small">${texts[view.language].units(quantity.ordered, quantity)}</span></div>
<div class="amount">${money(view, subtotal)}</div>
</li>
`
}

function sums(view: OrderView): Html {
  const { shown, language } = view
  const words = texts[language]
  const { itemsSubtotal, shipping, tax, total } = shown.totals
  const { refunded, refundPending, unknown } = shown.money
  const pending = { ...refundPending, amount: refundPending.amount + unknown.amount }
  const parts = [...shown.lines, ...shown.shipping].flatMap(({ discountAllocations }) => discountAllocations)
  const discounts = [...Map.groupBy(parts, ({ title }) => title)].map(([label, each]) => ({
    label,
    amount: { amount: -each.reduce((sum, { amount }) => sum + amount.amount, 0), currency: shown.currency },
  }))
  const row = (label: string, value: string, kind = '') =>
    html`<div class="${kind}"><dt>${label}</dt><dd>${value}</dd></div>\n`
  const included = { ...tax.amount, amount: tax.amount.amount - tax.added.amount }
  const exemptions = exemptionNotes([...shown.lines, ...shown.shipping])
  return html`<dl class="totals">
${row(words.subtotal, money(view, itemsSubtotal))}
${shipping && row(words.shipping, shipping.amount === 0 ? words.free : money(view, shipping))}
${discounts.filter(({ amount }) => amount.amount < 0).map(({ label, amount }) => row(label, money(view, amount), 'off'))}
${(tax.added.amount > 0 || exemptions.length > 0) && row(words.tax, money(view, tax.added))}
${row(words.total, money(view, total), 'sum')}
${refunded.amount > 0 && row(words.refunded, money(view, refunded))}
${pending.amount > 0 && row(words.refundPending, money(view, pending))}
</dl>
${included.amount > 0 && html`<p class="small">${words.includedTax} ${money(view, included)}</p>`}
${exemptions.map((note) => html`<p class="small">${note}</p>`)}`
}

function parcels(view: OrderView): Html | null {
  const { shown, language, stores } = view
  const words = texts[language]
  if (shown.fulfillments.length === 0) {
    const text = shown.totals.shipping === undefined ? words.noDelivery : words.noParcel
    return shown.status === 'canceled' ? null : html`<h2>${words.parcels}</h2>\n<p>${text}</p>`
  }
  return html`<h2>${words.parcels}</h2>
${shown.fulfillments.map(
  (
    parcel,
  ) => html`<h3>${words.parcel[parcel.status](formatDate(view.locale, parcel.deliveredAt ?? parcel.shippedAt ?? view.order.placedAt, view.timeZone))}</h3>
<p class="small">${stores.size > 1 && stores.get(parcel.storeId)?.name}</p>
${unitsList(view, parcel.lines)}
${
  (parcel.carrier || parcel.trackingNumber) &&
  html`<dl class="facts">
${parcel.carrier && html`<div><dt>${words.carrier}</dt><dd>${parcel.carrier}</dd></div>`}
${parcel.trackingNumber && html`<div><dt>${words.tracking}</dt><dd class="figure">${parcel.trackingNumber}</dd></div>`}
</dl>`
}
${parcel.trackingUrl && html`<p><a href="${parcel.trackingUrl}" rel="noreferrer">${words.track}</a></p>`}
`,
)}`
}

/** `2 × Mug` for each line. */
export function unitsList(
  { order }: Pick<OrderView, 'order'>,
  lines: readonly { readonly lineId: string; readonly quantity: number }[],
): Html {
  const names = new Map(order.lines.map(({ id, name }) => [id, name]))
  return html`<ul>
${lines.map(({ lineId, quantity }) => html`<li>${quantity} × ${names.get(lineId)}</li>\n`)}
</ul>`
}

function requests(view: OrderView): Html | null {
  const { shown, language } = view
  const words = texts[language]
  if (shown.cancellations.length + shown.afterSales.length === 0) return null
  return html`<h2>${words.requests}</h2>
${shown.cancellations.map(
  ({ status, lines, refund, declineReason }) => html`<h3>${words.cancellation[status]}</h3>
${unitsList(view, lines)}
${declineReason && html`<p>${declineReason}</p>`}
${status !== 'declined' && refund.amount.amount > 0 && html`<p>${words.refundOf(money(view, refund.amount))}</p>`}
`,
)}
${shown.afterSales.map(
  ({
    kind,
    status,
    lines,
    instructions,
    returnAddress,
    declineReason,
    deadlines,
    refund,
    refundEstimate,
  }) => html`<h3>${words.kinds[kind]}</h3>
<p>${words.request[status]}</p>
${unitsList(view, lines)}
${declineReason && html`<p>${declineReason}</p>`}
${isOpenOrCompleted(status) && instructions && html`<p class="note">${instructions}</p>`}
${isOpenOrCompleted(status) && returnAddress && html`<p><strong>${words.sendTo}</strong></p><address>${lineBreaks(returnAddress.split('\n'))}</address>`}
${status === 'awaiting_return' && deadlines.returnBy && html`<p><strong>${words.returnBy(formatDate(view.locale, deadlines.returnBy, view.timeZone))}</strong></p>`}
${deadlines.decideBy && html`<p>${words.decideBy(formatDate(view.locale, deadlines.decideBy, view.timeZone))}</p>`}
${isOpenOrCompleted(status) && refundEstimate.amount > 0 && html`<p>${words.refundOf(money(view, refund?.amount ?? refundEstimate))}</p>`}
`,
)}`
}

/** Whether a request has a result, or may still have one. Of the others, nothing is sent back and nothing is refunded. */
function isOpenOrCompleted(status: OrderView['shown']['afterSales'][number]['status']): boolean {
  return status !== 'declined' && status !== 'withdrawn' && status !== 'expired'
}

/** Anyone with the link sees where the parcel goes, but not how to contact the buyer. */
function delivery(view: OrderView): Html {
  const { shown, language, locale, isGuest, order } = view
  const words = texts[language]
  const { shipping, billing } = shown.addresses
  const lines = (address: NonNullable<typeof shipping>) =>
    isGuest
      ? [[address.postalCode, address.city].filter(Boolean).join(' '), countryName(locale, address.countryCode)]
      : addressLines(address, locale)
  const written = (address: NonNullable<typeof shipping>) => lineBreaks(lines(address))
  const methods = order.shipping.flatMap(({ name }) => (name === null ? [] : [name]))
  return html`<h2>${shown.totals.shipping === undefined ? words.reachedAt : words.delivery}</h2>
<dl class="facts">
${shipping && html`<div><dt>${words.shipTo}</dt><dd>${written(shipping)}</dd></div>`}
${!isGuest && billing && html`<div><dt>${words.billTo}</dt><dd>${written(billing)}</dd></div>`}
${methods.length > 0 && html`<div><dt>${words.method}</dt><dd>${[...new Set(methods)].join(', ')}</dd></div>`}
<div><dt>${words.email}</dt><dd>${isGuest ? shown.customer.emailMasked : shown.customer.email}</dd></div>
</dl>`
}

function timeline(view: OrderView): Html {
  return html`<h2>${texts[view.language].timeline}</h2>
<ul>
${view.shown.timeline
  .toReversed()
  .map(
    ({ at, text }) =>
      html`<li>${text}<br><span class="small">${formatDate(view.locale, at, view.timeZone)}</span></li>\n`,
  )}
</ul>`
}

function documents({ documents: accepted, language }: OrderView): Html | null {
  if (accepted.length === 0) return null
  return html`<h2>${texts[language].documents}</h2>
<ul>
${accepted.map(({ title, url }) => html`<li><a href="${url}">${title}</a></li>\n`)}
</ul>`
}

function contact({ stores, language }: OrderView): Html | null {
  const reachable = [...stores.values()].filter(({ contact: { email, phone, url } }) => email || phone || url)
  if (reachable.length === 0) return null
  return html`<h2>${texts[language].contact}</h2>
<ul>
${reachable.map(({ name, contact: { email, phone, url } }) => {
  const ways = [
    email && html`<a href="mailto:${email}">${email}</a>`,
    phone && html`<a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${phone}</a>`,
    url && html`<a href="${url}" rel="noreferrer">${new URL(url).hostname}</a>`,
  ].filter((way) => way !== '' && way !== undefined)
  return html`<li>${name}: ${ways.map((way, index) => html`${index > 0 && ' · '}${way}`)}</li>\n`
})}
</ul>`
}
