import assert from 'node:assert/strict'
import { type Database, statement } from '@vitrine/server'
import type { Effect, Facts, OrderMoney, Stock, StoredEvent, WriteKind } from './history.ts'
import { ADDS, EVENTS } from './load.ts'
import { type ShopService, STOCK_UNITS } from './service.ts'

interface Marked {
  readonly kind: WriteKind
  readonly mark: string
  readonly id: string
}

// A cart has at most one quote, whose idempotency key contains the mark of the cart.
const marked = statement<Marked>(
  'faults.marked',
  `select 'cart' as kind, metadata->>'mark' as mark, id from carts
   union all
   select 'quote', (carts.metadata->>'mark') || ':quote', quotes.id from quotes join carts on carts.id = quotes.cart_id
   union all
   select 'session', client_reference_id, id from checkout_sessions
   union all
   select 'cancellation', note, id from cancellations`,
)
const mugs = statement<{ mark: string; cart_id: string; quantity: number }>(
  'faults.mugs',
  `select carts.metadata->>'mark' as mark, cart_id, quantity
   from cart_lines join carts on carts.id = cart_id join skus on skus.id = sku_id where skus.code = 'MUG'`,
)
const charges = statement<{ id: string; mark: string | null }>(
  'faults.charges',
  `select intent.id, carts.metadata->>'mark' as mark from payment_intents as intent
   left join checkout_sessions as session on session.id = intent.subject_id left join carts on carts.id = session.cart_id
   where intent.kind = 'charge'`,
)
const orders = statement<{ id: string; charge_id: string; total: bigint; refunded: bigint }>(
  'faults.orders',
  'select id, charge_id, total, refunded from orders',
)
const stock = statement<{
  sku_id: string
  on_hand: number
  held: number
  holds: bigint
  ordered: bigint
  canceled: bigint
}>(
  'faults.stock',
  `select level.sku_id, on_hand, held,
     coalesce((select sum(taken) from stock_holds as hold join checkout_sessions as session on session.id = hold.holder
       where hold.sku_id = level.sku_id and hold.environment = level.environment and session.ended_at is null), 0)::bigint as holds,
     coalesce((select sum(ordered) from order_lines as line where line.sku_id = level.sku_id), 0)::bigint as ordered,
     coalesce((select sum(canceled) from order_lines as line where line.sku_id = level.sku_id), 0)::bigint as canceled
   from stock_levels as level where environment = 'test'`,
)
const events = statement<{ id: string; subject_id: string; kind: string; sequence: bigint }>(
  'faults.events',
  'select id, subject_id, kind, sequence from events where kind = any($1)',
)

const queues = statement<{ queue: string; waiting: bigint }>(
  'faults.queues',
  `select 'events to fan out' as queue, count(*) as waiting from events_to_deliver
   union all select 'deliveries', count(*) from webhook_deliveries where status in ('pending', 'delivering', 'retrying')
   union all select 'payments', count(*) from payment_intents where ended_at is null
   union all select 'sessions', count(*) from checkout_sessions where status = 'processing'
   union all select 'cancellations', count(*) from cancellations where status in ('requested', 'approved')
   union all select 'jobs', count(*) from jobs where dead_at is null and (run_at < now() - interval '5 seconds')
   union all select 'dead jobs', count(*) from jobs where dead_at is not null`,
)

const skus = statement<{ id: string; code: string }>('faults.skus', 'select id, code from skus')

/** SKUs by code. */
export async function skusOf({ database }: ShopService): Promise<(code: string) => string> {
  const ids = new Map((await database.reader.rows(skus, [])).map(({ id, code }) => [code, id]))
  return (code) => ids.get(code) ?? assert.fail(`there is no ${code}`)
}

/** The pending work, by queue; empty at rest. */
export async function waitingIn({ database }: ShopService): Promise<string> {
  const rows = await database.reader.rows(queues, [])
  return rows
    .filter((row) => row.waiting > 0n)
    .map((row) => `${row.queue}: ${row.waiting}`)
    .join(', ')
}

/** The facts, read with SQL, from the provider's books and from the receiver's log. */
export async function factsOf({ database, simulator, receiver }: ShopService): Promise<Facts> {
  const { reader } = database
  const books = Map.groupBy(simulator.books(), ({ payment }) => payment.replace(/:authorize$/, ''))
  const amounts = (chargeId: string, operation: string) =>
    (books.get(chargeId) ?? []).filter((entry) => entry.operation === operation).map(({ amount }) => BigInt(amount))

  const stored = await reader.rows(orders, [])
  const money: OrderMoney[] = stored.map(({ id, charge_id, total, refunded }) => ({
    orderId: id,
    total,
    refunded,
    captures: amounts(charge_id, 'capture'),
    refunds: amounts(charge_id, 'refund'),
  }))
  const ordered = new Set(stored.map(({ charge_id }) => charge_id))
  const strayMoney = [...books].flatMap(([chargeId, entries]) =>
    entries
      .filter(({ operation }) => !ordered.has(chargeId) && operation !== 'authorize' && operation !== 'void')
      .map(({ operation }) => `${operation} of ${chargeId}`),
  )
  const levels: Stock[] = (await reader.rows(stock, [])).map((level) => ({
    skuId: level.sku_id,
    initial: STOCK_UNITS,
    onHand: level.on_hand,
    held: level.held,
    holds: Number(level.holds),
    ordered: Number(level.ordered),
    canceled: Number(level.canceled),
  }))
  const kept: StoredEvent[] = (await reader.rows(events, [EVENTS])).map((event) => ({
    id: event.id,
    subject: event.subject_id,
    kind: event.kind,
    sequence: Number(event.sequence),
  }))
  const arrivals = receiver.arrivals.map(({ headers, body }) => ({
    eventId: String(headers['webhook-id']),
    body: body.toString(),
  }))
  const effects = await effectsOf(database, (chargeId) => amounts(chargeId, 'capture').length)
  return { effects, orders: money, strayMoney, stock: levels, events: kept, arrivals }
}

async function effectsOf({ reader }: Database, capturesOf: (chargeId: string) => number): Promise<Effect[]> {
  const effects: Effect[] = (await reader.rows(marked, [])).map(({ kind, mark, id }) => ({ kind, key: mark, id }))
  for (const { mark, cart_id, quantity } of await reader.rows(mugs, [])) {
    let rest = quantity
    for (const add of [...ADDS].reverse()) {
      const times = add === 1 ? rest : Math.floor(rest / add)
      rest -= times * add
      for (let time = 0; time < times; time += 1)
        effects.push({ kind: 'line', key: `${mark}:line:${add}`, id: cart_id })
    }
  }
  for (const { id, mark } of await reader.rows(charges, [])) {
    for (let time = 0; time < capturesOf(id); time += 1) effects.push({ kind: 'payment', key: `${mark}:payment`, id })
  }
  return effects
}
