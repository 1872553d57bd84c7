import type { Address } from '@vitrine/contract'
import { formatMoney } from '../../kernel/format-money.ts'
import { matchLocale } from '../../kernel/locale.ts'
import { sum } from '../../kernel/money.ts'
import { composeMail, type MailContent, type MailList, type MailRow, type NewMail } from '../../platform/mail/index.ts'
import { addressLines } from '../carts/index.ts'
import type { DiscountAllocation } from '../pricing/index.ts'
import type { AfterSales, Carriage } from './after-sales.ts'
import { type LineQuantity, lineOf, type Order } from './order.ts'
import type { OrderNews } from './order-mail-news.ts'
import { MAIL_LANGUAGES, type MailLanguage, type OrderMailWords, orderMailWords } from './order-mail-words.ts'

/** An order on its way into a mail: in which words, and how amounts and dates are written. */
interface Told {
  readonly order: Order
  readonly siteName: string
  readonly words: OrderMailWords
  /** The order's own where we have its language. */
  readonly locale: string
}

type Said = Pick<MailContent, 'title' | 'paragraphs' | 'lists' | 'action'>

/** Writes the mail of a piece of news, in the language of the order. The subject says what is a test. */
export function orderMail(order: Order, news: OrderNews, siteName: string): NewMail {
  const known = matchLocale([order.locale], MAIL_LANGUAGES) as MailLanguage | undefined
  const language = known ?? 'en'
  const words = orderMailWords[language]
  const said = saidOf(news, { order, siteName, words, locale: known === undefined ? language : order.locale })
  const isTest = order.environment === 'test'
  const bodies = composeMail({ language, siteName, ...said, closing: isTest ? [words.test.closing] : [] })
  const subject = isTest ? `[${words.test.mark}] ${said.title}` : said.title
  return { kind: `orders.${news.kind}`, recipient: order.email, locale: language, subject, bodies }
}

function saidOf(news: OrderNews, told: Told): Said {
  switch (news.kind) {
    case 'confirmed':
      return confirmed(news, told)
    case 'parcel':
      return parcelLeft(news, told)
    case 'canceled':
      return canceled(news, told)
    case 'refunded':
      return refunded(news, told)
    case 'requested':
    case 'approved':
    case 'declined':
      return aboutRequest(news, told)
    case 'sent':
      return sentInstead(news, told)
  }
}

type NewsOf<Kind extends OrderNews['kind']> = Extract<OrderNews, { readonly kind: Kind }>

function confirmed({ documents }: NewsOf<'confirmed'>, told: Told): Said {
  const { order, siteName, words } = told
  const { shippingAddress, billingAddress } = order
  const isBilledElsewhere = JSON.stringify(billingAddress) !== JSON.stringify(shippingAddress)
  const lines = order.lines.map((line) => ({
    label: labelOf(told, { lineId: line.id, quantity: line.units.ordered }),
    value: money(told, line.subtotal),
  }))
  return {
    title: words.confirmed.title(order.number),
    paragraphs: [words.confirmed.opening(siteName)],
    lists: [
      { heading: words.lines, rows: lines },
      { heading: words.sums.heading, rows: sumsOf(told) },
      ...addressList(told, words.shipTo, shippingAddress),
      ...(isBilledElsewhere ? addressList(told, words.billTo, billingAddress) : []),
      ...listOf(
        words.documents,
        documents.map(({ title, url }) => ({ label: title, url })),
      ),
    ],
  }
}

function parcelLeft({ parcel, isLast }: NewsOf<'parcel'>, told: Told): Said {
  const { order } = told
  const { title, opening, more, heading } = told.words.parcel
  return {
    title: title(order.number),
    paragraphs: [opening(parcel.carrier), ...(isLast ? [] : [more])],
    ...followed(told, parcel, { heading, rows: unitRows(told, parcel.lines) }),
  }
}

/** What is in a parcel, who carries it, and where it can be followed. */
function followed({ words }: Told, parcel: Carriage, goods: MailList): Pick<Said, 'lists' | 'action'> {
  const { number, carrier, tracking, track } = words.parcel
  const known = [
    ...(parcel.carrier === null ? [] : [{ label: carrier, value: parcel.carrier }]),
    ...(parcel.trackingNumber === null ? [] : [{ label: tracking, value: parcel.trackingNumber }]),
  ]
  return {
    lists: [goods, ...listOf(number, known)],
    ...(parcel.trackingUrl !== null && { action: { label: track, url: parcel.trackingUrl } }),
  }
}

