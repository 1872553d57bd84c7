import { InvalidLine } from '../../platform/line-files/invalid-line.ts'
import {
  fulfillableUnits,
  type LineQuantity,
  moneyLeft,
  type Occasion,
  type Order,
  type OrderLine,
  refundableUnits,
  returnableUnits,
} from './order.ts'
import { beginProcessing, hold, recordCancelled, recordDelivered, recordParcel, recordReturned } from './order-goods.ts'
import type { OrderLineForm, UnitsForm } from './order-line.ts'
import { refundBegun, refundSettled } from './order-money.ts'
import { refundFor } from './refund.ts'

type UnitsLeft = (line: OrderLine) => number

/** Does to an order from elsewhere what was done to it there, by the same commands. Throws `InvalidLine` where it cannot be. */
export function withPast(placed: Order, line: OrderLineForm, nextParcelId: () => string): Order {
  const steps = [canceled, sent, cameBack, givenBack, standing]
  const order = steps.reduce((each, step) => step(each, line, nextParcelId), placed)
  if (line.status !== undefined && line.status !== order.status) {
    throw new InvalidLine(`/status: what became of its units makes it ${order.status}, not ${line.status}.`)
  }
  // What happened elsewhere is no change that anybody here has missed.
  return { ...order, version: 1, timeline: order.timeline.toSorted((a, b) => a.at.getTime() - b.at.getTime()) }
}

function canceled(order: Order, line: OrderLineForm): Order {
  const all = line.status === 'canceled' && line.canceled === undefined
  const units = all ? left(order) : unitsOf(order, line.canceled, '/canceled', fulfillable)
  if (units.length === 0) return order
  return recordCancelled(order, units, at(line.canceledAt ?? line.placedAt, '/canceledAt'))
}

function sent(order: Order, line: OrderLineForm, nextParcelId: () => string): Order {
  const unknown = { carrier: null, trackingNumber: null, trackingUrl: null }
  if (line.status === 'completed' && line.parcels === undefined) {
    const lines = left(order)
    if (lines.length === 0) throw new InvalidLine('/status: nothing is left that could have been handed over.')
    const [id, occasion] = [nextParcelId(), at(line.placedAt, '/placedAt')]
    return recordDelivered(recordParcel(order, { id, ...unknown, lines }, occasion), id, occasion)
  }
  return (line.parcels ?? []).reduce((each, parcel, index) => {
    const pointer = `/parcels/${index}`
    const lines = unitsOf(each, parcel.lines, `${pointer}/lines`, fulfillable)
    const { carrier = null, trackingNumber = null, trackingUrl = null } = parcel
    const id = nextParcelId()
    const occasion = at(parcel.dispatchedAt, `${pointer}/dispatchedAt`)
    const dispatched = recordParcel(each, { id, carrier, trackingNumber, trackingUrl, lines }, occasion)
    if (parcel.deliveredAt === undefined) return dispatched
    const arrival = at(parcel.deliveredAt, `${pointer}/deliveredAt`)
    if (arrival.now < occasion.now) throw new InvalidLine(`${pointer}/deliveredAt: it arrived before it left.`)
    return recordDelivered(dispatched, id, arrival)
  }, order)
}

function cameBack(order: Order, line: OrderLineForm): Order {
  const units = unitsOf(order, line.returned, '/returned', ({ units }) => returnableUnits(units))
  if (units.length === 0) return order
  return recordReturned(order, units, at(line.returnedAt ?? line.placedAt, '/returnedAt'))
}

function givenBack(order: Order, line: OrderLineForm): Order {
  return (line.refunds ?? []).reduce((each, refund, index) => {
    const pointer = `/refunds/${index}`
    const { amount, reference = `refund-${index + 1}` } = refund
    if (BigInt(amount) > moneyLeft(each.money))
      throw new InvalidLine(`${pointer}/amount: more is given back than was paid.`)
    if (each.adjustments.some((known) => known.reference === reference)) {
      throw new InvalidLine(`${pointer}/reference: ${reference} is another refund of this order.`)
    }
    const units = unitsOf(each, refund.lines, `${pointer}/lines`, (held) => refundableUnits(held.units))
    const shippingOf = refund.shipping === true ? each.shipping.map(({ storeId }) => storeId) : []
    const parts = { ...refundFor(each, { units, shippingOf }), amount: BigInt(amount) }
    const occasion = at(refund.at, `${pointer}/at`)
    const begun = refundBegun(each, { reference, kind: 'refund', refund: parts }, occasion)
    return refundSettled(begun, { reference, outcome: 'succeeded' }, occasion)
  }, order)
}

/** As it stands where its units do not say it: being prepared, or held. */
function standing(order: Order, line: OrderLineForm): Order {
  const occasion = at(line.placedAt, '/placedAt')
  if (line.status === 'processing' && order.status === 'confirmed') return beginProcessing(order, occasion)
  const mayHold = order.status === 'confirmed' || order.status === 'processing'
  return line.status === 'on_hold' && mayHold ? hold(order, null, occasion) : order
}

const fulfillable: UnitsLeft = ({ units }) => fulfillableUnits(units)

/** Everything that has neither left nor was canceled. */
function left(order: Order): LineQuantity[] {
  const units = order.lines.map((line) => ({ lineId: line.id, quantity: fulfillableUnits(line.units) }))
  return units.filter(({ quantity }) => quantity > 0)
}

function unitsOf(order: Order, units: UnitsForm | undefined, pointer: string, most: UnitsLeft): LineQuantity[] {
  const wishes = (units ?? []).map(({ line: place, quantity }, index) => {
    const line = order.lines[place - 1]
    if (line === undefined) throw new InvalidLine(`${pointer}/${index}/line: it has no line ${place}.`)
    const max = most(line)
    if (quantity > max) throw new InvalidLine(`${pointer}/${index}/quantity: of line ${place}, ${max} units can be.`)
    return { lineId: line.id, quantity }
  })
  if (new Set(wishes.map(({ lineId }) => lineId)).size < wishes.length) {
    throw new InvalidLine(`${pointer}: each line is named once.`)
  }
  return wishes
}

/** A moment that the line tells of. */
export function momentOf(text: string, pointer: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new InvalidLine(`${pointer}: ${text} is no moment of RFC 3339.`)
  return time
}

function at(moment: string, pointer: string): Occasion {
  return { now: momentOf(moment, pointer), actor: 'system' }
}
