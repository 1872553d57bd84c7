import { present } from '../../kernel/assert.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import {
  lockOrderById,
  type Occasion,
  type Order,
  recordDelivered,
  recordParcel,
  recordParcelChanged,
  saveOrder,
} from '../orders/index.ts'
import {
  corrected,
  delivered,
  dispatched,
  failed,
  type Intent,
  type LineUnits,
  lost,
  nextPart,
  type PendingIntent,
  quantityOf,
  type SentIntent,
  sentAgain,
  split,
} from './fulfilment.ts'
import { FulfilmentError } from './fulfilment-error.ts'
import { intentsOf, orderOfIntent, saveIntent, saveSplit } from './fulfilment-store.ts'
import { type CarriageDraft, carriageOf, noteOf, type ShipmentDraft, shipmentOf } from './shipment.ts'
import { isPending } from './stop.ts'

/** A parcel that the operator hands to a carrier. */
export interface ParcelWish extends ShipmentDraft {
  readonly orderId: string
  /** Whose parcel it is; needed where several stores ship and no lines are named. */
  readonly storeId?: string | undefined
  /** Everything that the store has left, where absent. */
  readonly lines?: readonly LineUnits[] | undefined
}

/** Orders keep at most 100 parcels; the last ones are left for what we mail. */
const PARCELS_MAX = 80

/**
 * Ships what is owed, as a whole or in part. The same reference again answers the same parcel and ships nothing.
 *
 * @throws FulfilmentError `not_found`, `invalid`, `wrong_state` of an order on hold, `reference_taken`, `ambiguous`,
 *   `too_many`
 */
export async function ship(tx: Transaction, wish: ParcelWish, context: EventContext): Promise<SentIntent> {
  const shipment = shipmentOf(wish)
  const { order, intents } = await lockedOrder(tx, wish.orderId)
  const known = intents.find((each) => 'shipment' in each && each.shipment.reference === shipment.reference)
  if (known) return sameParcel(known as SentIntent, wish)

  if (order.status === 'on_hold')
    throw new FulfilmentError('wrong_state', `${order.number} is on hold: release it first.`)
  if (order.parcels.length >= PARCELS_MAX)
    throw new FulfilmentError('too_many', `An order has ${PARCELS_MAX} parcels at most.`)
  const owed = owedByHand(intents, wish)
  const units = wish.lines ?? owed.lines
  const parts = split(owed, units, { id: context.ids.next('ful'), part: nextPart(intents, owed), now: context.now })
  const parcel = dispatched(parts.taken, shipment, context.now)

  saveSplit(tx, parts)
  saveIntent(tx, parcel)
  await saveOrder(tx, order, recordParcel(order, parcelOf(parcel), byOperator(context)), context)
  return parcel
}

/** The parcel of a reference that was given before, which must be the one that is meant. */
function sameParcel(known: SentIntent, { reference, lines }: ParcelWish): SentIntent {
  const isSame = lines === undefined || (lines.length === known.lines.length && lines.every(isIn(known)))
  if (isSame) return known
  throw new FulfilmentError('reference_taken', `"${reference}" is another parcel of this order, ${known.id}.`)
}

function isIn({ lines }: Intent): (units: LineUnits) => boolean {
  return ({ lineId, quantity }) => quantityOf(lines, lineId) === quantity
}

/** The one intent that a parcel is taken of. */
function owedByHand(intents: readonly Intent[], { storeId, lines }: ParcelWish): PendingIntent {
  const owed = intents
    .filter(isPending)
    .filter((each) => each.method === 'manual' && (storeId === undefined || each.storeId === storeId))
    .filter((each) => lines === undefined || lines.some(({ lineId }) => quantityOf(each.lines, lineId) > 0))
  const [only, another] = owed
  if (only === undefined) throw new FulfilmentError('too_many', 'Nothing of this is left to be shipped.')
  if (another !== undefined) throw new FulfilmentError('ambiguous', 'Several stores ship this order: say which one.')
  return only
}

type Change = (intent: Intent, now: Date) => SentIntent

/** Sends a parcel once more that failed, as itself. @throws FulfilmentError `not_found`, `invalid`, `wrong_state` */
export function sendAgain(
  tx: Transaction,
  intentId: string,
  draft: CarriageDraft,
  context: EventContext,
): Promise<SentIntent> {
  const carriage = carriageOf(draft)
  return changeParcel(tx, intentId, context, (intent, now) => sentAgain(intent, carriage, now))
}

/** It is in the right hands. @throws FulfilmentError `not_found`, `wrong_state` */
export function markDelivered(tx: Transaction, intentId: string, context: EventContext): Promise<SentIntent> {
  return changeParcel(tx, intentId, context, delivered)
}

/** It came back, or is gone. @throws FulfilmentError `not_found`, `invalid`, `wrong_state` */
export function markFailed(
  tx: Transaction,
  intentId: string,
  reason: string,
  context: EventContext,
): Promise<SentIntent> {
  const note = noteOf(reason)
  return changeParcel(tx, intentId, context, (intent, now) => failed(intent, note, now))
}

/** Nobody can say where it is. @throws FulfilmentError `not_found`, `invalid`, `wrong_state` */
export function markLost(
  tx: Transaction,
  intentId: string,
  reason: string,
  context: EventContext,
): Promise<SentIntent> {
  const note = noteOf(reason)
  return changeParcel(tx, intentId, context, (intent, now) => lost(intent, note, now))
}

/** Writes down another carrier or number. @throws FulfilmentError `not_found`, `invalid`, `wrong_state` */
export function correctParcel(
  tx: Transaction,
  intentId: string,
  draft: CarriageDraft,
  context: EventContext,
): Promise<SentIntent> {
  const carriage = carriageOf(draft)
  return changeParcel(tx, intentId, context, (intent, now) => corrected(intent, carriage, now))
}

async function changeParcel(
  tx: Transaction,
  intentId: string,
  context: EventContext,
  change: Change,
): Promise<SentIntent> {
  const orderId = await orderOfIntent(tx, intentId)
  if (orderId === null) throw new FulfilmentError('not_found', `There is no fulfilment "${intentId}".`)
  const { order, intents } = await lockedOrder(tx, orderId)
  const intent = present(
    intents.find(({ id }) => id === intentId),
    'a fulfilment stays with its order',
  )

  const parcel = change(intent, context.now)

  saveIntent(tx, parcel)
  await saveOrder(tx, order, withParcel(order, parcel, byOperator(context)), context)
  return parcel
}

/** The order as it tells of the parcel. */
function withParcel(order: Order, parcel: SentIntent, occasion: Occasion): Order {
  if (parcel.status === 'confirmed' || parcel.status === 'reconciled')
    return recordDelivered(order, parcel.id, occasion)
  const { lines: _, ...told } = parcelOf(parcel)
  return recordParcelChanged(order, { ...told, status: parcel.status === 'failed' ? 'failed' : 'dispatched' }, occasion)
}

/** A parcel as its order keeps it. The two have one id. */
export function parcelOf({ id, shipment, lines }: SentIntent) {
  const { carrier, trackingNumber, trackingUrl } = shipment
  return { id, carrier, trackingNumber, trackingUrl, lines }
}

function byOperator({ now }: EventContext): Occasion {
  return { now, actor: 'operator' }
}

async function lockedOrder(
  tx: Transaction,
  orderId: string,
): Promise<{ readonly order: Order; readonly intents: readonly Intent[] }> {
  const order = await lockOrderById(tx, orderId).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') {
      throw new FulfilmentError('not_found', `There is no order "${orderId}".`)
    }
    throw error
  })
  return { order, intents: await intentsOf(tx, orderId) }
}