function canceled({ units, refund }: NewsOf<'canceled'>, told: Told): Said {
  const { order } = told
  const { title, opening, refund: givenBack, heading } = told.words.canceled
  const isWhole = order.status === 'canceled'
  return {
    title: title(order.number, isWhole),
    paragraphs: [opening(isWhole), ...(refund > 0n ? [givenBack(money(told, refund))] : [])],
    lists: [{ heading, rows: unitRows(told, units) }],
  }
}

function refunded({ amount }: NewsOf<'refunded'>, told: Told): Said {
  const { title, opening, wait } = told.words.refunded
  const { number } = told.order
  return { title: title(number), paragraphs: [opening(money(told, amount), number), wait] }
}

function aboutRequest({ kind, request }: NewsOf<'requested' | 'approved' | 'declined'>, told: Told): Said {
  const { words, order } = told
  const { title, opening } = words.request[kind]
  return {
    title: title(order.number),
    paragraphs: [opening(words.request.kinds[request.kind]), ...detailsOf(kind, request, told)],
    lists: [{ heading: words.request.heading, rows: unitRows(told, request.lines) }],
  }
}

function sentInstead({ request, carriage }: NewsOf<'sent'>, told: Told): Said {
  const { kinds, heading, sent } = told.words.request
  return {
    title: sent.title(told.order.number),
    paragraphs: [sent.opening(kinds[request.kind], carriage.carrier)],
    ...followed(told, carriage, { heading, rows: unitRows(told, request.lines) }),
  }
}

function detailsOf(kind: 'requested' | 'approved' | 'declined', request: AfterSales, told: Told): readonly string[] {
  const { requested, approved } = told.words.request
  if (kind === 'requested') return [requested.decideBy(day(told, request.decideBy))]
  if (kind === 'declined') return request.declineReason === null ? [] : [request.declineReason]
  const { instructions = null, returnBy = null } = request.approval ?? {}
  return [
    ...(instructions === null ? [] : [instructions]),
    ...(returnBy === null ? [] : [approved.returnBy(day(told, returnBy))]),
  ]
}

/** From the goods to the total, each discount under its own name. */
function sumsOf(told: Told): readonly MailRow[] {
  const { order } = told
  const { sums } = told.words
  const { itemsSubtotal, shipping, tax, total } = order.totals
  const added = BigInt(tax.added.amount)
  const included = BigInt(tax.amount.amount) - added
  return [
    { label: sums.goods, value: money(told, BigInt(itemsSubtotal.amount)) },
    ...discounts(told, order.lines),
    ...(shipping === undefined
      ? []
      : [{ label: sums.shipping, value: shipping.amount === 0 ? sums.free : money(told, BigInt(shipping.amount)) }]),
    ...discounts(told, order.shipping),
    ...(added > 0n ? [{ label: sums.tax, value: money(told, added) }] : []),
    { label: sums.total, value: money(told, BigInt(total.amount)), isStrong: true },
    ...(included > 0n ? [{ label: sums.includedTax, value: money(told, included) }] : []),
  ]
}

function discounts(
  told: Told,
  parts: readonly { readonly discountAllocations: readonly DiscountAllocation[] }[],
): readonly MailRow[] {
  const allocations = parts.flatMap((part) => part.discountAllocations)
  return [...Map.groupBy(allocations, ({ title }) => title)].flatMap(([label, each]) => {
    const amount = sum(each.map((allocation) => allocation.amount))
    return amount === 0n ? [] : [{ label, value: money(told, -amount) }]
  })
}

function unitRows(told: Told, units: readonly LineQuantity[]): readonly MailRow[] {
  return units.map((each) => ({ label: labelOf(told, each) }))
}

/** `2 × Mug (Color: blue)` */
function labelOf({ order }: Told, { lineId, quantity }: LineQuantity): string {
  const { name, optionLabels } = lineOf(order, lineId)
  const options = optionLabels.map((option) => `${option.name}: ${option.value}`).join(', ')
  return options === '' ? `${quantity} × ${name}` : `${quantity} × ${name} (${options})`
}

function addressList({ locale }: Told, heading: string, address: Address | null): readonly MailList[] {
  if (address === null) return []
  return [{ heading, rows: addressLines(address, locale).map((label) => ({ label })) }]
}

function listOf(heading: string, rows: readonly MailRow[]): readonly MailList[] {
  return rows.length === 0 ? [] : [{ heading, rows }]
}

function money({ order, locale }: Told, amount: bigint): string {
  return formatMoney(locale, amount, order.currency)
}

function day({ locale }: Told, date: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}
