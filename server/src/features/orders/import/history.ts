import { InvalidLine } from '../../../platform/line-files/invalid-line.ts'
import { beginProcessing, hold, recordCanceled, recordDelivered, recordParcel, recordReturned } from '../order/goods.ts'
import { refundBegun, refundSettled } from '../order/money.ts'
import {
  type CommandContext,
  fulfillableUnits,
  type LineQuantity,
  moneyLeft,
  type Order,
  type OrderLine,
  refundableUnits,
  returnableUnits,
} from '../order/order.ts'
import { refundFor } from '../order/refund-amounts.ts'
import type { OrderLineForm, UnitsForm } from './line-schema.ts'

type UnitsLeft = (line: OrderLine) => number

/** Applies the history of an imported order with the usual commands. Throws `InvalidLine` for an impossible history. */
export function withHistory(placed: Order, line: OrderLineForm, nextParcelId: () => string): Order {
  const steps = [withCancellation, withParcels, withReturns, withRefunds, withStatus]
  const order = steps.reduce((each, step) => step(each, line, nextParcelId), placed)
  if (line.status !== undefined && line.status !== order.status) {
    throw new InvalidLine(`/status: by its units, the order is ${order.status}, not ${line.status}.`)
  }
  // The history counts as one version: no client has seen the steps.
  return { ...order, version: 1, timeline: order.timeline.toSorted((a, b) => a.at.getTime() - b.at.getTime()) }
}

function withCancellation(order: Order, line: OrderLineForm): Order {
  const all = line.status === 'canceled' && line.canceled === undefined
  const units = all ? remainingUnits(order) : unitsOf(order, line.canceled, '/canceled', fulfillable)
  if (units.length === 0) return order
  return recordCanceled(order, units, at(line.canceledAt ?? line.placedAt, '/canceledAt'))
}

function withParcels(order: Order, line: OrderLineForm, nextParcelId: () => string): Order {
  const unknown = { carrier: null, trackingNumber: null, trackingUrl: null }
  if (line.status === 'completed' && line.parcels === undefined) {
    const lines = remainingUnits(order)
    if (lines.length === 0) throw new InvalidLine('/status: no unit is left that could have been dispatched.')
    const [id, context] = [nextParcelId(), at(line.placedAt, '/placedAt')]
    return recordDelivered(recordParcel(order, { id, ...unknown, lines }, context), id, context)
  }
  return (line.parcels ?? []).reduce((each, parcel, index) => {
    const pointer = `/parcels/${index}`
    const lines = unitsOf(each, parcel.lines, `${pointer}/lines`, fulfillable)
    const { carrier = null, trackingNumber = null, trackingUrl = null } = parcel
    const id = nextParcelId()
    const context = at(parcel.dispatchedAt, `${pointer}/dispatchedAt`)
    const dispatched = recordParcel(each, { id, carrier, trackingNumber, trackingUrl, lines }, context)
    if (parcel.deliveredAt === undefined) return dispatched
    const arrival = at(parcel.deliveredAt, `${pointer}/deliveredAt`)
    if (arrival.now < context.now) throw new InvalidLine(`${pointer}/deliveredAt: is before dispatchedAt.`)
    return recordDelivered(dispatched, id, arrival)
  }, order)
}

function withReturns(order: Order, line: OrderLineForm): Order {
  const units = unitsOf(order, line.returned, '/returned', ({ units }) => returnableUnits(units))
  if (units.length === 0) return order
  return recordReturned(order, units, at(line.returnedAt ?? line.placedAt, '/returnedAt'))
}

function withRefunds(order: Order, line: OrderLineForm): Order {
  return (line.refunds ?? []).reduce((each, refund, index) => {
    const pointer = `/refunds/${index}`
    const { amount, reference = `refund-${index + 1}` } = refund
    if (BigInt(amount) > moneyLeft(each.money))
      throw new InvalidLine(`${pointer}/amount: the refunds exceed what was paid.`)
    if (each.adjustments.some((known) => known.reference === reference)) {
      throw new InvalidLine(`${pointer}/reference: ${reference} is the reference of another refund of this order.`)
    }
    const units = unitsOf(each, refund.lines, `${pointer}/lines`, (held) => refundableUnits(held.units))
    const shippingOf = refund.shipping === true ? each.shipping.map(({ storeId }) => storeId) : []
    const parts = { ...refundFor(each, { units, shippingOf }), amount: BigInt(amount) }
    const context = at(refund.at, `${pointer}/at`)
    const begun = refundBegun(each, { reference, kind: 'refund', refund: parts }, context)
    return refundSettled(begun, { reference, outcome: 'succeeded' }, context)
  }, order)
}

/** Applies a status that does not follow from the units: `processing` or `on_hold`. */
function withStatus(order: Order, line: OrderLineForm): Order {
  const context = at(line.placedAt, '/placedAt')
  if (line.status === 'processing' && order.status === 'confirmed') return beginProcessing(order, context)
  const mayHold = order.status === 'confirmed' || order.status === 'processing'
  return line.status === 'on_hold' && mayHold ? hold(order, null, context) : order
}

const fulfillable: UnitsLeft = ({ units }) => fulfillableUnits(units)

/** All units that are neither dispatched nor canceled. */
function remainingUnits(order: Order): LineQuantity[] {
  const units = order.lines.map((line) => ({ lineId: line.id, quantity: fulfillableUnits(line.units) }))
  return units.filter(({ quantity }) => quantity > 0)
}

function unitsOf(order: Order, units: UnitsForm | undefined, pointer: string, most: UnitsLeft): LineQuantity[] {
  const parsed = (units ?? []).map(({ line: place, quantity }, index) => {
    const line = order.lines[place - 1]
    if (line === undefined) throw new InvalidLine(`${pointer}/${index}/line: there is no line ${place}.`)
    const max = most(line)
    if (quantity > max) throw new InvalidLine(`${pointer}/${index}/quantity: line ${place} allows at most ${max}.`)
    return { lineId: line.id, quantity }
  })
  if (new Set(parsed.map(({ lineId }) => lineId)).size < parsed.length) {
    throw new InvalidLine(`${pointer}: list each line once.`)
  }
  return parsed
}

/** Parses a time of the line. */
export function momentOf(text: string, pointer: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new InvalidLine(`${pointer}: ${text} is not an RFC 3339 date-time.`)
  return time
}

function at(moment: string, pointer: string): CommandContext {
  return { now: momentOf(moment, pointer), actor: 'system' }
}
