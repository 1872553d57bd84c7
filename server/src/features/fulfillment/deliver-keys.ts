import { assert, present } from '../../kernel/assert.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { JobHandler, JobHandlers } from '../../platform/jobs/index.ts'
import { readEditedWords, sendMail } from '../../platform/mail/index.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import {
  lineOf,
  lockOrderById,
  type Order,
  orderLinkOf,
  recordDelivered,
  recordParcel,
  saveOrder,
  storesOf,
} from '../orders/index.ts'
import { readTimeZone } from '../storefront/index.ts'
import { intentOfJob, KEYS_JOB } from './begin.ts'
import {
  delivered,
  dispatched,
  type FulfillmentIntent,
  type LineUnits,
  nextPart,
  type PendingIntent,
  type SentIntent,
  split,
  waiting,
} from './fulfillment.ts'
import { licenseMail } from './license-mail.ts'
import { parcelOf } from './operator-actions.ts'
import { type ClaimedKey, claimKeys, giveKeys, hasMoreKeys, keysOfParcel, type LicenseVault } from './pools.ts'
import { RESEAL_JOB, resealLicenseKeys } from './reseal-keys.ts'
import { isPending } from './stop.ts'
import { intentsOf, orderOfIntent, saveFulfillment, saveSplit } from './store.ts'

/** Dependencies of the delivery of keys. */
interface KeysDeps {
  /** The site's name in mails. An operator may change it. */
  siteName(reader: Reader): Promise<string>
  readonly vault: LicenseVault
}

/** The delay before a retry. By then, the transaction that holds the keys has given or released them. */
const LOOK_AGAIN_MS = 1000
/** How often an order on hold is checked. */
const HOLD_MS = 5 * 60_000
/** From this many parcels on, keys are only mailed once all of them are there: an order has at most 100 parcels. */
const PARTS_MAX = 20

/** The job that delivers license keys by mail. */
export function fulfillmentJobs(deps: KeysDeps): JobHandlers {
  return { [KEYS_JOB]: deliverKeys(deps), [RESEAL_JOB]: resealLicenseKeys(deps.vault) }
}

/** Delivers the keys of an intent, in one transaction with its mail and the order's update. */
function deliverKeys(deps: KeysDeps): JobHandler {
  return (job, { database, ids, now }) =>
    database.transaction((tx) => deliver(tx, intentOfJob(job.subject), deps, { ids, now }))
}

/** @returns the time of the next try; `undefined` if done, or if an import of keys will enqueue the job */
async function deliver(
  tx: Transaction,
  intentId: string,
  deps: KeysDeps,
  context: EventContext,
): Promise<Date | undefined> {
  const { now } = context
  const orderId = present(await orderOfIntent(tx, intentId), 'a job has its intent')
  const order = await lockOrderById(tx, orderId)
  const intents = await intentsOf(tx, orderId)
  const intent = intents.find(({ id }) => id === intentId)
  if (intent === undefined || !isPending(intent)) return
  if (order.status === 'on_hold') return later(now, HOLD_MS)

  const claims = await claimAll(tx, order, intent, deps.vault)
  const given = claims.flatMap(({ lines }) => lines).filter(({ keys }) => keys.length > 0)
  const missing = claims.reduce((sum, claim) => sum + claim.missing, 0)
  if (given.length === 0 || (missing > 0 && order.parcels.length >= PARTS_MAX)) return wait(tx, intent, claims, now)
  crashPoint('fulfilment.claimed')

  const units = given.map(({ line, keys }) => ({ lineId: line.lineId, quantity: keys.length }))
  const parts = split(intent, units, { id: context.ids.next('ful'), part: nextPart(intents, intent), now })
  const parcel = dispatched(parts.taken, { reference: parts.taken.id, ...BY_MAIL }, now)
  saveSplit(tx, parts)
  saveFulfillment(tx, parcel)
  for (const { line, keys } of given) giveKeys(tx, keys, { lineId: line.lineId, intentId: parcel.id, now })
  const linesOfMail = given.map(({ line: { lineId }, keys }) => ({ lineId, keys: keys.map(({ key }) => key) }))
  await mailKeys(tx, order, { lines: linesOfMail, outstanding: missing }, deps, context)
  crashPoint('fulfilment.handed_over')

  saveFulfillment(tx, delivered(parcel, now))
  const commandContext = { now, actor: 'system' } as const
  await saveOrder(
    tx,
    order,
    recordDelivered(recordParcel(order, parcelOf(parcel), commandContext), parcel.id, commandContext),
    context,
  )
  if (parts.left === null) return
  // The claimed keys are given, and no longer among the free ones.
  const left = claims.map((claim) => ({ ...claim, lines: [] }))
  return wait(tx, parts.left, left, now)
}

