import type { Address } from '@vitrine/contract'
import { formatDate } from '../../../kernel/format-date.ts'
import { formatMoney } from '../../../kernel/format-money.ts'
import { type Language, writingFor } from '../../../kernel/languages/languages.ts'
import { type DefaultWords, fillWords } from '../../../kernel/languages/mail-words.ts'
import { sum } from '../../../kernel/money.ts'
import {
  composeMail,
  type EditedWords,
  type MailContent,
  type MailList,
  type MailRow,
  type NewMail,
  wordsInForce,
} from '../../../platform/mail/index.ts'
import { addressLines } from '../../carts/index.ts'
import { type DiscountAllocation, exemptionNotes, type TaxLine } from '../../pricing/index.ts'
import { INVOICES_ANCHOR, type OrderLink } from '../link/link.ts'
import { type Carriage, type LineQuantity, lineOf, type Order, type OrderLine, storesOf } from '../order/order.ts'
import { attachedOf, isForBusiness } from './attached.ts'
import type { OrderNotification } from './notifications.ts'
import { type OrderMailKind, type OrderMailTexts, orderMailTexts, orderMailWords } from './texts.ts'

/** The input of a mail about an order. */
export interface MailContext {
  readonly order: Order
  readonly siteName: string
  /** The order's language, or English if we have no texts in it. */
  readonly language: Language
  /** The order's locale, if we have texts in its language. Formats amounts and dates. */
  readonly locale: string
  /** That of the sellers, for days. */
  readonly timeZone: string
}

/** The content of a mail besides its editable words. */
type OrderMailContent = Pick<MailContent, 'lists' | 'action' | 'payment'> & {
  /** Values of the placeholders that only this kind of mail has. */
  readonly values?: Readonly<Record<string, string>>
  /** Paragraphs after the introduction that depend on what happened. */
  readonly details?: readonly string[]
}

/** A mail to the shopper of an order. Its content is composed once its language is known. */
export interface OrderMail {
  /** Such as `orders.confirmed`. */
  readonly kind: string
  /** The default words, for shops that have not edited them. */
  readonly words: DefaultWords
  readonly content: (context: MailContext) => OrderMailContent
  /** The reference of a refund, if the mail is about one. */
  readonly reference?: string
}

/** The placeholders of every mail about an order. */
export const ORDER_PLACEHOLDERS = [
  'site.name',
  'customer.name',
  'order.number',
  'order.date',
  'order.total',
] as const satisfies readonly string[]

/** The frame around the content of a mail. */
interface OrderMailFrame {
  readonly siteName: string
  readonly timeZone: string
  readonly link: OrderLink | null
  /** The words that an operator has edited. */
  readonly edited?: readonly EditedWords[]
  /** Whether the sellers of the order issue invoices. */
  readonly issuesInvoices?: boolean
}

/** The document that is issued with the change that a mail reports. */
const ISSUED: Readonly<Record<string, keyof OrderMailTexts['issued']>> = {
  'orders.confirmed': 'invoice',
  'orders.paid': 'invoice',
  'orders.refunded': 'creditNote',
}

