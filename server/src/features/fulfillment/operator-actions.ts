import { isDeepStrictEqual } from 'node:util'
import { present } from '../../kernel/assert.ts'
import { refuse, refuseField } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { anyRequiresShipping } from '../catalog/index.ts'
import {
  type CommandContext,
  findOrderById,
  lineOf,
  lockOrderById,
  type Order,
  recordDelivered,
  recordParcel,
  recordParcelChanged,
  saveOrder,
} from '../orders/index.ts'
import { intentsOnceCaptured } from './begin.ts'
import {
  corrected,
  delivered,
  dispatched,
  type FulfillmentIntent,
  failed,
  type LineUnits,
  lost,
  nextPart,
  type PendingIntent,
  quantityOf,
  type SentIntent,
  sentAgain,
  split,
  summed,
} from './fulfillment.ts'
import { carriageOf, noteOf, type ShipmentDraft, shipmentOf } from './shipment.ts'
import { isPending } from './stop.ts'
import { intentsOf, orderOfIntent, saveFulfillment, saveSplit } from './store.ts'

/** A parcel to ship. */
export interface ParcelRequest extends ShipmentDraft {
  readonly orderId: string
  /** The store of the parcel. Required if several stores ship and no lines are given. */
  readonly storeId?: string | undefined
  /** Absent: all pending units of the store. */
  readonly lines?: readonly LineUnits[] | undefined
}

/** An order has at most 100 parcels. The last ones are reserved for mails with keys. */
const PARCELS_MAX = 80

/**
 * Ships a pending intent, as a whole or in part. Without a carrier, goods that need no shipping are delivered at once. The same
 * reference again returns the same parcel and ships nothing.
 *
 * Refusals: `not_found`, `validation_failed`, `state_conflict` (an order on hold, nothing left, too many parcels),
 * `name_taken` for the reference.
 */
export async function ship(tx: Transaction, request: ParcelRequest, context: EventContext): Promise<SentIntent> {
  const shipment = shipmentOf(request)
  const { order, intents } = await lockedOrder(tx, request.orderId)
  const known = intents.find((each) => 'shipment' in each && each.shipment.reference === shipment.reference)
  if (known) return sameParcel(known as SentIntent, request)

  if (order.status === 'on_hold') refuseState(order, 'on_hold', 'The order is on hold. Release it first.')
  if (order.parcels.length >= PARCELS_MAX)
    refuseState(order, 'too_many', `An order can have at most ${PARCELS_MAX} parcels.`)
  const owed = pendingIntentOf(order, intents, request)
  const units = request.lines ?? owed.lines
  const parts = split(owed, units, { id: context.ids.next('ful'), part: nextPart(intents, owed), now: context.now })
  const parcel = dispatched(parts.taken, shipment, context.now)

  saveSplit(tx, parts)
  saveFulfillment(tx, parcel)
  const shipped = recordParcel(order, parcelOf(parcel), byOperator(context))
  if (await isParcel(tx, order, parcel)) {
    await saveOrder(tx, order, shipped, context)
    return parcel
  }
  const received = delivered(parcel, context.now)
  saveFulfillment(tx, received)
  await saveOrder(tx, order, recordDelivered(shipped, received.id, byOperator(context)), context)
  return received
}

/** Refuses an invalid parcel of an order whose payment is only authorized, like `ship`, but before the payment is captured. */
export async function assertCanShip(reader: Reader, request: ParcelRequest, context: EventContext): Promise<void> {
  shipmentOf(request)
  const order = await findOrderById(reader, request.orderId)
  const owed = pendingIntentOf(order, await intentsOnceCaptured(reader, order, context), request)
  split(owed, request.lines ?? owed.lines, { id: owed.id, part: owed.part, now: context.now })
}

/** Whether the units are in transit. Goods without shipping, such as a gift card, arrive when they are handed over. */
async function isParcel(tx: Transaction, order: Order, { shipment, lines }: SentIntent): Promise<boolean> {
  if (shipment.carrier !== null || shipment.trackingNumber !== null || shipment.trackingUrl !== null) return true
  return anyRequiresShipping(
    tx,
    lines.map(({ lineId }) => lineOf(order, lineId).skuId),
  )
}

