import type { Address, Order as OrderResource, Totals } from '@vitrine/contract'
import { assert, present } from '../../kernel/assert.ts'
import { sum } from '../../kernel/money.ts'
import type { Environment } from '../../platform/http/handler.ts'
import type { DiscountAllocation, TaxLine } from '../pricing/index.ts'
import { fulfillmentStatusOf, paymentStatusOf } from './order-facts.ts'
import { type FactCommand, move, type OrderStatus, RECORDED_IN } from './order-machine.ts'
import type { Refund } from './refund.ts'

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

/** Work on the goods begins: from here on, somebody may be packing. */
export function beginProcessing(order: Order, occasion: Occasion): Order {
  const status = move(order.status, 'begin')
  return changed(order, occasion, { status }, 'processing', 'The order is being prepared.')
}

/**
 * A parcel was handed over. An order whose last units leave is complete; one that is on hold completes when it is
 * released.
 */
export function recordParcel(
  order: Order,
  parcel: Omit<Parcel, 'status' | 'dispatchedAt' | 'deliveredAt'>,
  occasion: Occasion,
): Order {
  admit(order, 'recordParcel')
  assert(!order.parcels.some(({ id }) => id === parcel.id), `parcel ${parcel.id} is recorded once`)
  assert(parcel.lines.length > 0, 'a parcel holds something')
  const lines = withUnits(order, parcel.lines, (units, quantity) => {
    assert(quantity <= fulfillableUnits(units), 'no more units leave than are left')
    return { ...units, fulfilled: units.fulfilled + quantity }
  })
  const dispatched: Parcel = { ...parcel, status: 'dispatched', dispatchedAt: occasion.now, deliveredAt: null }
  const parcels = [...order.parcels, dispatched]
  const text = `${countOf(parcel.lines)} handed over${parcel.carrier === null ? '' : ` to ${parcel.carrier}`}.`
  const begun = order.status === 'confirmed' ? move('confirmed', 'begin') : order.status
  const heldFrom = order.heldFrom === null ? null : 'processing'
  return completedWhereDone(
    changed(order, occasion, { lines, parcels, status: begun, heldFrom }, 'parcel_dispatched', text),
    occasion,
  )
}

/** A parcel arrived. */
export function recordDelivered(order: Order, parcelId: string, occasion: Occasion): Order {
  admit(order, 'recordDelivered')
  const parcel = parcelOf(order, parcelId)
  assert(parcel.status !== 'delivered', 'a parcel arrives once')
  const delivered: Parcel = { ...parcel, status: 'delivered', deliveredAt: occasion.now }
  const parcels = order.parcels.map((each) => (each === parcel ? delivered : each))
  return changed(order, occasion, { parcels }, 'parcel_delivered', `${countOf(parcel.lines)} delivered.`)
}

/** What is told of a parcel changed: another carrier or number, it failed, or is on its way again. */
export function recordParcelChanged(
  order: Order,
  change: Omit<Parcel, 'status' | 'lines' | 'dispatchedAt' | 'deliveredAt'> & {
    readonly status: 'dispatched' | 'failed'
  },
  occasion: Occasion,
): Order {
  admit(order, 'recordDelivered')
  const parcel = parcelOf(order, change.id)
  assert(parcel.status !== 'delivered', 'a parcel that arrived stays so')
  const parcels = order.parcels.map((each) => (each === parcel ? { ...parcel, ...change } : each))
  const hasFailed = change.status === 'failed' && parcel.status !== 'failed'
  const [code, text] = hasFailed
    ? (['parcel_failed', `${countOf(parcel.lines)} not delivered.`] as const)
    : (['parcel_changed', 'What is known of a parcel has changed.'] as const)
  return changed(order, occasion, { parcels }, code, text)
}

