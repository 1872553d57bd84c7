import { assert } from '../../../kernel/assert.ts'
import { json } from '../../../kernel/json.ts'
import { type Owner, ofStore } from '../../../kernel/owner.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import { joined } from '../../../platform/postgres/joined.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { writeCreditNotes, writeInvoices } from '../invoice/store.ts'
import { orderMail } from '../mail/compose.ts'
import { notificationsOfChange } from '../mail/notifications.ts'
import { notifyShopper } from '../mail/send.ts'
import { publishOrderChange } from './events.ts'
import { type Order, type OrderLine, storesOf } from './order.ts'
import { type OrderRow, orderOf } from './rows.ts'
import { shareOf } from './share.ts'
import { statusesOf } from './status.ts'
import { settleStock } from './stock.ts'
import { storedEntry } from './timeline.ts'

/** The columns of a whole order. */
export const ORDER_COLUMNS = `id, number, installation_id, environment, store_id, cart_id, session_id, charge_id, external_id,
  client_reference_id, metadata, source, status, held_from, version, currency, country, locale, customer_id, email, phone, shipping_address, billing_address, accepted_documents,
  totals, charge, charged, refunded, refund_pending, unknown, disputed, placed_at, created_at, updated_at,
  (select jsonb_agg(jsonb_build_object('id', id, 'cartLineId', cart_line_id, 'skuId', sku_id, 'productId', product_id,
            'storeId', store_id, 'code', code, 'name', name, 'optionLabels', option_labels, 'image', image, 'unitPrice', unit_price, 'subtotal', subtotal,
            'discountAllocations', discount_allocations, 'taxLines', tax_lines, 'total', total,
            'units', jsonb_build_object('ordered', ordered, 'canceled', canceled, 'fulfilled', fulfilled,
                                        'returned', returned, 'refunded', refunded)) order by position)
     from order_lines where order_id = orders.id) as lines,
  (select coalesce(jsonb_agg(jsonb_build_object('storeId', store_id, 'optionId', option_id, 'name', name, 'chosen', chosen,
            'amount', amount, 'discountAllocations', discount_allocations, 'taxLines', tax_lines, 'total', total,
            'refunded', refunded) order by position), '[]')
     from order_shipping where order_id = orders.id) as shipping,
  (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'status', status, 'carrier', carrier,
            'trackingNumber', tracking_number, 'trackingUrl', tracking_url, 'dispatchedAt', dispatched_at,
            'deliveredAt', delivered_at, 'lines',
            (select jsonb_agg(jsonb_build_object('lineId', line_id, 'quantity', quantity) order by position)
               from order_parcel_lines where parcel_id = order_parcels.id)) order by position), '[]')
     from order_parcels where order_id = orders.id) as parcels,
  (select coalesce(jsonb_agg(jsonb_build_object('reference', reference, 'kind', kind, 'amount', amount, 'byStore', by_store, 'taxes', taxes, 'state', state,
            'at', at) order by position), '[]')
     from order_adjustments where order_id = orders.id) as adjustments,
  (select jsonb_agg(jsonb_build_object('at', at, 'code', code, 'text', text, 'facts', facts, 'actor', actor, 'storeIds', store_ids)
            order by position)
     from order_timeline where order_id = orders.id) as timeline`
const SELECT = `select ${ORDER_COLUMNS} from orders`

/** The SQL condition that an order has a share of a store. */
export const hasShareOf = (storeId: string) =>
  `exists (select from order_shares where order_shares.order_id = orders.id and order_shares.store_id = ${storeId})`

const OWN = `id = $1 and ${ofStore.whereOne('orders', 2, hasShareOf)}`
const readOwn = statement<OrderRow>('orders.read_own', `${SELECT} where ${OWN}`)
const readAny = statement<OrderRow>('orders.read_any', `${SELECT} where id = $1`)
const readMany = statement<OrderRow>('orders.read_many', `${SELECT} where id = any($1)`)
// Two statements in one round trip: the second reads after the first has its lock, so it sees the last committed state.
const lockOwn = statement('orders.lock_own', `select 1 from orders where ${OWN} for update`)
const lockAny = statement('orders.lock_any', 'select 1 from orders where id = $1 for update')
const ofSessions = statement<PlacedOrder & { session_id: string }>(
  'orders.of_sessions',
  'select session_id, id, number from orders where session_id = any($1)',
)

