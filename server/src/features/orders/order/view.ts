import { ORDER_REQUESTS_MAX, type OrderSummary, type Order as Resource } from '@vitrine/contract'
import { wireMoney } from '../../../kernel/money.ts'
import type { Summary } from './list.ts'
import {
  currentUnits,
  lineOf,
  type Order,
  type OrderLine,
  type OrderShipping,
  type Parcel,
  refundableUnits,
} from './order.ts'
import { refundOf } from './refund-amounts.ts'
import { lineStatusOf, statusesOf } from './status.ts'
import { presentTimeline } from './timeline.ts'

/** The contract's maximum. The newest entries are shown. */
const TIMELINE_SHOWN_MAX = 500

/** The requests about an order, presented, oldest first. */
export type OrderRequests = Pick<Resource, 'cancellations' | 'afterSales'>

/**
 * Presents an order with its requests. @see docs/reference/rules.md#resources
 *
 * @param locale the locale of the reader, if that is not the shopper
 */
export function presentOrder(
  order: Order,
  { cancellations, afterSales }: OrderRequests,
  locale = order.locale,
): Resource {
  const { currency, customerId, phone, shippingAddress, billingAddress } = order
  return {
    id: order.id,
    number: order.number,
    ...statusesOf(order),
    placedAt: order.placedAt.toISOString(),
    currency,
    country: order.country,
    locale: order.locale,
    ...originOf(order),
    metadata: order.metadata,
    customer: {
      ...(customerId !== null && { id: customerId }),
      email: order.email,
      ...(phone !== null && { phone }),
      emailMasked: maskedEmail(order.email),
    },
    lines: order.lines.map((line) => presentLine(line, currency)),
    shipping: order.shipping.map((shipping) => presentShipping(shipping, currency)),
    totals: order.totals,
    money: {
      charged: wireMoney(order.money.charged, currency),
      refunded: wireMoney(order.money.refunded, currency),
      refundPending: wireMoney(order.money.refundPending, currency),
      unknown: wireMoney(order.money.unknown, currency),
      disputed: wireMoney(order.money.disputed, currency),
    },
    addresses: {
      ...(shippingAddress && { shipping: shippingAddress }),
      ...(billingAddress && { billing: billingAddress }),
    },
    fulfillments: order.parcels.map((parcel) => presentParcel(order, parcel)),
    cancellations: cancellations.slice(-ORDER_REQUESTS_MAX),
    afterSales: afterSales.slice(-ORDER_REQUESTS_MAX),
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

function originOf({ cartId, sessionId, clientReferenceId }: Order) {
  return {
    ...(cartId !== null && { cartId }),
    ...(sessionId !== null && { checkoutSessionId: sessionId }),
    ...(clientReferenceId !== null && { clientReferenceId }),
  }
}

/** Presents an order of a list. */
export function presentSummary(summary: Summary): OrderSummary {
  const { id, number, status, paymentStatus, fulfillmentStatus, currency, lines, version } = summary
  const { customerId, clientReferenceId } = summary
  return {
    id,
    number,
    status,
    paymentStatus,
    fulfillmentStatus,
    placedAt: summary.placedAt.toISOString(),
    currency,
    total: wireMoney(summary.total, currency),
    ...(customerId !== null && { customerId }),
    ...(clientReferenceId !== null && { clientReferenceId }),
    storeIds: [...new Set(summary.storeIds)],
    counts: { lines, units: summary.units },
    open: { cancellations: summary.openCancellations, afterSales: summary.openAfterSales },
    lineCount: lines,
    version,
    updatedAt: summary.updatedAt.toISOString(),
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
    ...(line.productId !== null && { productId: line.productId }),
    storeId: line.storeId,
    ...(line.code !== null && { code: line.code }),
    name: line.name,
    optionLabels: line.optionLabels.map((label) => ({ ...label })),
    ...(line.image !== null && { image: line.image }),
    quantity: {
      ordered: units.ordered,
      current: currentUnits(units),
      fulfilled: units.fulfilled,
      returned: units.returned,
      canceled: units.canceled,
    },
    unitPrice: wireMoney(line.unitPrice, currency),
    subtotal: wireMoney(line.subtotal, currency),
    ...presentPrices(line, currency),
    refundable: wireMoney(refundOf(line, refundableUnits(units)).total, currency),
    status: lineStatusOf(units),
  }
}

function presentShipping(shipping: OrderShipping, currency: string): Resource['shipping'][number] {
  const { storeId, optionId, name, amount } = shipping
  return {
    storeId,
    optionId,
    ...(name !== null && { name }),
    amount: wireMoney(amount, currency),
    ...presentPrices(shipping, currency),
  }
}

function presentPrices(
  { discountAllocations, taxLines, total }: Pick<OrderLine, 'discountAllocations' | 'taxLines' | 'total'>,
  currency: string,
) {
  return {
    discountAllocations: discountAllocations.map(({ promotionId, code, title, amount }) => {
      return { promotionId, ...(code !== null && { code }), title, amount: wireMoney(amount, currency) }
    }),
    taxLines: taxLines.map((tax) => {
      return { ...tax, taxable: wireMoney(tax.taxable, currency), amount: wireMoney(tax.amount, currency) }
    }),
    total: wireMoney(total, currency),
  }
}

function presentParcel(order: Order, parcel: Parcel): Resource['fulfillments'][number] {
  const { id, status, carrier, trackingNumber, trackingUrl, dispatchedAt, deliveredAt, lines } = parcel
  return {
    id,
    // A parcel has units of one store. An imported parcel may have several: it shows the store of its first line.
    storeId: lineOf(order, lines[0]?.lineId ?? '').storeId,
    status,
    ...(carrier !== null && { carrier }),
    ...(trackingNumber !== null && { trackingNumber }),
    ...(trackingUrl !== null && { trackingUrl }),
    shippedAt: dispatchedAt.toISOString(),
    ...(deliveredAt !== null && { deliveredAt: deliveredAt.toISOString() }),
    lines: lines.map(({ lineId, quantity }) => ({ lineId, quantity })),
  }
}
