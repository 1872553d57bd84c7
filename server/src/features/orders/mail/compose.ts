import type { Address } from '@vitrine/contract'
import { formatMoney } from '../../../kernel/format-money.ts'
import { type Language, writingFor } from '../../../kernel/languages/languages.ts'
import { sum } from '../../../kernel/money.ts'
import {
  composeMail,
  type MailContent,
  type MailList,
  type MailRow,
  type NewMail,
} from '../../../platform/mail/index.ts'
import { addressLines } from '../../carts/index.ts'
import type { DiscountAllocation } from '../../pricing/index.ts'
import type { OrderLink } from '../link/link.ts'
import { type Carriage, type LineQuantity, lineOf, type Order } from '../order/order.ts'
import type { OrderNotification } from './notifications.ts'
import { type OrderMailTexts, orderMailTexts } from './texts.ts'

/** What a mail about an order is written with. */
export interface MailContext {
  readonly order: Order
  readonly siteName: string
  /** The order's language, or English where we have no texts in it. */
  readonly language: Language
  /** The order's locale, if we have texts in its language. Formats amounts and dates. */
  readonly locale: string
}

export type OrderMailContent = Pick<MailContent, 'title' | 'paragraphs' | 'lists' | 'action'>

/** A mail to the shopper of an order, written once its language is known. */
export interface OrderMail {
  /** Such as `orders.confirmed`. */
  readonly kind: string
  readonly content: (context: MailContext) => OrderMailContent
}

/** Composes a mail in the language of the order, with a link to its page. The subject marks test orders. */
export function composeOrderMail(
  order: Order,
  { kind, content }: OrderMail,
  { siteName, link }: { readonly siteName: string; readonly link: OrderLink | null },
): NewMail {
  const { language, locale } = writingFor(order.locale)
  const { test, page } = orderMailTexts[language]
  const context = { order, siteName, language, locale }
  const composed = content(context)
  const isTest = order.environment === 'test'
  const bodies = composeMail({
    language,
    siteName,
    ...composed,
    lists: [
      ...(composed.lists ?? []),
      ...(link === null ? [] : [{ heading: page.heading, rows: [{ label: page.label, url: link.url }] }]),
    ],
    closing: [
      ...(link === null ? [] : [page.until(formatMailDate(context, link.expiresAt))]),
      ...(isTest ? [test.closing] : []),
    ],
  })
  const subject = isTest ? `[${test.mark}] ${composed.title}` : composed.title
  return { kind, recipient: order.email, locale: language, subject, bodies, storeIds: storesOf(order) }
}

function storesOf({ lines }: Pick<Order, 'lines'>): readonly string[] {
  return [...new Set(lines.map(({ storeId }) => storeId))]
}

/** The mail of a notification. */
export function orderMail(notification: OrderNotification): OrderMail {
  return { kind: `orders.${notification.kind}`, content: (context) => contentOf(notification, context) }
}

function contentOf(notification: OrderNotification, context: MailContext): OrderMailContent {
  switch (notification.kind) {
    case 'confirmed':
      return confirmed(notification, context)
    case 'parcel':
      return parcelDispatched(notification, context)
    case 'canceled':
      return canceled(notification, context)
    case 'refunded':
      return refunded(notification, context)
  }
}

type NotificationOf<Kind extends OrderNotification['kind']> = Extract<OrderNotification, { readonly kind: Kind }>

function confirmed({ documents }: NotificationOf<'confirmed'>, context: MailContext): OrderMailContent {
  const { order } = context
  const words = textsOf(context)
  const { shippingAddress, billingAddress } = order
  const isBilledElsewhere = JSON.stringify(billingAddress) !== JSON.stringify(shippingAddress)
  const lines = order.lines.map((line) => ({
    label: labelOf(context, { lineId: line.id, quantity: line.units.ordered }),
    value: money(context, line.subtotal),
    image: line.image?.url,
  }))
  return {
    title: words.confirmed.title(order.number),
    paragraphs: [words.confirmed.opening],
    lists: [
      { heading: words.lines, rows: lines },
      { heading: words.sums.heading, rows: sumsOf(context) },
      ...addressList(context, words.shipTo, shippingAddress),
      ...(isBilledElsewhere ? addressList(context, words.billTo, billingAddress) : []),
      ...listOf(
        words.documents,
        documents.map(({ title, url }) => ({ label: title, url })),
      ),
    ],
  }
}

