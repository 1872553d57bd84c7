import type { Address, Order as Resource, Totals } from '@vitrine/contract'
import type { Environment } from '../../../kernel/environment.ts'
import type { DiscountAllocation, TaxLine } from '../../pricing/index.ts'
import type { OrderStatus } from './machine.ts'
import type {
  AcceptedDocument,
  Adjustment,
  AmountByStore,
  LineQuantity,
  Order,
  OrderLine,
  OrderMoney,
  OrderShipping,
  OrderSource,
  OrderTimelineEntry,
  Parcel,
  RefundedTax,
} from './order.ts'
import { EARLIER_ORDER_FACTS, type StoredEntry, timelineEntry } from './timeline.ts'

/** A row of an order, with its parts as JSON. CHECKs keep the integers in the range that JSON represents exactly. */
export interface OrderRow {
  readonly id: string
  readonly number: string
  readonly installation_id: string
  readonly environment: Environment
  readonly store_id: string | null
  readonly cart_id: string | null
  readonly session_id: string | null
  readonly charge_id: string | null
  readonly external_id: string | null
  readonly client_reference_id: string | null
  readonly metadata: Resource['metadata']
  readonly source: OrderSource
  readonly status: OrderStatus
  readonly held_from: Order['heldFrom']
  readonly version: number
  readonly currency: string
  readonly country: string
  readonly locale: string
  readonly customer_id: string | null
  readonly email: string
  readonly phone: string | null
  readonly shipping_address: Address | null
  readonly billing_address: Address | null
  readonly accepted_documents: readonly AcceptedDocument[]
  readonly totals: Totals
  readonly charge: OrderMoney['charge']
  readonly charged: bigint
  readonly refunded: bigint
  readonly refund_pending: bigint
  readonly unknown: bigint
  readonly disputed: bigint
  readonly placed_at: Date
  readonly created_at: Date
  readonly updated_at: Date
  readonly lines: readonly StoredLine[]
  readonly shipping: readonly StoredShipping[]
  readonly parcels: readonly StoredParcel[]
  readonly adjustments: readonly StoredAdjustment[]
  readonly timeline: readonly (StoredEntry & Pick<OrderTimelineEntry, 'storeIds'>)[]
}

interface StoredAllocation extends Omit<DiscountAllocation, 'amount'> {
  readonly amount: number
}
export interface StoredTax extends Omit<TaxLine, 'taxable' | 'amount'> {
  readonly taxable: number
  readonly amount: number
}
interface StoredPrices {
  readonly discountAllocations: readonly StoredAllocation[]
  readonly taxLines: readonly StoredTax[]
  readonly total: number
}
type StoredLine = Omit<OrderLine, 'unitPrice' | 'subtotal' | keyof StoredPrices> &
  StoredPrices & { readonly unitPrice: number; readonly subtotal: number }
type StoredShipping = Omit<OrderShipping, 'amount' | 'refunded' | keyof StoredPrices> &
  StoredPrices & { readonly amount: number; readonly refunded: number }
type StoredParcel = Omit<Parcel, 'dispatchedAt' | 'deliveredAt' | 'lines'> & {
  readonly dispatchedAt: string
  readonly deliveredAt: string | null
  readonly lines: readonly LineQuantity[]
}
type StoredRefundedTax = Omit<RefundedTax, 'taxable' | 'amount'> & { readonly taxable: number; readonly amount: number }
export type StoredAmounts = Readonly<Record<string, number>>
type StoredAdjustment = Omit<Adjustment, 'amount' | 'byStore' | 'taxes' | 'at'> & {
  readonly taxes: readonly StoredRefundedTax[]
  readonly amount: number
  readonly byStore: StoredAmounts | null
  readonly at: string
}

/** Maps a row to an order. */
export function orderOf(row: OrderRow): Order {
  return {
    id: row.id,
    number: row.number,
    installationId: row.installation_id,
    environment: row.environment,
    storeId: row.store_id,
    share: null,
    cartId: row.cart_id,
    sessionId: row.session_id,
    chargeId: row.charge_id,
    externalId: row.external_id,
    clientReferenceId: row.client_reference_id,
    metadata: row.metadata,
    source: row.source,
    status: row.status,
    heldFrom: row.held_from,
    version: row.version,
    currency: row.currency,
    country: row.country,
    locale: row.locale,
    customerId: row.customer_id,
    email: row.email,
    phone: row.phone,
    shippingAddress: row.shipping_address,
    billingAddress: row.billing_address,
    acceptedDocuments: row.accepted_documents,
    lines: row.lines.map((line) => ({
      ...line,
      ...pricesOf(line),
      unitPrice: BigInt(line.unitPrice),
      subtotal: BigInt(line.subtotal),
    })),
    shipping: row.shipping.map((each) => ({
      ...each,
      ...pricesOf(each),
      amount: BigInt(each.amount),
      refunded: BigInt(each.refunded),
    })),
    totals: row.totals,
    money: {
      charge: row.charge,
      charged: row.charged,
      refunded: row.refunded,
      refundPending: row.refund_pending,
      unknown: row.unknown,
      disputed: row.disputed,
    },
    parcels: row.parcels.map((parcel) => ({
      ...parcel,
      dispatchedAt: new Date(parcel.dispatchedAt),
      deliveredAt: parcel.deliveredAt === null ? null : new Date(parcel.deliveredAt),
    })),
    adjustments: row.adjustments.map((each) => ({
      ...each,
      amount: BigInt(each.amount),
      byStore: amountsOf(each.byStore),
      taxes: each.taxes.map((tax) => ({ ...tax, taxable: BigInt(tax.taxable), amount: BigInt(tax.amount) })),
      at: new Date(each.at),
    })),
    timeline: row.timeline.map((entry) => ({
      ...timelineEntry('orderTimeline', entry, EARLIER_ORDER_FACTS),
      storeIds: entry.storeIds,
    })),
    placedAt: row.placed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function pricesOf({ discountAllocations, taxLines, total }: StoredPrices) {
  return {
    discountAllocations: discountAllocations.map((each) => ({ ...each, amount: BigInt(each.amount) })),
    taxLines: taxLines.map((tax) => ({ ...tax, taxable: BigInt(tax.taxable), amount: BigInt(tax.amount) })),
    total: BigInt(total),
  }
}

/** Maps stored amounts by store. */
export function amountsOf(stored: StoredAmounts | null): AmountByStore | null {
  return stored && Object.fromEntries(Object.entries(stored).map(([storeId, amount]) => [storeId, BigInt(amount)]))
}