const BY_MAIL = { carrier: null, trackingNumber: null, trackingUrl: null }

interface KeyClaim {
  readonly skuId: string
  /** The code of the SKU; its id if an imported order has none. */
  readonly code: string
  readonly lines: readonly { readonly line: LineUnits; readonly keys: readonly ClaimedKey[] }[]
  /** Units without a key. */
  readonly missing: number
}

/** Claims keys from the pools, in the order of SKUs to prevent deadlocks. */
async function claimAll(
  tx: Transaction,
  order: Order,
  intent: PendingIntent,
  vault: LicenseVault,
): Promise<KeyClaim[]> {
  const requested = Map.groupBy(intent.lines, ({ lineId }) => lineOf(order, lineId).skuId)
  const claims: KeyClaim[] = []
  for (const skuId of [...requested.keys()].sort()) {
    const wanted = requested.get(skuId) as LineUnits[]
    const units = wanted.reduce((sum, { quantity }) => sum + quantity, 0)
    const keys = await claimKeys(tx, { skuId, environment: intent.environment }, units, vault)
    const code = lineOf(order, wanted[0]!.lineId).code ?? skuId
    claims.push({ skuId, code, lines: assigned(keys, wanted), missing: units - keys.length })
  }
  return claims
}

/** Assigns keys to lines in order. */
function assigned(keys: readonly ClaimedKey[], wanted: readonly LineUnits[]): KeyClaim['lines'] {
  let from = 0
  return wanted.map((line) => {
    const own = keys.slice(from, from + line.quantity)
    from += own.length
    return { line, keys: own }
  })
}

/**
 * Leaves units pending until there are keys. If another transaction holds keys right now, the job tries again. If the pool is empty,
 * the next import finds this intent waiting: the lock of the pool makes sure that it does.
 */
async function wait(
  tx: Transaction,
  intent: PendingIntent,
  claims: readonly KeyClaim[],
  now: Date,
): Promise<Date | undefined> {
  const short = claims.filter(({ missing }) => missing > 0)
  assert(short.length > 0, 'a waiting intent lacks keys')
  for (const { skuId, lines } of short) {
    const claimed = lines.flatMap(({ keys }) => keys).length
    if (await hasMoreKeys(tx, { skuId, environment: intent.environment }, claimed)) return later(now, LOOK_AGAIN_MS)
  }
  const needs = short.map(({ missing, code }) => `${missing} × ${code}`)
  saveFulfillment(tx, waiting(intent, needs.join(', ').slice(0, 500), now))
}

/** Whether an intent is a parcel whose keys can be mailed again. */
export function isOfKeys(intent: FulfillmentIntent): intent is SentIntent {
  return intent.method === 'digital' && (intent.status === 'confirmed' || intent.status === 'reconciled')
}

/** Mails the keys of a parcel to the shopper again. */
export async function mailKeysAgain(
  tx: Transaction,
  { order, parcel }: { readonly order: Order; readonly parcel: SentIntent },
  deps: KeysDeps,
  context: EventContext,
): Promise<void> {
  const keys = await keysOfParcel(tx, parcel, deps.vault)
  const lines = Map.groupBy(keys, ({ lineId }) => lineId)
  const linesOfMail = [...lines].map(([lineId, given]) => ({ lineId, keys: given.map(({ key }) => key) }))
  await mailKeys(tx, order, { lines: linesOfMail, outstanding: 0 }, deps, context)
}

interface MailedKeys {
  readonly lines: readonly { readonly lineId: string; readonly keys: readonly string[] }[]
  readonly outstanding: number
}

async function mailKeys(
  tx: Transaction,
  order: Order,
  { lines, outstanding }: MailedKeys,
  deps: Pick<KeysDeps, 'siteName'>,
  context: EventContext,
): Promise<void> {
  const storeIds = storesOf(order)
  const [siteName, edited, link, timeZone] = await Promise.all([
    deps.siteName(tx),
    readEditedWords(tx, 'fulfilment.', storeIds),
    orderLinkOf(tx, order, context.now),
    readTimeZone(tx, storeIds),
  ])
  const mail = licenseMail({
    recipient: order.email,
    locale: order.locale,
    orderNumber: order.number,
    isTest: order.environment === 'test',
    lines: lines.map(({ lineId, keys }) => ({ name: lineOf(order, lineId).name, keys })),
    ...{ siteName, edited, storeIds, link, outstanding, timeZone },
  })
  sendMail(tx, mail, context)
}

function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds)
}
