import { assert, present } from '../../kernel/assert.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { JobHandler } from '../../platform/jobs/index.ts'
import { sendMail } from '../../platform/mail/index.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { lineOf, lockOrderById, type Order, recordDelivered, recordParcel, saveOrder } from '../orders/index.ts'
import { intentOfJob } from './begin.ts'
import { parcelOf } from './by-hand.ts'
import { delivered, dispatched, type LineUnits, nextPart, type PendingIntent, split, waiting } from './fulfilment.ts'
import { intentsOf, orderOfIntent, saveIntent, saveSplit } from './fulfilment-store.ts'
import { licenceMail } from './licence-mail.ts'
import { type ClaimedKey, claimKeys, giveKeys, hasMoreKeys, type LicenceSafe } from './pools.ts'
import { isPending } from './stop.ts'

/** What handing over keys stands on. */
export interface KeysDeps {
  /** What mails call the marketplace. An operator may change it. */
  siteName(reader: Reader): Promise<string>
  readonly safe: LicenceSafe
}

/** Who holds the keys that we saw will have given them, or given them back, by then. */
const LOOK_AGAIN_MS = 1000
/** How often we look whether an order on hold goes on. */
const HOLD_MS = 5 * 60_000
/** An order keeps a hundred parcels at most: where keys come one by one, the later ones wait for each other. */
const PARTS_MAX = 20

/** Hands over the keys of an intent, in one transaction with its mail and with what the order tells. */
export function handOverKeys(house: KeysDeps): JobHandler {
  return (job, { database, ids, now }) =>
    database.transaction((tx) => handOver(tx, intentOfJob(job.subject), house, { ids, now }))
}

/** @returns when to look again; nothing where it is done, or where an import of keys will say so */
async function handOver(
  tx: Transaction,
  intentId: string,
  house: KeysDeps,
  context: EventContext,
): Promise<Date | undefined> {
  const { now } = context
  const orderId = present(await orderOfIntent(tx, intentId), 'a job has its fulfilment')
  const order = await lockOrderById(tx, orderId)
  const intents = await intentsOf(tx, orderId)
  const intent = intents.find(({ id }) => id === intentId)
  if (intent === undefined || !isPending(intent)) return
  if (order.status === 'on_hold') return later(now, HOLD_MS)

  const claims = await claimAll(tx, order, intent, house.safe)
  const given = claims.flatMap(({ lines }) => lines).filter(({ keys }) => keys.length > 0)
  const missing = claims.reduce((sum, claim) => sum + claim.missing, 0)
  if (given.length === 0 || (missing > 0 && order.parcels.length >= PARTS_MAX)) return wait(tx, intent, claims, now)
  crashPoint('fulfilment.claimed')

  const units = given.map(({ line, keys }) => ({ lineId: line.lineId, quantity: keys.length }))
  const parts = split(intent, units, { id: context.ids.next('ful'), part: nextPart(intents, intent), now })
  const parcel = dispatched(parts.taken, { reference: parts.taken.id, ...BY_MAIL }, now)
  saveSplit(tx, parts)
  saveIntent(tx, parcel)
  for (const { line, keys } of given) giveKeys(tx, keys, { lineId: line.lineId, intentId: parcel.id, now })
  sendMail(tx, licenceMail(deliveryOf(order, given, await house.siteName(tx), missing)), context)
  crashPoint('fulfilment.handed_over')

  saveIntent(tx, delivered(parcel, now))
  const occasion = { now, actor: 'system' } as const
  await saveOrder(
    tx,
    order,
    recordDelivered(recordParcel(order, parcelOf(parcel), occasion), parcel.id, occasion),
    context,
  )
  return parts.left === null ? undefined : wait(tx, parts.left, claims, now)
}

const BY_MAIL = { carrier: null, trackingNumber: null, trackingUrl: null }

interface Claim {
  readonly skuId: string
  readonly lines: readonly { readonly line: LineUnits; readonly keys: readonly ClaimedKey[] }[]
  /** Units without a key. */
  readonly missing: number
}

/** What the pools have, SKU by SKU in their order, as everybody takes them. */
async function claimAll(tx: Transaction, order: Order, intent: PendingIntent, safe: LicenceSafe): Promise<Claim[]> {
  const wishes = Map.groupBy(intent.lines, ({ lineId }) => lineOf(order, lineId).skuId)
  const claims: Claim[] = []
  for (const skuId of [...wishes.keys()].sort()) {
    const wanted = wishes.get(skuId) as LineUnits[]
    const units = wanted.reduce((sum, { quantity }) => sum + quantity, 0)
    const keys = await claimKeys(tx, { skuId, environment: intent.environment }, units, safe)
    claims.push({ skuId, lines: dealt(keys, wanted), missing: units - keys.length })
  }
  return claims
}

/** Deals keys to lines, the first ones first. */
function dealt(keys: readonly ClaimedKey[], wanted: readonly LineUnits[]): Claim['lines'] {
  let from = 0
  return wanted.map((line) => {
    const own = keys.slice(from, from + line.quantity)
    from += own.length
    return { line, keys: own }
  })
}

/**
 * Leaves what is owed until there are keys. Either somebody holds some at this moment, and we look again; or there are
 * none, and whoever imports some finds this intent waiting: the two exclude each other by the lock of the pool.
 */
async function wait(
  tx: Transaction,
  intent: PendingIntent,
  claims: readonly Claim[],
  now: Date,
): Promise<Date | undefined> {
  const short = claims.filter(({ missing }) => missing > 0)
  assert(short.length > 0, 'who waits lacks a key')
  for (const { skuId, lines } of short) {
    const claimed = lines.flatMap(({ keys }) => keys).length
    if (await hasMoreKeys(tx, { skuId, environment: intent.environment }, claimed)) return later(now, LOOK_AGAIN_MS)
  }
  const needs = short.map(({ missing, skuId }) => `${missing} of ${skuId}`)
  saveIntent(tx, waiting(intent, `keys: ${needs.join(', ')}`.slice(0, 500), now))
}

function deliveryOf(order: Order, given: Claim['lines'], siteName: string, outstanding: number) {
  return {
    siteName,
    recipient: order.email,
    locale: order.locale,
    orderNumber: order.number,
    lines: given.map(({ line, keys }) => ({ name: lineOf(order, line.lineId).name, keys: keys.map(({ key }) => key) })),
    outstanding,
  }
}

function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds)
}