/** Units will not leave. An order without units left is canceled; one whose other units have all left is complete. */
export function recordCancelled(order: Order, units: readonly LineQuantity[], occasion: Occasion): Order {
  admit(order, 'recordCancelled')
  const lines = withUnits(order, units, (held, quantity) => {
    assert(quantity <= fulfillableUnits(held), 'no more units are canceled than are left')
    return { ...held, canceled: held.canceled + quantity }
  })
  const recorded = changed(order, occasion, { lines }, 'units_canceled', `${countOf(units)} canceled.`)
  if (lines.some((line) => currentUnits(line.units) > 0)) return completedWhereDone(recorded, occasion)
  const entry = entryOf(occasion, 'canceled', 'The order was canceled.')
  return { ...recorded, status: move(recorded.status, 'cancel'), timeline: [...recorded.timeline, entry] }
}

/** Units came back. */
export function recordReturned(order: Order, units: readonly LineQuantity[], occasion: Occasion): Order {
  admit(order, 'recordReturned')
  const lines = withUnits(order, units, (held, quantity) => {
    assert(quantity <= returnableUnits(held), 'no more units come back than have left')
    return { ...held, returned: held.returned + quantity }
  })
  return changed(order, occasion, { lines }, 'units_returned', `${countOf(units)} came back.`)
}

/**
 * Money is about to be given back: what `refundFor` worked out, under the reference of what it came of. Where the refund
 * of a reference has failed, it begins again with `refundTriedAgain`.
 */
export function refundBegun(
  order: Order,
  begun: { readonly reference: string; readonly kind: AdjustmentKind; readonly refund: Refund },
  occasion: Occasion,
): Order {
  const { reference, kind, refund } = begun
  assert(!order.adjustments.some((each) => each.reference === reference), `${reference} is refunded once`)
  assert(refund.amount > 0n, 'something is given back')
  assert(refund.amount <= moneyLeft(order.money), 'no more is given back than was charged')
  const lines = withUnits(order, refund.lines, (held, quantity) => {
    assert(quantity <= refundableUnits(held), 'no unit is refunded twice')
    return { ...held, refunded: held.refunded + quantity }
  })
  const shipping = order.shipping.map((each) => {
    const parts = refund.shipping.filter(({ storeId }) => storeId === each.storeId)
    return { ...each, refunded: each.refunded + sum(parts.map(({ total }) => total)) }
  })
  const money = { ...order.money, refundPending: order.money.refundPending + refund.amount }
  const adjustment: Adjustment = { reference, kind, amount: refund.amount, state: 'pending', at: occasion.now }
  const adjustments = [...order.adjustments, adjustment]
  return changed(order, occasion, { lines, shipping, money, adjustments }, 'refund_begun', 'A refund was asked for.')
}

/** The provider said what became of a refund. `unknown` holds the money back until somebody knows. */
export function refundSettled(
  order: Order,
  settled: { readonly reference: string; readonly outcome: RefundOutcome },
  occasion: Occasion,
): Order {
  const adjustment = adjustmentOf(order, settled.reference)
  if (adjustment.state === settled.outcome) return order
  assert(adjustment.state !== 'succeeded', 'money that was given back stays so')
  const [code, text] = SETTLED[settled.outcome]
  return changed(order, occasion, withState(order, adjustment, settled.outcome), code, text)
}

/** A refund that failed is asked for again: the same money for the same units. */
export function refundTriedAgain(order: Order, reference: string, occasion: Occasion): Order {
  const adjustment = adjustmentOf(order, reference)
  assert(adjustment.state === 'failed', 'only what has failed is tried again')
  return changed(
    order,
    occasion,
    withState(order, adjustment, 'pending'),
    'refund_begun',
    'The refund was asked for again.',
  )
}

/** The provider let go of money that it had only reserved. */
export function chargeVoided(order: Order, occasion: Occasion): Order {
  assert(order.money.charge === 'authorized', 'only a reservation is voided')
  const money: OrderMoney = { ...order.money, charge: 'voided' }
  return changed(order, occasion, { money }, 'payment_voided', 'The reserved money was let go.')
}

