import { assert, present } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { insertion } from '../../platform/postgres/insertion.ts'
import { joined } from '../../platform/postgres/joined.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { FIRST_IN_QUEUE, type QueuePage } from '../orders/index.ts'
import {
  type FulfillmentIntent,
  type FulfillmentStatus,
  type LineUnits,
  type Method,
  type PendingIntent,
  quantityOf,
  type Shipment,
  type Split,
} from './fulfillment.ts'

interface IntentRow {
  readonly id: string
  readonly order_id: string
  readonly store_id: string
  readonly environment: Environment
  readonly method: Method
  readonly part: number
  readonly status: FulfillmentStatus
  readonly waiting_for: string | null
  readonly reference: string | null
  readonly carrier: string | null
  readonly tracking_number: string | null
  readonly tracking_url: string | null
  readonly note: string | null
  readonly dispatched_at: Date | null
  readonly delivered_at: Date | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly lines: readonly LineUnits[]
}

const COLUMNS = `intent.id, intent.order_id, intent.store_id, intent.environment, intent.method, intent.part, intent.status,
  intent.waiting_for, intent.reference, intent.carrier, intent.tracking_number, intent.tracking_url, intent.note,
  intent.dispatched_at, intent.delivered_at, intent.version, intent.created_at, intent.updated_at,
  (select coalesce(jsonb_agg(jsonb_build_object('lineId', line.id, 'quantity', units.quantity) order by line.position), '[]')
     from fulfilment_units as units join order_lines as line on line.id = units.order_line_id
     where intent_id = intent.id) as lines`

const ofOrder = statement<IntentRow>(
  'fulfilment.of_order',
  `select ${COLUMNS} from fulfilment_intents as intent where order_id = $1 order by store_id, method, part`,
)
const orderOf = statement<{ order_id: string }>(
  'fulfilment.order_of',
  'select order_id from fulfilment_intents where id = $1',
)

/** Lists the intents of an order by store, method and part. They change only under the lock of their order. */
export async function intentsOf(reader: Reader, orderId: string): Promise<readonly FulfillmentIntent[]> {
  return (await reader.rows(ofOrder, [orderId])).map(intentOf)
}

/** The order of an intent. It never changes. */
export async function orderOfIntent(reader: Reader, intentId: string): Promise<string | null> {
  return (await reader.row(orderOf, [intentId]))?.order_id ?? null
}

