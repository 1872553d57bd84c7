import type { Address, Image, Order as OrderResource, Totals } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import type { Environment } from '../../../kernel/environment.ts'
import type { DiscountAllocation, TaxLine } from '../../pricing/index.ts'
import { type FactCommand, type OrderStatus, RECORDED_IN } from './machine.ts'
import type { Actor, TimelineEntry } from './timeline.ts'

/** An order: the frozen purchase and its progress. Amounts are minor units of its currency. */
export interface Order {
  readonly id: string
  /** The order number: `V-10001`, or `T-10001` in the test environment. */
  readonly number: string
  readonly installationId: string
  readonly environment: Environment
  /** The store of all lines, or `null` if they belong to several. */
  readonly storeId: string | null
  /** The store whose share this is, and the whole order. `null`: this is the whole order. @see shareOf */
  readonly share: { readonly storeId: string; readonly whole: Order } | null
  readonly cartId: string | null
  /** The checkout session that created it. */
  readonly sessionId: string | null
  /** The payment intent that charged it. */
  readonly chargeId: string | null
  /** Its id in the system it was imported from. */
  readonly externalId: string | null
  /** The caller's reference and metadata, from the checkout. */
  readonly clientReferenceId: string | null
  readonly metadata: OrderResource['metadata']
  readonly source: OrderSource
  readonly status: OrderStatus
  /** The status that a release returns to. Orders on hold only. */
  readonly heldFrom: 'confirmed' | 'processing' | null
  /** Increases by one with each change. */
  readonly version: number
  readonly currency: string
  readonly country: string
  readonly locale: string
  readonly customerId: string | null
  readonly email: string
  readonly phone: string | null
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly acceptedDocuments: readonly AcceptedDocument[]
  /** In the order of the quote. */
  readonly lines: readonly OrderLine[]
  /** One per store that ships. */
  readonly shipping: readonly OrderShipping[]
  /** As quoted. */
  readonly totals: Totals
  readonly money: OrderMoney
  readonly parcels: readonly Parcel[]
  readonly adjustments: readonly Adjustment[]
  /** Oldest first. Append-only. */
  readonly timeline: readonly OrderTimelineEntry[]
  readonly placedAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type OrderSource = OrderResource['source']
export type AcceptedDocument = OrderResource['acceptedDocuments'][number]

export interface OrderLine {
  readonly id: string
  /** The line of the cart. */
  readonly cartLineId: string | null
  readonly skuId: string
  readonly productId: string | null
  readonly storeId: string
  /** The code of the SKU. */
  readonly code: string | null
  readonly name: string
  readonly optionLabels: readonly { readonly name: string; readonly value: string }[]
  readonly image: Image | null
  readonly unitPrice: bigint
  readonly subtotal: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  readonly taxLines: readonly TaxLine[]
  /** What the buyer paid for all units: subtotal − discounts + tax not included in prices. */
  readonly total: bigint
  readonly units: LineUnits
}

/** canceled + fulfilled ≤ ordered; returned ≤ fulfilled; refunded ≤ ordered. */
export interface LineUnits {
  readonly ordered: number
  readonly canceled: number
  /** Dispatched to a carrier, or sent by mail. */
  readonly fulfilled: number
  readonly returned: number
  /** Refunded, or about to be. A failed refund keeps its units, because it is retried. */
  readonly refunded: number
}

export interface OrderShipping {
  readonly storeId: string
  readonly optionId: string
  /** In the locale of the order. */
  readonly name: string | null
  /** Whether the buyer chose it; otherwise the cheapest was preselected. */
  readonly chosen: boolean
  readonly amount: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  readonly taxLines: readonly TaxLine[]
  readonly total: bigint
  /** Part of `total` that is refunded, or about to be. */
  readonly refunded: bigint
}

/** Four amounts that never overlap: refunded + refundPending + unknown ≤ charged. */
export interface OrderMoney {
  /** Status of the payment itself. */
  readonly charge: 'pending' | 'authorized' | 'captured' | 'voided' | 'failed'
  readonly charged: bigint
  readonly refunded: bigint
  /** Requested, or to be requested again because the provider declined. */
  readonly refundPending: bigint
  /** Requested, with an unknown outcome. */
  readonly unknown: bigint
  /** The sum of open and lost disputes, which the buyer's bank may take back or has taken back. At most `charged`. */
  readonly disputed: bigint
}

export interface LineQuantity {
  readonly lineId: string
  /** At least 1. */
  readonly quantity: number
}

/** Units that were handed over together. */
export interface Parcel {
  readonly id: string
  /** `failed`: it was returned to sender or lost. Its units count as fulfilled until they are returned. */
  readonly status: 'dispatched' | 'delivered' | 'failed'
  readonly carrier: string | null
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
  readonly lines: readonly LineQuantity[]
  readonly dispatchedAt: Date
  readonly deliveredAt: Date | null
}

/** Carrier and tracking of a parcel. */
export type Carriage = Pick<Parcel, 'carrier' | 'trackingNumber' | 'trackingUrl'>

/** A refund and its state. One per reference. */
export interface Adjustment {
  /** The id of its cause, such as `can_…` or `asr_…`. */
  readonly reference: string
  readonly kind: AdjustmentKind
  readonly amount: bigint
  /** The amount per store. `null`: the order has one store, or the refund has neither units nor shipping. */
  readonly byStore: AmountByStore | null
  /** The tax in the amount. All refunds of an order together refund exactly the tax that was charged. */
  readonly taxes: readonly RefundedTax[]
  readonly state: 'pending' | 'succeeded' | 'failed' | 'unknown'
  readonly at: Date
}
/** The tax of a store in a refund, with the members of a tax line. */
export interface RefundedTax
  extends Pick<TaxLine, 'name' | 'rate' | 'category' | 'taxable' | 'amount' | 'country' | 'exemption' | 'source'> {
  readonly storeId: string
}
export type AdjustmentKind = OrderResource['adjustments'][number]['kind']
export type RefundOutcome = 'succeeded' | 'failed' | 'unknown'

/** An entry of the timeline, with the stores that it is about. `null`: the order as a whole. */
export type OrderTimelineEntry = TimelineEntry<'orderTimeline'> & { readonly storeIds: readonly string[] | null }

/** Minor units by store id. */
export type AmountByStore = Readonly<Record<string, bigint>>

/** The time and the actor of a command. */
export interface CommandContext {
  readonly now: Date
  readonly actor: Actor
}

/** The stores of some lines, in the order of their first lines. */
export function storesOf({ lines }: { readonly lines: readonly { readonly storeId: string }[] }): readonly string[] {
  return [...new Set(lines.map(({ storeId }) => storeId))]
}

/** Whether a fact can be recorded in the order's status. */
export function admits(order: Pick<Order, 'status'>, command: FactCommand): boolean {
  return RECORDED_IN[command].includes(order.status)
}

/** Ordered units that were not canceled. */
export function currentUnits({ ordered, canceled }: LineUnits): number {
  return ordered - canceled
}

/** Units that are neither fulfilled nor canceled. */
export function fulfillableUnits(units: LineUnits): number {
  return currentUnits(units) - units.fulfilled
}

/** Fulfilled units that were not returned. */
export function returnableUnits({ fulfilled, returned }: LineUnits): number {
  return fulfilled - returned
}

/** Units that were not refunded. */
export function refundableUnits({ ordered, refunded }: LineUnits): number {
  return ordered - refunded
}

/** Whether the order was placed with a payment that is reserved or on its way. A pending payment elsewhere does not count. */
export function isUnpaid({ money: { charge }, chargeId }: Pick<Order, 'money' | 'chargeId'>): boolean {
  return charge === 'authorized' || (charge === 'pending' && chargeId !== null)
}

/** Whether an adjustment is the uncaptured part of an authorization. It was never charged, so it is not paid back. */
export function isRelease({ kind }: Pick<Adjustment, 'kind'>): boolean {
  return kind === 'release'
}

/** The amount that can still be refunded. */
export function moneyLeft({ charged, refunded, refundPending, unknown, disputed }: OrderMoney): bigint {
  const left = charged - refunded - refundPending - unknown - disputed
  // A refund may have been in progress when the dispute was opened.
  return left > 0n ? left : 0n
}

/** The line of an order. Callers have checked that it exists. */
export function lineOf(order: Order, lineId: string): OrderLine {
  return present(
    order.lines.find(({ id }) => id === lineId),
    `line ${lineId} of ${order.id}`,
  )
}
