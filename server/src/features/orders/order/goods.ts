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

/** Work on the goods begins: from here on, somebody may be packing. */
export function beginProcessing(order: Order, context: CommandContext): Order {
  const status = move(order.status, 'begin')
  return changed(order, context, { status }, 'processing', 'The order is being prepared.')
}

/**
 * A parcel was handed over. An order whose last units leave is complete; one that is on hold completes when it is
 * released.
 */
export function recordParcel(
  order: Order,
  parcel: Omit<Parcel, 'status' | 'dispatchedAt' | 'deliveredAt'>,
  context: CommandContext,
): Order {
  admit(order, 'recordParcel')
  assert(!order.parcels.some(({ id }) => id === parcel.id), `parcel ${parcel.id} is recorded once`)
  assert(parcel.lines.length > 0, 'a parcel holds something')
  const lines = withUnits(order, parcel.lines, (units, quantity) => {
    assert(quantity <= fulfillableUnits(units), 'no more units leave than are left')
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

/** A parcel arrived. */
export function recordDelivered(order: Order, parcelId: string, context: CommandContext): Order {
  admit(order, 'recordDelivered')
  const parcel = parcelOf(order, parcelId)
  assert(parcel.status !== 'delivered', 'a parcel arrives once')
  const delivered: Parcel = { ...parcel, status: 'delivered', deliveredAt: context.now }
  const parcels = order.parcels.map((each) => (each === parcel ? delivered : each))
  return changed(order, context, { parcels }, 'parcel_delivered', `${countOf(parcel.lines)} delivered.`)
}

/** What is told of a parcel changed: another carrier or number, it failed, or is on its way again. */
export function recordParcelChanged(
  order: Order,
  change: Omit<Parcel, 'status' | 'lines' | 'dispatchedAt' | 'deliveredAt'> & {
    readonly status: 'dispatched' | 'failed'
  },
  context: CommandContext,
): Order {
  admit(order, 'recordDelivered')
  const parcel = parcelOf(order, change.id)
  assert(parcel.status !== 'delivered', 'a parcel that arrived stays so')
  const parcels = order.parcels.map((each) => (each === parcel ? { ...parcel, ...change } : each))
  const hasFailed = change.status === 'failed' && parcel.status !== 'failed'
  const [code, text] = hasFailed
    ? (['parcel_failed', `${countOf(parcel.lines)} not delivered.`] as const)
    : (['parcel_changed', 'What is known of a parcel has changed.'] as const)
  return changed(order, context, { parcels }, code, text)
}

/** Units will not leave. An order without units left is canceled; one whose other units have all left is complete. */
export function recordCanceled(order: Order, units: readonly LineQuantity[], context: CommandContext): Order {
  admit(order, 'recordCanceled')
  const lines = withUnits(order, units, (held, quantity) => {
    assert(quantity <= fulfillableUnits(held), 'no more units are canceled than are left')
    return { ...held, canceled: held.canceled + quantity }
  })
  const recorded = changed(order, context, { lines }, 'units_canceled', `${countOf(units)} canceled.`)
  if (lines.some((line) => currentUnits(line.units) > 0)) return completedWhereDone(recorded, context)
  const entry = entryOf(context, 'canceled', 'The order was canceled.')
  return { ...recorded, status: move(recorded.status, 'cancel'), timeline: [...recorded.timeline, entry] }
}

/** Units came back. */
export function recordReturned(order: Order, units: readonly LineQuantity[], context: CommandContext): Order {
  admit(order, 'recordReturned')
  const lines = withUnits(order, units, (held, quantity) => {
    assert(quantity <= returnableUnits(held), 'no more units come back than have left')
    return { ...held, returned: held.returned + quantity }
  })
  return changed(order, context, { lines }, 'units_returned', `${countOf(units)} came back.`)
}

/** Nothing more leaves until somebody releases it. */
export function hold(order: Order, reason: string | null, context: CommandContext): Order {
  const status = move(order.status, 'hold')
  const heldFrom = order.status === 'processing' ? 'processing' : 'confirmed'
  return changed(order, context, { status, heldFrom }, 'held', reason ?? 'The order was put on hold.')
}

/** Goes on where it was held. */
export function release(order: Order, context: CommandContext): Order {
  const status = move(order.status, order.heldFrom === 'processing' ? 'resume' : 'release')
  const released = changed(order, context, { status, heldFrom: null }, 'released', 'The order goes on.')
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
  const entry = entryOf(context, 'completed', 'Everything was handed over.')
  return { ...order, status: move(begun, 'complete'), timeline: [...order.timeline, entry] }
}
