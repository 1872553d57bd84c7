import {
  type CarriageDraft,
  correctParcel,
  type EventContext,
  FULFILLMENT_STATUSES,
  type FulfillmentStatus,
  listIntents,
  markDelivered,
  markFailed,
  markLost,
  type SentIntent,
  sendAgain,
  ship,
  type Transaction,
} from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'
import { storeIdOf } from './store-of.ts'

export interface CarriageOptions {
  readonly carrier?: string
  readonly tracking?: string
  readonly trackingUrl?: string
}

export interface ShipOptions extends CarriageOptions {
  readonly line?: readonly string[]
  readonly store?: string
  readonly reference?: string
}

/** `vitrine order ship ORDER`: hands what is left to a carrier, or a part of it. */
export async function shipCommand(orderId: string, options: ShipOptions, output: Output): Promise<void> {
  const lines = options.line?.map(unitsOf)
  const parcel = await inHouse(output, async ({ database, ids, now }) => {
    const storeId = (await storeIdOf(database.reader, options.store)) ?? undefined
    const reference = options.reference ?? options.tracking ?? ids.next('ful')
    const wish = { orderId, storeId, lines, reference, ...carriageOf(options) }
    return database.transaction((tx) => ship(tx, wish, { ids, now: now() }))
  })
  const units = parcel.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  show(parcel, output, `${units === 1 ? '1 unit was' : `${units} units were`} handed over.`)
}

/** `oli_…=2` */
function unitsOf(text: string): { readonly lineId: string; readonly quantity: number } {
  const [, lineId, units] = /^(\w+)=(\d{1,3})$/.exec(text) ?? []
  if (lineId === undefined)
    throw new UsageError(`--line is the id of a line and its units, such as oli_…=2, not "${text}".`)
  return { lineId, quantity: Number(units) }
}

function carriageOf({ carrier, tracking: trackingNumber, trackingUrl }: CarriageOptions): CarriageDraft {
  return { carrier, trackingNumber, trackingUrl }
}

const LIST_MAX = 1000

/** `vitrine fulfilment list`: what stands in a state, the oldest first. */
export async function listFulfilmentsCommand(
  options: { readonly status: string; readonly limit: string },
  output: Output,
): Promise<void> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIST_MAX) {
    throw new UsageError(`--limit must be a whole number from 1 to ${LIST_MAX}, not "${options.limit}".`)
  }
  const status = FULFILLMENT_STATUSES.find((each) => each === options.status)
  if (status === undefined) throw new UsageError(`--status is one of ${FULFILLMENT_STATUSES.join(', ')}.`)
  const listed = await inHouse(output, ({ database }) => listIntents(database.reader, status, limit))
  const shown = listed.map(({ intent, orderNumber, storeSlug }) => ({
    ...intent,
    orderNumber,
    store: storeSlug,
  }))
  const rows = listed.map(({ intent, orderNumber, storeSlug }) => [
    intent.id,
    intent.orderId,
    orderNumber,
    storeSlug,
    intent.method,
    intent.lines.map(({ lineId, quantity }) => `${lineId}=${quantity}`).join(' '),
    intent.status === 'pending' ? (intent.waitingFor ?? '') : 'shipment' in intent ? (intent.note ?? '') : '',
  ])
  const lines = columns([['ID', 'ORDER', 'NUMBER', 'STORE', 'METHOD', 'LINES', 'WHY'], ...rows])
  output.result(shown, rows.length > 0 ? lines : [NONE[status]])
}

const NONE: Readonly<Record<FulfillmentStatus, string>> = {
  pending: 'Nothing is owed.',
  dispatched: 'Nothing is under way.',
  unknown: 'Nothing is lost.',
  failed: 'Nothing has failed.',
  confirmed: 'Nothing was delivered yet.',
  reconciled: 'Nothing was found again.',
  stopped: 'Nothing was stopped.',
}

/** `vitrine fulfilment deliver ID` */
export function deliverCommand(id: string, output: Output): Promise<void> {
  return change(output, 'is delivered', (tx, context) => markDelivered(tx, id, context))
}

/** `vitrine fulfilment fail ID` */
export function failCommand(id: string, reason: string, output: Output): Promise<void> {
  return change(output, 'has failed', (tx, context) => markFailed(tx, id, reason, context))
}

/** `vitrine fulfilment lose ID` */
export function loseCommand(id: string, reason: string, output: Output): Promise<void> {
  return change(output, 'cannot be found', (tx, context) => markLost(tx, id, reason, context))
}

/** `vitrine fulfilment resend ID` */
export function resendCommand(id: string, options: CarriageOptions, output: Output): Promise<void> {
  return change(output, 'is on its way again', (tx, context) => sendAgain(tx, id, carriageOf(options), context))
}

/** `vitrine fulfilment correct ID` */
export function correctCommand(id: string, options: CarriageOptions, output: Output): Promise<void> {
  return change(output, 'is corrected', (tx, context) => correctParcel(tx, id, carriageOf(options), context))
}

async function change(
  output: Output,
  what: string,
  work: (tx: Transaction, context: EventContext) => Promise<SentIntent>,
): Promise<void> {
  const parcel = await inHouse(output, ({ database, ids, now }) =>
    database.transaction((tx) => work(tx, { ids, now: now() })),
  )
  show(parcel, output, `The parcel ${what}.`)
}

function show(parcel: SentIntent, output: Output, sentence: string): void {
  const { id, orderId, status, shipment, note, lines } = parcel
  const { reference, carrier, trackingNumber, trackingUrl } = shipment
  output.result({ id, orderId, status, reference, carrier, trackingNumber, trackingUrl, note, lines }, [
    id,
    '',
    sentence,
  ])
}