/** Composes a mail in the language of the order, with a link to its page. The subject marks test orders. */
export function composeOrderMail(
  order: Order,
  { kind, words, content, reference }: OrderMail,
  { siteName, timeZone, link, edited = [], issuesInvoices = false }: OrderMailFrame,
): NewMail {
  const { language, locale } = writingFor(order.locale)
  const { test, issued } = orderMailTexts[language]
  const context = { order, siteName, language, locale, timeZone }
  const { values, details = [], lists = [], action, payment } = content(context)
  const storeIds = storesOf(order)
  const inForce = wordsInForce(edited, { kind, language, storeIds }) ?? words[language]
  const filled = fillWords(inForce, { ...valuesOf(context), ...values })
  const isTest = order.environment === 'test'
  const online = link && linkInMail(link, context)
  const button = action ?? online?.action
  const document = issuesInvoices && order.money.charged > 0n ? ISSUED[kind] : undefined
  const bodies = composeMail({
    language,
    siteName,
    title: filled.title,
    paragraphs: [...filled.paragraphs, ...details],
    farewell: filled.farewell,
    ...(payment && { payment }),
    ...(button && { action: button }),
    lists: [
      ...lists,
      ...(link !== null && document !== undefined
        ? [
            {
              heading: issued[document].heading,
              rows: [{ label: issued[document].label, url: `${link.url}#${INVOICES_ANCHOR}` }],
            },
          ]
        : []),
      ...(online === null || button === online.action ? [] : [online.list]),
    ],
    closing: [...(online === null ? [] : [online.validity]), ...(isTest ? [test.closing] : [])],
  })
  const subject = isTest ? `[${test.mark}] ${filled.subject}` : filled.subject
  const attached = document !== undefined && isForBusiness(order) ? { attached: attachedOf(order, reference) } : {}
  return { kind, recipient: order.email, locale: language, subject, bodies, storeIds, ...attached }
}

/** The button or the list that opens the page of an order, and the small print about how long the link works. */
export function linkInMail(
  { url, expiresAt }: OrderLink,
  { language, locale, timeZone }: Pick<MailContext, 'language' | 'locale' | 'timeZone'>,
) {
  const { button, heading, label, until } = orderMailTexts[language].page
  return {
    action: { label: button, url },
    list: { heading, rows: [{ label, url }] },
    validity: until(formatDate(locale, expiresAt, timeZone)),
  }
}

function valuesOf(context: MailContext): Readonly<Record<(typeof ORDER_PLACEHOLDERS)[number], string>> {
  const { order, siteName } = context
  const { shippingAddress, billingAddress, number, email, placedAt, totals } = order
  return {
    'site.name': siteName,
    'customer.name': (shippingAddress ?? billingAddress)?.recipientName ?? email,
    'order.number': number,
    'order.date': formatDate(context.locale, placedAt, context.timeZone),
    'order.total': money(context, BigInt(totals.total.amount)),
  }
}

/** The mail of a notification. */
export function orderMail(notification: OrderNotification): OrderMail {
  const kind = kindOf(notification)
  const content = (context: MailContext) => contentOf(notification, context)
  const { reference } = notification.kind === 'refunded' ? notification : {}
  return { kind, words: orderMailWords[kind], content, ...(reference && { reference }) }
}

function kindOf(notification: OrderNotification): OrderMailKind {
  if (notification.kind !== 'canceled') return `orders.${notification.kind}`
  return notification.isWhole ? 'orders.canceled' : 'orders.canceled_in_part'
}

function contentOf(notification: OrderNotification, context: MailContext): OrderMailContent {
  switch (notification.kind) {
    case 'confirmed':
    case 'received':
      return confirmed(notification, context)
    case 'parcel':
      return parcelDispatched(notification, context)
    case 'canceled':
      return canceled(notification, context)
    case 'refunded':
      return refunded(notification, context)
    case 'paid':
      return { values: { 'payment.amount': money(context, notification.amount) } }
  }
}

type NotificationOf<Kind extends OrderNotification['kind']> = OrderNotification extends infer Each
  ? Each extends { readonly kind: infer Kinds }
    ? Kind extends Kinds
      ? Each
      : never
    : never
  : never