function parcelDispatched({ parcel, isLast }: NotificationOf<'parcel'>, context: MailContext): OrderMailContent {
  const { order } = context
  const { title, opening, more, heading } = textsOf(context).parcel
  return {
    title: title(order.number),
    paragraphs: [opening(parcel.carrier), ...(isLast ? [] : [more])],
    ...parcelDetails(context, parcel, { heading, rows: lineRows(context, parcel.lines) }),
  }
}

/** The contents, carrier and tracking of a parcel. */
export function parcelDetails(
  context: MailContext,
  parcel: Carriage,
  goods: MailList,
): Pick<OrderMailContent, 'lists' | 'action'> {
  const { number, carrier, tracking, track } = textsOf(context).parcel
  const known = [
    ...(parcel.carrier === null ? [] : [{ label: carrier, value: parcel.carrier }]),
    ...(parcel.trackingNumber === null ? [] : [{ label: tracking, value: parcel.trackingNumber }]),
  ]
  return {
    lists: [goods, ...listOf(number, known)],
    ...(parcel.trackingUrl !== null && { action: { label: track, url: parcel.trackingUrl } }),
  }
}

function canceled({ units, refund }: NotificationOf<'canceled'>, context: MailContext): OrderMailContent {
  const { order } = context
  const { title, opening, refund: givenBack, heading } = textsOf(context).canceled
  const isWhole = order.status === 'canceled'
  return {
    title: title(order.number, isWhole),
    paragraphs: [opening(isWhole), ...(refund > 0n ? [givenBack(money(context, refund))] : [])],
    lists: [{ heading, rows: lineRows(context, units) }],
  }
}

function refunded({ amount }: NotificationOf<'refunded'>, context: MailContext): OrderMailContent {
  const { title, opening, wait } = textsOf(context).refunded
  const { number } = context.order
  return { title: title(number), paragraphs: [opening(money(context, amount), number), wait] }
}

/** From the goods to the total, with one row per discount. */
function sumsOf(context: MailContext): readonly MailRow[] {
  const { order } = context
  const { sums } = textsOf(context)
  const { itemsSubtotal, shipping, tax, total } = order.totals
  const added = BigInt(tax.added.amount)
  const included = BigInt(tax.amount.amount) - added
  return [
    { label: sums.goods, value: money(context, BigInt(itemsSubtotal.amount)) },
    ...discounts(context, order.lines),
    ...(shipping === undefined
      ? []
      : [{ label: sums.shipping, value: shipping.amount === 0 ? sums.free : money(context, BigInt(shipping.amount)) }]),
    ...discounts(context, order.shipping),
    ...(added > 0n ? [{ label: sums.tax, value: money(context, added) }] : []),
    { label: sums.total, value: money(context, BigInt(total.amount)), isStrong: true },
    ...(included > 0n ? [{ label: sums.includedTax, value: money(context, included) }] : []),
  ]
}

function discounts(
  context: MailContext,
  parts: readonly { readonly discountAllocations: readonly DiscountAllocation[] }[],
): readonly MailRow[] {
  const allocations = parts.flatMap((part) => part.discountAllocations)
  return [...Map.groupBy(allocations, ({ title }) => title)].flatMap(([label, each]) => {
    const amount = sum(each.map((allocation) => allocation.amount))
    return amount === 0n ? [] : [{ label, value: money(context, -amount) }]
  })
}

export function lineRows(context: MailContext, units: readonly LineQuantity[]): readonly MailRow[] {
  return units.map((each) => ({ label: labelOf(context, each) }))
}

/** `2 × Mug (Color: blue)` */
function labelOf({ order }: MailContext, { lineId, quantity }: LineQuantity): string {
  const { name, optionLabels } = lineOf(order, lineId)
  const options = optionLabels.map((option) => `${option.name}: ${option.value}`).join(', ')
  return options === '' ? `${quantity} × ${name}` : `${quantity} × ${name} (${options})`
}

function addressList({ locale }: MailContext, heading: string, address: Address | null): readonly MailList[] {
  if (address === null) return []
  return [{ heading, rows: addressLines(address, locale).map((label) => ({ label })) }]
}

function listOf(heading: string, rows: readonly MailRow[]): readonly MailList[] {
  return rows.length === 0 ? [] : [{ heading, rows }]
}

function money({ order, locale }: MailContext, amount: bigint): string {
  return formatMoney(locale, amount, order.currency)
}

export function formatMailDate({ locale }: MailContext, date: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}

function textsOf({ language }: MailContext): OrderMailTexts {
  return orderMailTexts[language]
}