/**
 * Finds an order of an owner. A credential narrowed to one store gets that store's share. Refuses `not_found`, also for orders of
 * others.
 */
export async function findOrder(reader: Reader, owner: Owner, orderId: string): Promise<Order> {
  const row = await reader.row(readOwn, [orderId, ...ofStore.values(owner)])
  return row ? shownTo(owner, row) : refuse('not_found')
}

/** The order of a row, as an owner sees it. Every lookup by an owner ends here. */
export function shownTo({ narrowedTo }: Owner, row: OrderRow): Order {
  const order = orderOf(row)
  return narrowedTo === null ? order : shareOf(order, narrowedTo.storeId)
}

/** Finds an order like `findOrder` and locks it until the transaction ends. Apply changes to `wholeOf` it. */
export function lockOrder(tx: Transaction, owner: Owner, orderId: string): Promise<Order> {
  tx.write(lockOwn, [orderId, ...ofStore.values(owner)])
  return findOrder(tx, owner, orderId)
}

/** Finds an order by its id only, for internal and operator use. Refuses `not_found`. */
export async function findOrderById(reader: Reader, orderId: string): Promise<Order> {
  const row = await reader.row(readAny, [orderId])
  return row ? orderOf(row) : refuse('not_found')
}

/** Finds orders by their ids only, for operator use. */
export async function findOrdersById(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, Order>> {
  const rows = ids.length === 0 ? [] : await reader.rows(readMany, [ids])
  return new Map(rows.map((row) => [row.id, orderOf(row)]))
}

/** Finds an order like `findOrderById` and locks it until the transaction ends. */
export function lockOrderById(tx: Transaction, orderId: string): Promise<Order> {
  tx.write(lockAny, [orderId])
  return findOrderById(tx, orderId)
}

/** How a shopper reaches an order: as the customer who bought it, or by a link. */
export type ShopperAccess = Pick<Order, 'environment'> & { readonly orderId: string } & (
    | { readonly kind: 'customer'; readonly customerId: string }
    | { readonly kind: 'link' }
  )

const OF_CUSTOMER = 'id = $1 and environment = $2 and customer_id = $3'
const LINKED = 'id = $1 and environment = $2'
const readOfCustomer = statement<OrderRow>('orders.read_of_customer', `${SELECT} where ${OF_CUSTOMER}`)
const readLinked = statement<OrderRow>('orders.read_linked', `${SELECT} where ${LINKED}`)
const lockOfCustomer = statement('orders.lock_of_customer', `select 1 from orders where ${OF_CUSTOMER} for update`)
const lockLinked = statement('orders.lock_linked', `select 1 from orders where ${LINKED} for update`)

/** Finds the order of a shopper. Refuses `not_found`, also for orders of others. */
export async function findOrderOfShopper(reader: Reader, access: ShopperAccess): Promise<Order> {
  const row = await reader.row(access.kind === 'customer' ? readOfCustomer : readLinked, valuesOf(access))
  return row ? orderOf(row) : refuse('not_found')
}

/** Finds an order like `findOrderOfShopper` and locks it until the transaction ends. */
export function lockOrderOfShopper(tx: Transaction, access: ShopperAccess): Promise<Order> {
  tx.write(access.kind === 'customer' ? lockOfCustomer : lockLinked, valuesOf(access))
  return findOrderOfShopper(tx, access)
}

const byNumber = statement<OrderRow>(
  'orders.by_number_and_email',
  `${SELECT} where lower(email) = lower($1) and number = upper($2) order by placed_at desc limit 3`,
)

/** The orders with a number and an email address. Several installations may import the same number. */
export async function ordersByNumber(reader: Reader, number: string, email: string): Promise<readonly Order[]> {
  return (await reader.rows(byNumber, [email, number])).map(orderOf)
}

function valuesOf(access: ShopperAccess): readonly string[] {
  const { orderId, environment } = access
  return access.kind === 'customer' ? [orderId, environment, access.customerId] : [orderId, environment]
}

/** What names an order. */
export interface PlacedOrder {
  readonly id: string
  readonly number: string
}

/** The orders of checkout sessions by session. Those without an order yet are left out. */
export async function ordersOfSessions(
  reader: Reader,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, PlacedOrder>> {
  const rows = await reader.rows(ofSessions, [sessionIds])
  return new Map(rows.map(({ session_id, id, number }) => [session_id, { id, number }]))
}

const lockOfSession = statement('orders.lock_of_session', 'select 1 from orders where session_id = $1 for update')
const readOfSession = statement<OrderRow>('orders.read_of_session', `${SELECT} where session_id = $1`)

/** Locks the order of a checkout session, if there is one. Call it after the session is locked, and before its payment is. */
export function lockOrderOfSession(tx: Transaction, sessionId: string): void {
  tx.write(lockOfSession, [sessionId])
}

/** Finds the order of a checkout session. */
export async function findOrderOfSession(reader: Reader, sessionId: string): Promise<Order | null> {
  const row = await reader.row(readOfSession, [sessionId])
  return row ? orderOf(row) : null
}

const insert = statement(
  'orders.insert',
  `insert into orders (id, number, installation_id, environment, store_id, cart_id, session_id, charge_id, external_id,
     external_hash, client_reference_id, metadata, source, status, held_from, payment_status, fulfillment_status, version,
     currency, country, locale, customer_id, email, phone, store_ids, unit_count, shipping_address, billing_address, accepted_documents, totals, total, line_count, charge, charged, refunded,
     refund_pending, unknown, placed_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
     $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40)`,
)
const insertLines = statement(
  'orders.insert_lines',
  `insert into order_lines (id, order_id, position, cart_line_id, sku_id, product_id, store_id, code, name, option_labels,
     image, unit_price, subtotal, discount_allocations, tax_lines, total, ordered, canceled, fulfilled, returned, refunded)
   select id, $1, position, "cartLineId", "skuId", "productId", "storeId", code, name, "optionLabels", image, "unitPrice", subtotal,
     "discountAllocations", "taxLines", total, (units->>'ordered')::integer, (units->>'canceled')::integer,
     (units->>'fulfilled')::integer, (units->>'returned')::integer, (units->>'refunded')::integer
   from jsonb_to_recordset($2) as line (id text, position integer, "cartLineId" text, "skuId" text, "productId" text,
     "storeId" text, code text, name text, "optionLabels" jsonb, image jsonb, "unitPrice" bigint, subtotal bigint, "discountAllocations" jsonb,
     "taxLines" jsonb, total bigint, units jsonb)`,
)
const insertShipping = statement(
  'orders.insert_shipping',
  `insert into order_shipping (order_id, store_id, position, option_id, name, chosen, amount, discount_allocations, tax_lines, total,
     refunded)
   select $1, "storeId", position, "optionId", name, chosen, amount, "discountAllocations", "taxLines", total, refunded
   from jsonb_to_recordset($2) as shipping ("storeId" text, position integer, "optionId" text, name text, chosen boolean, amount bigint,
     "discountAllocations" jsonb, "taxLines" jsonb, total bigint, refunded bigint)`,
)

const insertShares = statement(
  'orders.insert_shares',
  `insert into order_shares (order_id, store_id, installation_id, environment, placed_at)
   select $1, unnest($2::text[]), $3, $4, $5`,
)

const appendTimeline = statement(
  'orders.append_timeline',
  `insert into order_timeline (order_id, position, at, code, text, facts, actor, store_ids)
   select $1, position, at, code, text, facts, actor, "storeIds"
   from jsonb_to_recordset($2) as entry (position integer, at timestamptz, code text, text text, facts jsonb, actor text,
     "storeIds" text[])`,
)
const insertWhole = joined('orders.insert_whole', insert, insertLines, insertShipping, appendTimeline)

/** Inserts a new or imported order. */
export function insertOrder(tx: Transaction, order: Order, externalHash: Buffer | null): void {
  assert(order.share === null, 'a whole order is stored')
  const storeIds = storesOf(order)
  const { status, paymentStatus, fulfillmentStatus } = statusesOf(order)
  const { money } = order
  const columns = [
    order.id,
    order.number,
    order.installationId,
    order.environment,
    order.storeId,
    order.cartId,
    order.sessionId,
    order.chargeId,
    order.externalId,
    externalHash,
    order.clientReferenceId,
    json(order.metadata),
    order.source,
    status,
    order.heldFrom,
    paymentStatus,
    fulfillmentStatus,
    order.version,
    order.currency,
    order.country,
    order.locale,
    order.customerId,
    order.email,
    order.phone,
    storeIds,
    order.lines.reduce((sum, { units }) => sum + units.ordered, 0),
    order.shippingAddress && json(order.shippingAddress),
    order.billingAddress && json(order.billingAddress),
    json(order.acceptedDocuments),
    json(order.totals),
    order.totals.total.amount,
    order.lines.length,
    money.charge,
    money.charged,
    money.refunded,
    money.refundPending,
    money.unknown,
    order.placedAt,
    order.createdAt,
    order.updatedAt,
  ]
  const { lines, shipping, timeline } = order
  insertWhole(
    tx,
    [columns, 1],
    [[order.id, json(placed(lines))], lines.length],
    [[order.id, json(placed(shipping))], shipping.length],
    [[order.id, json(entriesOf(placed(timeline)))], timeline.length],
  )
  if (order.storeId === null) {
    tx.write(insertShares, [order.id, storeIds, order.installationId, order.environment, order.placedAt])
  }
  appendParts(tx, order, { parcels: [], adjustments: [], timeline })
}

const update = statement(
  'orders.update',
  `update orders set version = $3, status = $4, held_from = $5, payment_status = $6, fulfillment_status = $7, charge = $8,
     charged = $9, refunded = $10, refund_pending = $11, unknown = $12, updated_at = $13, disputed = $14
   where id = $1 and version = $2`,
)
const updateUnits = statement(
  'orders.update_units',
  `update order_lines set canceled = line.canceled, fulfilled = line.fulfilled, returned = line.returned,
     refunded = line.refunded
   from jsonb_to_recordset($2) as line (id text, canceled integer, fulfilled integer, returned integer, refunded integer)
   where order_lines.id = line.id and order_lines.order_id = $1`,
)
const updateShipping = statement(
  'orders.update_shipping',
  `update order_shipping set refunded = shipping.refunded
   from jsonb_to_recordset($2) as shipping ("storeId" text, refunded bigint)
   where order_shipping.order_id = $1 and order_shipping.store_id = shipping."storeId"`,
)

/**
 * Saves a change of an order, publishes it and mails the shopper. The version in the WHERE makes sure that no other change came in
 * between. Frozen columns are not written.
 */
export async function saveOrder(tx: Transaction, before: Order, after: Order, context: EventContext): Promise<void> {
  if (after === before) return
  assert(before.share === null && after.share === null, 'a whole order is saved')
  const { status, paymentStatus, fulfillmentStatus } = statusesOf(after)
  const { id, money } = after
  tx.write(
    update,
    [
      id,
      before.version,
      after.version,
      status,
      after.heldFrom,
      paymentStatus,
      fulfillmentStatus,
      money.charge,
      money.charged,
      money.refunded,
      money.refundPending,
      money.unknown,
      after.updatedAt,
      money.disputed,
    ],
    { rows: 1 },
  )
  const lines = after.lines.filter((line, index) => line !== before.lines[index])
  if (lines.length > 0) tx.write(updateUnits, [id, json(lines.map(unitsOf))], { rows: lines.length })
  const shipped = after.lines.some((line, index) => line.units.fulfilled > (before.lines[index]?.units.fulfilled ?? 0))
  if (shipped) settleStock(tx, after)
  const shipping = after.shipping.filter((each, index) => each.refunded !== before.shipping[index]?.refunded)
  if (shipping.length > 0) tx.write(updateShipping, [id, json(shipping)], { rows: shipping.length })
  appendParts(tx, after, before)
  publishOrderChange(tx, before, after, context)
  await notifyShopper(tx, after, notificationsOfChange(before, after).map(orderMail), context)
  if (before.money.charge !== 'captured') writeInvoices(tx, after, context)
  await writeCreditNotes(tx, before, after, context)
}

const saveParcels = statement(
  'orders.save_parcels',
  `insert into order_parcels (id, order_id, position, status, carrier, tracking_number, tracking_url, dispatched_at,
     delivered_at)
   select id, $1, position, status, carrier, "trackingNumber", "trackingUrl", "dispatchedAt", "deliveredAt"
   from jsonb_to_recordset($2) as parcel (id text, position integer, status text, carrier text, "trackingNumber" text,
     "trackingUrl" text, "dispatchedAt" timestamptz, "deliveredAt" timestamptz)
   on conflict (order_id, position) do update set status = excluded.status, carrier = excluded.carrier,
     tracking_number = excluded.tracking_number, tracking_url = excluded.tracking_url,
     dispatched_at = excluded.dispatched_at, delivered_at = excluded.delivered_at`,
)
const insertParcelLines = statement(
  'orders.insert_parcel_lines',
  `insert into order_parcel_lines (parcel_id, line_id, position, quantity)
   select "parcelId", "lineId", position, quantity
   from jsonb_to_recordset($1) as line ("parcelId" text, "lineId" text, position integer, quantity integer)`,
)
const saveAdjustments = statement(
  'orders.save_adjustments',
  `insert into order_adjustments (order_id, reference, position, kind, amount, by_store, taxes, state, at)
   select $1, reference, position, kind, amount, "byStore", taxes, state, at
   from jsonb_to_recordset($2) as adjustment (reference text, position integer, kind text, amount bigint, "byStore" jsonb,
     taxes jsonb, state text, at timestamptz)
   on conflict (order_id, reference) do update set state = excluded.state`,
)

type Parts = Pick<Order, 'parcels' | 'adjustments' | 'timeline'>

/** Inserts new parcels, adjustments and timeline entries, and updates changed parcels and adjustments. */
function appendParts(tx: Transaction, after: Order, before: Parts): void {
  const parcels = newOf(before.parcels, after.parcels)
  if (parcels.length > 0) tx.write(saveParcels, [after.id, json(parcels)], { rows: parcels.length })
  const packed = after.parcels.slice(before.parcels.length).flatMap(({ id, lines }) => {
    return placed(lines).map((line) => ({ ...line, parcelId: id }))
  })
  if (packed.length > 0) tx.write(insertParcelLines, [json(packed)], { rows: packed.length })
  const adjustments = newOf(before.adjustments, after.adjustments)
  if (adjustments.length > 0) tx.write(saveAdjustments, [after.id, json(adjustments)], { rows: adjustments.length })
  const entries = entriesOf(newOf(before.timeline, after.timeline))
  if (entries.length > 0) tx.write(appendTimeline, [after.id, json(entries)], { rows: entries.length })
}

function entriesOf(entries: readonly (Order['timeline'][number] & { readonly position: number })[]) {
  return entries.map(({ position, storeIds, ...entry }) => {
    return { ...storedEntry('orderTimeline', entry), storeIds, position }
  })
}

/** Adds positions, from 1. */
function placed<Part extends object>(parts: readonly Part[]) {
  return parts.map((part, index) => ({ ...part, position: index + 1 }))
}

function newOf<Part extends object>(before: readonly Part[], after: readonly Part[]) {
  return placed(after).filter((_, index) => after[index] !== before[index])
}

function unitsOf({ id, units }: OrderLine) {
  return { id, ...units }
}
