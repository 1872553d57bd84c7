import type { Address, Order as OrderResource, Totals } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { DiscountAllocation, TaxLine } from '../pricing/index.ts'
import { fulfillmentStatusOf, paymentStatusOf } from './order-facts.ts'
import { type FactCommand, type OrderStatus, RECORDED_IN } from './order-machine.ts'

/** An order: what was bought, frozen, and what became of it. Amounts are minor units of its one currency. */
export interface Order {
  readonly id: string
  /** What people say: `V-10001`, or `T-10001` of the test environment. */
  readonly number: string
  readonly installationId: string
  readonly environment: Environment
  /** The installation's store, or `null` for the whole marketplace. Lines say which store sells them. */
  readonly storeId: string | null
  /** The checkout session that it came of. */
  readonly sessionId: string | null
  /** The payment intent that charged it. */
  readonly chargeId: string | null
  /** What another system calls it, where it was imported. */
  readonly externalId: string | null
  readonly source: OrderSource
  readonly status: OrderStatus
  /** Where a release leads back to; of orders on hold alone. */
  readonly heldFrom: 'confirmed' | 'processing' | null
  /** Grows by one with each change. */
  readonly version: number
  readonly currency: string
  readonly country: string
  readonly locale: string
  readonly customerId: string | null
  readonly email: string
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly acceptedDocuments: readonly AcceptedDocument[]
  /** In the order of the quote. */
  readonly lines: readonly OrderLine[]
  /** One for each store that ships. */
  readonly shipping: readonly OrderShipping[]
  /** As the quote said them. */
  readonly totals: Totals
  readonly money: OrderMoney
  readonly parcels: readonly Parcel[]
  readonly adjustments: readonly Adjustment[]
  /** The oldest first. Only ever added to. */
  readonly timeline: readonly TimelineEntry[]
  readonly placedAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type OrderSource = OrderResource['source']
export type AcceptedDocument = OrderResource['acceptedDocuments'][number]

export interface OrderLine {
  readonly id: string
  /** The line of the cart or quote that it was. */
  readonly cartLineId: string | null
  readonly skuId: string
  readonly productId: string | null
  readonly storeId: string
  readonly name: string
  readonly optionLabels: readonly { readonly name: string; readonly value: string }[]
  readonly unitPrice: bigint
  readonly subtotal: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  readonly taxLines: readonly TaxLine[]
  /** What the buyer paid for all units: subtotal − discounts + the tax that prices do not hold. */
  readonly total: bigint
  readonly units: LineUnits
}

/** canceled + fulfilled ≤ ordered; returned ≤ fulfilled; refunded ≤ ordered. */
export interface LineUnits {
  readonly ordered: number
  readonly canceled: number
  /** Handed over: to a carrier, or by mail. */
  readonly fulfilled: number
  readonly returned: number
  /** Whose money is given back, or about to be: a refund that failed is tried again and keeps its units. */
  readonly refunded: number
}

export interface OrderShipping {
  readonly storeId: string
  readonly optionId: string
  /** Whether the buyer chose it; otherwise the cheapest was preselected. */
  readonly chosen: boolean
  readonly amount: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  readonly taxLines: readonly TaxLine[]
  readonly total: bigint
  /** Of `total`; given back, or about to be. */
  readonly refunded: bigint
}

/** Four sums that never overlap: refunded + refundPending + unknown ≤ charged. */
export interface OrderMoney {
  /** What became of the payment itself. */
  readonly charge: 'pending' | 'authorized' | 'captured' | 'voided' | 'failed'
  readonly charged: bigint
  readonly refunded: bigint
  /** Asked back, or to be asked back again where the provider said no. */
  readonly refundPending: bigint
  /** Asked back, and nobody knows yet what became of it. */
  readonly unknown: bigint
}

export interface LineQuantity {
  readonly lineId: string
  /** At least 1. */
  readonly quantity: number
}

/** What was handed over together. */
export interface Parcel {
  readonly id: string
  /** `failed`: it came back or is gone. What it held counts as handed over until it is returned. */
  readonly status: 'dispatched' | 'delivered' | 'failed'
  readonly carrier: string | null
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
  readonly lines: readonly LineQuantity[]
  readonly dispatchedAt: Date
  readonly deliveredAt: Date | null
}

/** What is given back, and what became of that. One for each reference. */
export interface Adjustment {
  /** What it came of, such as `can_…` or `asr_…`. */
  readonly reference: string
  readonly kind: AdjustmentKind
  readonly amount: bigint
  readonly state: 'pending' | 'succeeded' | 'failed' | 'unknown'
  readonly at: Date
}
export type AdjustmentKind = OrderResource['adjustments'][number]['kind']
export type RefundOutcome = 'succeeded' | 'failed' | 'unknown'

export type TimelineEntry = Omit<OrderResource['timeline'][number], 'at'> & { readonly at: Date }
export type Actor = TimelineEntry['actor']

/** When something happens, and who does it. */
export interface Occasion {
  readonly now: Date
  readonly actor: Actor
}

/** Whether a fact can be recorded of an order in its state. */
export function admits(order: Pick<Order, 'status'>, command: FactCommand): boolean {
  return RECORDED_IN[command].includes(order.status)
}

/** What the buyer still wants: ordered, less canceled. */
export function currentUnits({ ordered, canceled }: LineUnits): number {
  return ordered - canceled
}

/** What has not left yet and is still wanted: can be handed over, or canceled. */
export function fulfillableUnits(units: LineUnits): number {
  return currentUnits(units) - units.fulfilled
}

/** What left and has not come back. */
export function returnableUnits({ fulfilled, returned }: LineUnits): number {
  return fulfilled - returned
}

/** Whose money has not been given back. */
export function refundableUnits({ ordered, refunded }: LineUnits): number {
  return ordered - refunded
}

/** What can still be given back. */
export function moneyLeft({ charged, refunded, refundPending, unknown }: OrderMoney): bigint {
  return charged - refunded - refundPending - unknown
}

/** The line of an order. There is one, because whoever asks has checked. */
export function lineOf(order: Order, lineId: string): OrderLine {
  return present(
    order.lines.find(({ id }) => id === lineId),
    `line ${lineId} of ${order.id}`,
  )
}

/** The three states as everybody reads them; two of them follow from money and units. */
export function statusesOf(order: Order) {
  return {
    status: order.status,
    paymentStatus: paymentStatusOf(order.money),
    fulfillmentStatus: fulfillmentStatusOf(order),
  }
}
