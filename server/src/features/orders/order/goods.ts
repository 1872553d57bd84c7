import { assert, present } from '../../../kernel/assert.ts'
import { changed, countOf, entryOf, withUnits } from './change.ts'
import { type FactCommand, move } from './machine.ts'
import {
  admits,
  type CommandContext,
  currentUnits,
  fulfillableUnits,
  type LineQuantity,
  type Order,
  type Parcel,
  returnableUnits,
} from './order.ts'

/** Starts preparing the order: units may be packed from now on. */
export function beginProcessing(order: Order, context: CommandContext): Order {
  const status = move(order.status, 'begin')
  return changed(order, context, { status }, { code: 'processing' })
}

/**
 * Records a dispatched parcel. An order whose last units are dispatched is completed; one on hold is completed when it is
 * released.
 */
export function recordParcel(
  order: Order,
  parcel: Omit<Parcel, 'status' | 'dispatchedAt' | 'deliveredAt'>,
  context: CommandContext,
): Order {
  admit(order, 'recordParcel')
  assert(!order.parcels.some(({ id }) => id === parcel.id), `parcel ${parcel.id} is recorded once`)
  assert(parcel.lines.length > 0, 'a parcel has lines')
  const lines = withUnits(order, parcel.lines, (units, quantity) => {
    assert(quantity <= fulfillableUnits(units), 'no more units are dispatched than are fulfillable')
    return { ...units, fulfilled: units.fulfilled + quantity }
  })
  const dispatched: Parcel = { ...parcel, status: 'dispatched', dispatchedAt: context.now, deliveredAt: null }
  const parcels = [...order.parcels, dispatched]
  const facts = { units: countOf(parcel.lines), carrier: parcel.carrier }
  const begun = order.status === 'confirmed' ? move('confirmed', 'begin') : order.status
  const heldFrom = order.heldFrom === null ? null : 'processing'
  return completedIfDone(
    changed(order, context, { lines, parcels, status: begun, heldFrom }, { code: 'parcel_dispatched', facts }),
    context,
  )
}

/** Records the delivery of a parcel. */
export function recordDelivered(order: Order, parcelId: string, context: CommandContext): Order {
  admit(order, 'recordDelivered')
  const parcel = parcelOf(order, parcelId)
  assert(parcel.status !== 'delivered', 'a parcel is delivered once')
  const delivered: Parcel = { ...parcel, status: 'delivered', deliveredAt: context.now }
  const parcels = order.parcels.map((each) => (each === parcel ? delivered : each))
  return changed(order, context, { parcels }, { code: 'parcel_delivered', facts: { units: countOf(parcel.lines) } })
}

/** Records a change of a parcel: another carrier or number, failed, or dispatched again. */
export function recordParcelChanged(
  order: Order,
  change: Omit<Parcel, 'status' | 'lines' | 'dispatchedAt' | 'deliveredAt'> & {
    readonly status: 'dispatched' | 'failed'
  },
  context: CommandContext,
): Order {
  admit(order, 'recordDelivered')
  const parcel = parcelOf(order, change.id)
  assert(parcel.status !== 'delivered', 'a delivered parcel does not change')
  // A parcel that is sent again is under way from now on: without a delivery report, its return window begins later.
  const isSentAgain = parcel.status === 'failed' && change.status === 'dispatched'
  const dispatchedAt = isSentAgain ? context.now : parcel.dispatchedAt
  const parcels = order.parcels.map((each) => (each === parcel ? { ...parcel, ...change, dispatchedAt } : each))
  const hasFailed = change.status === 'failed' && parcel.status !== 'failed'
  const note = hasFailed
    ? ({ code: 'parcel_failed', facts: { units: countOf(parcel.lines) } } as const)
    : ({ code: 'parcel_changed' } as const)
  return changed(order, context, { parcels }, note)
}

/** Cancels units. An order without units left is canceled; one whose other units are all dispatched is completed. */
export function recordCanceled(order: Order, units: readonly LineQuantity[], context: CommandContext): Order {
  admit(order, 'recordCanceled')
  const lines = withUnits(order, units, (held, quantity) => {
    assert(quantity <= fulfillableUnits(held), 'no more units are canceled than are fulfillable')
    return { ...held, canceled: held.canceled + quantity }
  })
  const recorded = changed(order, context, { lines }, { code: 'units_canceled', facts: { units: countOf(units) } })
  if (lines.some((line) => currentUnits(line.units) > 0)) return completedIfDone(recorded, context)
  const entry = entryOf(context, { code: 'canceled' })
  return { ...recorded, status: move(recorded.status, 'cancel'), timeline: [...recorded.timeline, entry] }
}

/** Records returned units. */
export function recordReturned(order: Order, units: readonly LineQuantity[], context: CommandContext): Order {
  admit(order, 'recordReturned')
  const lines = withUnits(order, units, (held, quantity) => {
    assert(quantity <= returnableUnits(held), 'no more units are returned than were fulfilled')
    return { ...held, returned: held.returned + quantity }
  })
  return changed(order, context, { lines }, { code: 'units_returned', facts: { units: countOf(units) } })
}

/** Records that units of a declined return go back to the buyer. */
export function recordReturnDeclined(order: Order, units: readonly LineQuantity[], context: CommandContext): Order {
  admit(order, 'recordReturned')
  const lines = withUnits(order, units, (held, quantity) => {
    assert(quantity <= held.returned, 'only returned units go back')
    return { ...held, returned: held.returned - quantity }
  })
  return changed(order, context, { lines }, { code: 'return_declined', facts: { units: countOf(units) } })
}

/** Stops dispatching until the order is released. */
export function hold(order: Order, reason: string | null, context: CommandContext): Order {
  const status = move(order.status, 'hold')
  const heldFrom = order.status === 'processing' ? 'processing' : 'confirmed'
  return changed(order, context, { status, heldFrom }, { code: 'held', facts: { reason } })
}

/** Returns the order to the state it was held in. */
export function release(order: Order, context: CommandContext): Order {
  const status = move(order.status, order.heldFrom === 'processing' ? 'resume' : 'release')
  const released = changed(order, context, { status, heldFrom: null }, { code: 'released' })
  return completedIfDone(released, context)
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

function completedIfDone(order: Order, context: CommandContext): Order {
  if (order.status !== 'processing' && order.status !== 'confirmed') return order
  if (order.lines.some(({ units }) => fulfillableUnits(units) > 0)) return order
  const begun = order.status === 'confirmed' ? move('confirmed', 'begin') : order.status
  const entry = entryOf(context, { code: 'completed' })
  return { ...order, status: move(begun, 'complete'), timeline: [...order.timeline, entry] }
}