function confirmed({ documents }: NotificationOf<'confirmed'>, context: MailContext): OrderMailContent {
  const { order } = context
  const words = textsOf(context)
  const { shippingAddress, billingAddress } = order
  const isBilledElsewhere = JSON.stringify(billingAddress) !== JSON.stringify(shippingAddress)
  const lines = order.lines.map((line) => ({
    ...goodsRow(line.units.ordered, line),
    value: money(context, line.subtotal),
  }))
  return {
    lists: [
      { heading: words.lines, rows: lines },
      { heading: words.sums.heading, rows: sumsOf(context) },
      {
        heading: words.order.heading,
        rows: [
          { label: words.order.number, value: order.number },
          { label: words.order.date, value: formatDate(context.locale, order.placedAt, context.timeZone) },
        ],
      },
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
  const { more, heading, anyCarrier } = textsOf(context).parcel
  return {
    values: { 'parcel.carrier': parcel.carrier ?? anyCarrier },
    details: isLast ? [] : [more],
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

function canceled({ units, refund, isUnpaid }: NotificationOf<'canceled'>, context: MailContext): OrderMailContent {
  const { refund: givenBack, unpaid, heading } = textsOf(context).canceled
  return {
    details: isUnpaid ? [unpaid] : refund > 0n ? [givenBack(money(context, refund))] : [],
    lists: [{ heading, rows: lineRows(context, units) }],
  }
}

function refunded({ amount }: NotificationOf<'refunded'>, context: MailContext): OrderMailContent {
  return { values: { 'refund.amount': money(context, amount) }, details: [textsOf(context).refunded.wait] }
}

/** The rows from the subtotal to the total, with one row per discount and per tax rate. */
function sumsOf(context: MailContext): readonly MailRow[] {
  const { order } = context
  const { sums } = textsOf(context)
  const { itemsSubtotal, shipping, total } = order.totals
  return [
    { label: sums.goods, value: money(context, BigInt(itemsSubtotal.amount)) },
    ...discounts(context, order.lines),
    ...(shipping === undefined
      ? []
      : [
          {
            label: sums.shipping,
            details: order.shipping.flatMap(({ name }) => name ?? []),
            value: shipping.amount === 0 ? sums.free : money(context, BigInt(shipping.amount)),
          },
        ]),
    ...discounts(context, order.shipping),
    ...taxes(context, { included: false }),
    ...exemptions(context),
    { label: sums.total, value: money(context, BigInt(total.amount)), isStrong: true },
    ...taxes(context, { included: true }),
  ]
}

/** One row per tax name and rate, or a single row if the tax lines do not add up to the total, as in imported orders. */
function taxes(context: MailContext, { included }: { readonly included: boolean }): readonly MailRow[] {
  const { order } = context
  const { sums } = textsOf(context)
  const { added, amount } = order.totals.tax
  const expected = BigInt(included ? amount.amount - added.amount : added.amount)
  if (expected === 0n) return []
  const lines = [...order.lines, ...order.shipping].flatMap((part) => part.taxLines)
  const ofKind = lines.filter((tax) => tax.included === included && tax.amount !== 0n)
  if (sum(ofKind.map((tax) => tax.amount)) !== expected) {
    return [{ label: included ? sums.includedTax : sums.tax, value: money(context, expected) }]
  }
  return [...Map.groupBy(ofKind, (tax) => taxName(context, tax))].map(([name, each]) => ({
    label: included ? sums.including(name) : name,
    value: money(context, sum(each.map((tax) => tax.amount))),
  }))
}

/** A row with a tax of zero and the reason, if the order has exemptions. */
function exemptions(context: MailContext): readonly MailRow[] {
  const { lines, shipping } = context.order
  const details = exemptionNotes([...lines, ...shipping])
  return details.length === 0 ? [] : [{ label: textsOf(context).sums.tax, details, value: money(context, 0n) }]
}

/** `VAT 19%` */
function taxName({ locale }: MailContext, { name, rate }: TaxLine): string {
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 })
  return `${name} ${percent.format(rate as Intl.StringNumericLiteral)}`
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
  return units.map(({ lineId, quantity }) => goodsRow(quantity, lineOf(context.order, lineId)))
}

/** `2 × Mug`, with its options and picture. */
export function goodsRow(
  quantity: number,
  { name, optionLabels, image }: Pick<OrderLine, 'name' | 'optionLabels' | 'image'>,
): MailRow {
  return {
    label: `${quantity} × ${name}`,
    details: optionLabels.map((option) => `${option.name}: ${option.value}`),
    image: image?.url,
  }
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

function textsOf({ language }: MailContext): OrderMailTexts {
  return orderMailTexts[language]
}
