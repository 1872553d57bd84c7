import type { OrderSummary, Order as Resource } from '@vitrine/contract'
import { wireMoney } from '../../../kernel/money.ts'
import type { SummaryRow } from './list.ts'
import { currentUnits, type Order, type OrderLine, type Parcel, refundableUnits } from './order.ts'
import { refundOf } from './refund-amounts.ts'
import { lineStatusOf, statusesOf } from './status.ts'
import { presentTimeline } from './timeline.ts'

/** The contract's maximum. The newest entries are shown. */
const TIMELINE_SHOWN_MAX = 500

/**
 * Presents an order. @see docs/reference/rules.md#resources
 *
 * @param locale the reader's, if it is not the shopper
 */
export function presentOrder(order: Order, locale = order.locale): Resource {
  const { currency, customerId, shippingAddress, billingAddress } = order
  return {
    id: order.id,
    number: order.number,
    ...statusesOf(order),
    placedAt: order.placedAt.toISOString(),
    currency,
    customer: { ...(customerId !== null && { id: customerId }), emailMasked: maskedEmail(order.email) },
    lines: order.lines.map((line) => presentLine(line, currency)),
    totals: order.totals,
    money: {
      charged: wireMoney(order.money.charged, currency),
      refunded: wireMoney(order.money.refunded, currency),
      refundPending: wireMoney(order.money.refundPending, currency),
      unknown: wireMoney(order.money.unknown, currency),
    },
    addresses: {
      ...(shippingAddress && { shipping: shippingAddress }),
      ...(billingAddress && { billing: billingAddress }),
    },
    fulfillments: order.parcels.map(presentParcel),
    adjustments: order.adjustments.map(({ kind, amount, at, reference }) => {
      return { kind, amount: wireMoney(amount, currency), at: at.toISOString(), reference }
    }),
    timeline: presentTimeline('orderTimeline', order.timeline.slice(-TIMELINE_SHOWN_MAX), locale),
    acceptedDocuments: [...order.acceptedDocuments],
    source: order.source,
    version: order.version,
    createdAt: order.createdAt.toISOString(),
    updatedAt: order.updatedAt.toISOString(),
  }
}

/** Presents a row of a list. */
export function presentSummary(row: SummaryRow): OrderSummary {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    paymentStatus: row.payment_status,
    fulfillmentStatus: row.fulfillment_status,
    placedAt: row.placed_at.toISOString(),
    currency: row.currency,
    total: wireMoney(row.total, row.currency),
    lineCount: row.line_count,
    version: row.version,
    updatedAt: row.updated_at.toISOString(),
  }
}

/** `ada@example.com` as `a…@example.com`: enough to recognize one's own. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, at)
  return `${first}…${email.slice(at)}`
}

function presentLine(line: OrderLine, currency: string): Resource['lines'][number] {
  const { units } = line
  return {
    id: line.id,
    ...(line.cartLineId !== null && { cartLineId: line.cartLineId }),
    skuId: line.skuId,
    name: line.name,
    quantity: {
      ordered: units.ordered,
      current: currentUnits(units),
      fulfilled: units.fulfilled,
      returned: units.returned,
    },
    unitPrice: wireMoney(line.unitPrice, currency),
    discountAllocations: line.discountAllocations.map(({ promotionId, code, title, amount }) => {
      return { promotionId, ...(code !== null && { code }), title, amount: wireMoney(amount, currency) }
    }),
    taxLines: line.taxLines.map((tax) => {
      return { ...tax, taxable: wireMoney(tax.taxable, currency), amount: wireMoney(tax.amount, currency) }
    }),
    total: wireMoney(line.total, currency),
    refundable: wireMoney(refundOf(line, refundableUnits(units)).total, currency),
    status: lineStatusOf(units),
  }
}

function presentParcel({
  status,
  carrier,
  trackingNumber,
  trackingUrl,
  lines,
}: Parcel): Resource['fulfillments'][number] {
  return {
    status,
    ...(carrier !== null && { carrier }),
    ...(trackingNumber !== null && { trackingNumber }),
    ...(trackingUrl !== null && { trackingUrl }),
    lines: lines.map(({ lineId, quantity }) => ({ lineId, quantity })),
  }
}