/** The parcel of a known reference, which must have the same lines. */
function sameParcel(known: SentIntent, { reference, lines, storeId }: ParcelRequest): SentIntent {
  // The parcel of another store: not even its id is shown.
  if (storeId !== undefined && storeId !== known.storeId) refuse('name_taken')
  const isSame = lines === undefined || isDeepStrictEqual(summed(lines), summed(known.lines))
  if (isSame) return known
  const message = `"${reference}" is the reference of another parcel of this order, ${known.id}.`
  refuse('name_taken', { faults: [{ field: 'reference', code: 'reference_taken', message }] })
}

/** The pending intent that the parcel takes its units from. */
function pendingIntentOf(
  order: Order,
  intents: readonly FulfillmentIntent[],
  { storeId, lines }: ParcelRequest,
): PendingIntent {
  const owed = intents
    .filter(isPending)
    .filter((each) => each.method === 'manual' && (storeId === undefined || each.storeId === storeId))
    .filter((each) => lines === undefined || lines.some(({ lineId }) => quantityOf(each.lines, lineId) > 0))
  const [only, another] = owed
  if (only === undefined) refuseState(order, 'too_many', 'None of these units is left to ship.')
  if (another !== undefined) {
    refuseField('storeId', 'ambiguous', 'Several stores ship this order. Select one.')
  }
  return only
}

function refuseState({ status, version }: Order, code: string, message: string): never {
  refuse('state_conflict', {
    conflict: { currentState: status, currentVersion: version },
    faults: [{ field: '', code, message }],
  })
}

/** Sends a failed parcel again, under its id. Refusals: `not_found`, `validation_failed`, `state_conflict`. */
export const sendAgain = parcelAction(carriageOf, sentAgain)

/** Marks a parcel as failed: it came back. Refusals: `not_found`, `validation_failed`, `state_conflict`. */
export const markFailed = parcelAction(noteOf, failed)

/** Marks a parcel whose location is unknown. Refusals: `not_found`, `validation_failed`, `state_conflict`. */
export const markLost = parcelAction(noteOf, lost)

/** Corrects the carrier or the tracking number. Refusals: `not_found`, `validation_failed`, `state_conflict`. */
export const correctParcel = parcelAction(carriageOf, corrected)

/** Marks a parcel as delivered. Refusals: `not_found`, `state_conflict`. */
export function markDelivered(tx: Transaction, intentId: string, context: EventContext): Promise<SentIntent> {
  return changeParcel(tx, intentId, context, delivered)
}

/** An action on one parcel. Its input is validated before anything is read. */
function parcelAction<Input, Valid>(
  validate: (input: Input) => Valid,
  change: (intent: FulfillmentIntent, valid: Valid, now: Date) => SentIntent,
) {
  return (tx: Transaction, intentId: string, input: Input, context: EventContext): Promise<SentIntent> => {
    const valid = validate(input)
    return changeParcel(tx, intentId, context, (intent, now) => change(intent, valid, now))
  }
}

async function changeParcel(
  tx: Transaction,
  intentId: string,
  context: EventContext,
  change: (intent: FulfillmentIntent, now: Date) => SentIntent,
): Promise<SentIntent> {
  const orderId = (await orderOfIntent(tx, intentId)) ?? refuse('not_found')
  const { order, intents } = await lockedOrder(tx, orderId)
  const intent = present(
    intents.find(({ id }) => id === intentId),
    'an intent stays with its order',
  )

  const parcel = change(intent, context.now)

  saveFulfillment(tx, parcel)
  await saveOrder(tx, order, withParcel(order, parcel, byOperator(context)), context)
  return parcel
}

/** Records the parcel's change on the order. */
function withParcel(order: Order, parcel: SentIntent, commandContext: CommandContext): Order {
  if (parcel.status === 'confirmed' || parcel.status === 'reconciled')
    return recordDelivered(order, parcel.id, commandContext)
  const { lines: _, ...details } = parcelOf(parcel)
  return recordParcelChanged(
    order,
    { ...details, status: parcel.status === 'failed' ? 'failed' : 'dispatched' },
    commandContext,
  )
}

/** A parcel as its order stores it. Both have the same id. */
export function parcelOf({ id, shipment, lines }: SentIntent) {
  const { carrier, trackingNumber, trackingUrl } = shipment
  return { id, carrier, trackingNumber, trackingUrl, lines }
}

function byOperator({ now }: EventContext): CommandContext {
  return { now, actor: 'operator' }
}

async function lockedOrder(
  tx: Transaction,
  orderId: string,
): Promise<{ readonly order: Order; readonly intents: readonly FulfillmentIntent[] }> {
  const order = await lockOrderById(tx, orderId)
  return { order, intents: await intentsOf(tx, orderId) }
}
