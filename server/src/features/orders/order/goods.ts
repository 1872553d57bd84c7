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
  return changed(order, context, { status }, 'processing', 'The order is being prepared.')
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
  const text = `${countOf(parcel.lines)} handed over${parcel.carrier === null ? '' : ` to ${parcel.carrier}`}.`
  const begun = order.status === 'confirmed' ? move('confirmed', 'begin') : order.status
  const heldFrom = order.heldFrom === null ? null : 'processing'
  return completedWhereDone(
    changed(order, context, { lines, parcels, status: begun, heldFrom }, 'parcel_dispatched', text),
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
  return changed(order, context, { parcels }, 'parcel_delivered', `${countOf(parcel.lines)} delivered.`)
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
  const parcels = order.parcels.map((each) => (each === parcel ? { ...parcel, ...change } : each))
  const hasFailed = change.status === 'failed' && parcel.status !== 'failed'
  const [code, text] = hasFailed
    ? (['parcel_failed', `${countOf(parcel.lines)} not delivered.`] as const)
    : (['parcel_changed', 'The details of a parcel have changed.'] as const)
  return changed(order, context, { parcels }, code, text)
}

/** Cancels units. An order without units left is canceled; one whose other units are all dispatched is completed. */
export function recordCanceled(order: Order, units: readonly LineQuantity[], context: CommandContext): Order {
  admit(order, 'recordCanceled')
  const lines = withUnits(order, units, (held, quantity) => {
    assert(quantity <= fulfillableUnits(held), 'no more units are canceled than are fulfillable')
    return { ...held, canceled: held.canceled + quantity }
  })
  const recorded = changed(order, context, { lines }, 'units_canceled', `${countOf(units)} canceled.`)
  if (lines.some((line) => currentUnits(line.units) > 0)) return completedWhereDone(recorded, context)
  const entry = entryOf(context, 'canceled', 'The order was canceled.')
  return { ...recorded, status: move(recorded.status, 'cancel'), timeline: [...recorded.timeline, entry] }
}

/** Records returned units. */
export function recordReturned(order: Order, units: readonly LineQuantity[], context: CommandContext): Order {
  admit(order, 'recordReturned')
  const lines = withUnits(order, units, (held, quantity) => {
    assert(quantity <= returnableUnits(held), 'no more units are returned than were fulfilled')
    return { ...held, returned: held.returned + quantity }
  })
  return changed(order, context, { lines }, 'units_returned', `${countOf(units)} came back.`)
}

/** Stops dispatching until the order is released. */
export function hold(order: Order, reason: string | null, context: CommandContext): Order {
  const status = move(order.status, 'hold')
  const heldFrom = order.status === 'processing' ? 'processing' : 'confirmed'
  return changed(order, context, { status, heldFrom }, 'held', reason ?? 'The order was put on hold.')
}

/** Returns the order to the state it was held in. */
export function release(order: Order, context: CommandContext): Order {
  const status = move(order.status, order.heldFrom === 'processing' ? 'resume' : 'release')
  const released = changed(order, context, { status, heldFrom: null }, 'released', 'The order was released.')
  return completedWhereDone(released, context)
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

function completedWhereDone(order: Order, context: CommandContext): Order {
  if (order.status !== 'processing' && order.status !== 'confirmed') return order
  if (order.lines.some(({ units }) => fulfillableUnits(units) > 0)) return order
  const begun = order.status === 'confirmed' ? move('confirmed', 'begin') : order.status
  const entry = entryOf(context, 'completed', 'All items were handed over.')
  return { ...order, status: move(begun, 'complete'), timeline: [...order.timeline, entry] }
}