const insert = statement(
  'fulfilment.insert',
  `insert into fulfilment_intents (id, order_id, store_id, environment, method, part, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)
const insertUnits = statement(
  'fulfilment.insert_units',
  `insert into fulfilment_units (intent_id, order_line_id, quantity)
   select $1, line_id, quantity from unnest($2::text[], $3::integer[]) as wanted (line_id, quantity)`,
)

const insertWhole = joined('fulfilment.insert_whole', insert, insertUnits)
const insertOwed = insertion(
  'fulfillment',
  {
    id: 'text',
    order_id: 'text',
    store_id: 'text',
    environment: 'text',
    method: 'text',
    part: 'integer',
    created_at: 'timestamptz',
    lines: 'jsonb',
  },
  `owed as materialized (select * from ROWS),
   intents as (
     insert into fulfilment_intents (id, order_id, store_id, environment, method, part, created_at, updated_at)
     select id, order_id, store_id, environment, method, part, created_at, created_at from owed),
   units as (
     insert into fulfilment_units (intent_id, order_line_id, quantity)
     select id, "lineId", quantity
     from owed, jsonb_to_recordset(lines) as line ("lineId" text, quantity integer))`,
)

/** Adds the first intent of a store and method of a new order. It is inserted at the end of the transaction. */
export function addFulfillment(tx: Transaction, intent: PendingIntent): void {
  const { id, orderId, storeId, environment, method, part, createdAt, lines } = intent
  tx.add(insertOwed, [id, orderId, storeId, environment, method, part, createdAt, JSON.stringify(lines)])
}

/** Inserts a new intent. */
export function insertFulfillment(tx: Transaction, intent: PendingIntent): void {
  const { id, orderId, storeId, environment, method, part, createdAt, lines } = intent
  const units = [id, lines.map(({ lineId }) => lineId), lines.map(({ quantity }) => quantity)]
  insertWhole(tx, [[id, orderId, storeId, environment, method, part, createdAt], 1], [units, lines.length])
}

// Taking more units than are pending violates the CHECK.
const takeUnits = statement(
  'fulfilment.take_units',
  `update fulfilment_units as owed set quantity = owed.quantity - wanted.quantity
   from unnest($2::text[], $3::integer[]) as wanted (line_id, quantity)
   where intent_id = $1 and order_line_id = line_id`,
)
const forgetNone = statement(
  'fulfilment.forget_none',
  'delete from fulfilment_units where intent_id = $1 and quantity = 0',
)

const update = statement(
  'fulfilment.update',
  `update fulfilment_intents set status = $2, waiting_for = $3, reference = $4, carrier = $5, tracking_number = $6,
     tracking_url = $7, note = $8, dispatched_at = $9, delivered_at = $10, version = $11, updated_at = $12
   where id = $1 and version = $11 - 1`,
)

/** Saves a change of an intent. Only {@link saveSplit} changes its units. */
export function saveFulfillment(tx: Transaction, intent: FulfillmentIntent): void {
  const sent = 'shipment' in intent ? intent : null
  const { reference, carrier, trackingNumber, trackingUrl } = sent?.shipment ?? NO_SHIPMENT
  tx.write(
    update,
    [
      intent.id,
      intent.status,
      intent.status === 'pending' ? intent.waitingFor : null,
      reference,
      carrier,
      trackingNumber,
      trackingUrl,
      sent?.note ?? null,
      sent?.dispatchedAt ?? null,
      sent?.deliveredAt ?? null,
      intent.version,
      intent.updatedAt,
    ],
    { rows: 1 },
  )
}

const NO_SHIPMENT = { reference: null, carrier: null, trackingNumber: null, trackingUrl: null }

/** Moves units to a further part. Writes nothing if the intent was taken as a whole. */
export function saveSplit(tx: Transaction, { taken, left }: Split): void {
  if (left === null) return
  const lineIds = taken.lines.map(({ lineId }) => lineId)
  const quantities = taken.lines.map(({ quantity }) => quantity)
  tx.write(takeUnits, [left.id, lineIds, quantities], { rows: lineIds.length })
  if (lineIds.some((lineId) => quantityOf(left.lines, lineId) === 0)) tx.write(forgetNone, [left.id])
  saveFulfillment(tx, left)
  insertFulfillment(tx, taken)
}

interface ListedIntent {
  readonly intent: FulfillmentIntent
  readonly orderNumber: string
}

const list = statement<IntentRow & { number: string }>(
  'fulfilment.list',
  `select ${COLUMNS}, number
   from fulfilment_intents as intent join orders on orders.id = intent.order_id
   where intent.status = $1 and (intent.created_at, intent.id) > ($2::timestamptz, $3)
     and ($5::text is null or intent.environment = $5) and ($6::text is null or intent.store_id = $6)
   order by intent.created_at, intent.id limit $4`,
)
const countOpen = statement<Record<'pending' | 'faulty', number>>(
  'fulfilment.count_open',
  `select (select count(*)::integer from (select from fulfilment_intents
       where status = 'pending' and environment = $1 and ($3::text is null or store_id = $3) limit $2) as pending) as pending,
     (select count(*)::integer from (select from fulfilment_intents
       where status in ('failed', 'unknown') and environment = $1 and ($3::text is null or store_id = $3) limit $2) as faulty) as faulty`,
)

/** Lists intents in a state after a position, oldest first. */
export async function listIntents(
  reader: Reader,
  status: FulfillmentStatus,
  { limit, after, environment, storeId }: QueuePage,
): Promise<ListedIntent[]> {
  const { createdAt, id } = after ?? FIRST_IN_QUEUE
  const rows = await reader.rows(list, [status, createdAt, id, limit, environment, storeId])
  return rows.map((row) => ({ intent: intentOf(row), orderNumber: row.number }))
}

function intentOf(row: IntentRow): FulfillmentIntent {
  const { id, method, part, status, version, lines, environment } = row
  const owner = { orderId: row.order_id, storeId: row.store_id, environment }
  const facts = { id, ...owner, method, part, lines, version, createdAt: row.created_at, updatedAt: row.updated_at }
  if (status === 'pending') return { ...facts, status, waitingFor: row.waiting_for }
  if (status === 'stopped') return { ...facts, status }
  const dispatchedAt = present(row.dispatched_at, 'dispatched_at')
  return { ...facts, status, shipment: shipmentOf(row), dispatchedAt, note: row.note, deliveredAt: row.delivered_at }
}

function shipmentOf(row: IntentRow): Shipment {
  assert(row.reference !== null, 'a dispatched intent has a reference')
  const { reference, carrier, tracking_number: trackingNumber, tracking_url: trackingUrl } = row
  return { reference, carrier, trackingNumber, trackingUrl }
}

/** Counts the pending intents, and the parcels that failed or are lost, each up to a limit. */
export async function countFulfillments(
  reader: Reader,
  environment: Environment,
  most: number,
  storeId: string | null,
): Promise<Record<'pending' | 'faulty', number>> {
  return (await reader.row(countOpen, [environment, most, storeId])) ?? { pending: 0, faulty: 0 }
}