/** Nothing more leaves until somebody releases it. */
export function hold(order: Order, reason: string | null, occasion: Occasion): Order {
  const status = move(order.status, 'hold')
  const heldFrom = order.status === 'processing' ? 'processing' : 'confirmed'
  return changed(order, occasion, { status, heldFrom }, 'held', reason ?? 'The order was put on hold.')
}

/** Goes on where it was held. */
export function release(order: Order, occasion: Occasion): Order {
  const status = move(order.status, order.heldFrom === 'processing' ? 'resume' : 'release')
  const released = changed(order, occasion, { status, heldFrom: null }, 'released', 'The order goes on.')
  return completedWhereDone(released, occasion)
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

const SETTLED = {
  succeeded: ['refunded', 'The refund was paid out.'],
  failed: ['refund_failed', 'The refund was not taken. It will be asked for again.'],
  unknown: ['refund_unknown', 'What became of the refund is being looked up.'],
} as const

/** Which sum the money of a refund stands in. What failed is still owed, so it stays reserved. */
const SUM_OF_STATE = {
  pending: 'refundPending',
  failed: 'refundPending',
  unknown: 'unknown',
  succeeded: 'refunded',
} as const

function withState(order: Order, adjustment: Adjustment, state: Adjustment['state']) {
  const from = SUM_OF_STATE[adjustment.state]
  const to = SUM_OF_STATE[state]
  const left = { ...order.money, [from]: order.money[from] - adjustment.amount }
  const money: OrderMoney = { ...left, [to]: left[to] + adjustment.amount }
  const adjustments = order.adjustments.map((each) => (each === adjustment ? { ...adjustment, state } : each))
  return { money, adjustments }
}

function adjustmentOf(order: Order, reference: string): Adjustment {
  return present(
    order.adjustments.find((each) => each.reference === reference),
    `a refund of ${reference}`,
  )
}

function parcelOf(order: Order, parcelId: string): Parcel {
  return present(
    order.parcels.find(({ id }) => id === parcelId),
    `parcel ${parcelId} of ${order.id}`,
  )
}

function admit(order: Order, command: FactCommand): void {
  assert(admits(order, command), `${command} of an order that is ${order.status}`)
}

function completedWhereDone(order: Order, occasion: Occasion): Order {
  if (order.status !== 'processing' && order.status !== 'confirmed') return order
  if (order.lines.some(({ units }) => fulfillableUnits(units) > 0)) return order
  const begun = order.status === 'confirmed' ? move('confirmed', 'begin') : order.status
  const entry = entryOf(occasion, 'completed', 'Everything was handed over.')
  return { ...order, status: move(begun, 'complete'), timeline: [...order.timeline, entry] }
}

function withUnits(
  order: Order,
  wishes: readonly LineQuantity[],
  decide: (units: LineUnits, quantity: number) => LineUnits,
): readonly OrderLine[] {
  for (const { lineId, quantity } of wishes) {
    assert(quantity > 0, 'at least one unit')
    lineOf(order, lineId)
  }
  assert(new Set(wishes.map(({ lineId }) => lineId)).size === wishes.length, 'each line is named once')
  return order.lines.map((line) => {
    const wish = wishes.find(({ lineId }) => lineId === line.id)
    return wish === undefined ? line : { ...line, units: decide(line.units, wish.quantity) }
  })
}

function changed(order: Order, occasion: Occasion, change: Partial<Order>, code: string, text: string): Order {
  const updatedAt = occasion.now > order.updatedAt ? occasion.now : order.updatedAt
  const timeline = [...order.timeline, entryOf(occasion, code, text)]
  return { ...order, ...change, version: order.version + 1, updatedAt, timeline }
}

function entryOf({ now, actor }: Occasion, code: string, text: string): TimelineEntry {
  return { at: now, code, text, actor }
}

function countOf(lines: readonly LineQuantity[]): string {
  const units = lines.reduce((total, { quantity }) => total + quantity, 0)
  return units === 1 ? '1 unit was' : `${units} units were`
}
