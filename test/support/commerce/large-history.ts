import { connectDirectly, type DirectClient } from '../../../server/src/platform/postgres/direct-client.ts'
import { withoutIndexes, writeStores } from './large-catalog.ts'

/** Rows per transaction. */
const BATCH = 100_000
const [FIRST_ORDER, LAST_ORDER] = ['2023-05-01T00:00:00Z', '2026-05-01T00:00:00Z']
export const LINES_OF_ORDER = 3

export const orderId = (nth: number) => `ord_01${nth.toString(16).padStart(24, '0')}`
export const customerId = (nth: number) => `cus_01${nth.toString(16).padStart(24, '0')}`
/** When an order was placed: higher numbers are later. */
export function placedAt(nth: number, orders: number): Date {
  const [first, last] = [Date.parse(FIRST_ORDER), Date.parse(LAST_ORDER)]
  return new Date(last - ((orders - nth) / orders) * (last - first))
}

/** Tables that grow with orders and customers. */
export const HISTORY_TABLES = ['customers', 'orders', 'order_lines', 'order_shipping', 'order_timeline', 'order_shares']

/** An installation of the whole marketplace has four fifths of the orders, an installation of one store the others. */
export const LARGE_INSTALLATION = `ins_${'0'.repeat(25)}1`
export const SMALL_INSTALLATION = `ins_${'0'.repeat(25)}2`

// A pseudorandom number in [0, 1) for an order: the same for the same order, in any batch.
const RANDOM = `
  create function pg_temp.u(n bigint, salt text) returns float8 immutable parallel safe language sql return
    (hashint8extended(n, hashtext(salt)) & 1073741823) / 1073741824.0`

const CUSTOMERS = `
  insert into customers (id, email, email_key, password_hash, password_changed_at, first_name, last_name, locale, marketing_consent,
    accepted_documents, confirmed_at, created_at, updated_at)
  select 'cus_01' || lpad(to_hex(n), 24, '0'), 'buyer-' || n || '@example.com', 'buyer-' || n || '@example.com', '$argon2id$none', at,
    (array['Ada','Ben','Clara','Dora','Emil','Frida','Gustav','Hanna'])[1 + n % 8],
    (array['Ahrens','Becker','Conrad','Dietrich','Ebert'])[1 + n % 5] || ' ' || n, 'en', n % 3 = 0, '[]', at, at, at
  from generate_series($1::bigint, $2::bigint) as n, lateral (select timestamptz '2020-01-01' + n * interval '1 second' as at) as time`

/**
 * The facts of a batch of orders. A third is from guests; few customers have many orders. A tenth has goods of two stores; the newest
 * 2 % are not completed.
 */
const FACTS = `
  create temporary table facts on commit drop as
  select n, 'ord_01' || lpad(to_hex(n), 24, '0') as id, stores[1] as store_id, stores[2] as other_store_id,
    case when is_large then '${LARGE_INSTALLATION}' else '${SMALL_INSTALLATION}' end as installation_id,
    is_large and pg_temp.u(n, 'shared') < 0.1 as is_shared,
    1 + floor(power(pg_temp.u(n, 'buyer'), 2) * $4)::bigint as buyer, pg_temp.u(n, 'guest') < 0.33 as is_guest,
    timestamptz '${LAST_ORDER}' - ($3 - n) / $3::float8 * (timestamptz '${LAST_ORDER}' - timestamptz '${FIRST_ORDER}') as placed_at,
    case when n > $3 * 0.98 then (array['confirmed', 'processing'])[1 + n % 2] else 'completed' end as status,
    1000 + floor(pg_temp.u(n, 'price') * 50000)::bigint as price
  from generate_series($1::bigint, $2::bigint) as n
  cross join lateral (select pg_temp.u(n, 'installation') < 0.8 as is_large) as sold
  cross join lateral (select case when not is_large then array[all_stores[1], all_stores[2]]
      when pg_temp.u(n, 'store') < 0.9 then array[all_stores[2], all_stores[3]] else array[all_stores[3], all_stores[2]] end as stores
    from (select array_agg(id order by id) as all_stores from stores) as known) as at`

const ROWS = [
  `insert into orders (id, number, installation_id, environment, store_id, source, status, payment_status, fulfillment_status, version,
     currency, country, locale, customer_id, email, store_ids, unit_count, shipping_address, totals, total, line_count, charge, charged,
     placed_at, created_at, updated_at)
   select id, 'V-' || n, installation_id, 'live', case when not is_shared then store_id end, 'operator', status, 'paid',
     case when status = 'completed' then 'delivered' else 'unfulfilled' end, 3, 'EUR', 'DE', 'en',
     case when not is_guest then 'cus_01' || lpad(to_hex(buyer), 24, '0') end, 'buyer-' || buyer || '@example.com',
     case when is_shared then array[store_id, other_store_id] else array[store_id] end, ${LINES_OF_ORDER},
     jsonb_build_object('recipientName', 'Recipient ' || buyer, 'line1', 'Lindenstraße ' || buyer % 200, 'city', 'Berlin',
       'postalCode', '10969', 'countryCode', 'DE'),
     jsonb_build_object('itemsSubtotal', money, 'itemsDiscount', none, 'tax', jsonb_build_object('amount', none, 'added', none,
       'included', true, 'status', 'final'), 'total', money, 'byStore', '[]'::jsonb,
       'rounding', '{"mode": "half_away_from_zero", "level": "line"}'::jsonb),
     ${LINES_OF_ORDER} * price, ${LINES_OF_ORDER}, 'captured', ${LINES_OF_ORDER} * price, placed_at, placed_at, placed_at
   from facts, lateral (select jsonb_build_object('amount', ${LINES_OF_ORDER} * price, 'currency', 'EUR') as money,
     '{"amount": 0, "currency": "EUR"}'::jsonb as none) as amounts`,
  `insert into order_lines (id, order_id, position, sku_id, product_id, store_id, code, name, unit_price, subtotal, tax_lines, total,
     ordered)
   select 'oli_01' || lpad(to_hex(n * 8 + nth), 24, '0'), id, nth, 'sku_01' || lpad(to_hex(thing * 8), 24, '0'),
     'prod_01' || lpad(to_hex(thing), 24, '0'), case when is_shared and nth = 2 then other_store_id else store_id end, 'C' || thing,
     'Thing ' || thing, price, price, '[{"name": "VAT", "rate": "0.19", "category": "standard", "taxable": 840, "amount": 160, "included": true}]',
     price, 1
   from facts, generate_series(1, ${LINES_OF_ORDER}) as nth, lateral (select floor(power(pg_temp.u(n * 8 + nth, 'thing'), 2) * 200000)::bigint as thing) as sold`,
  `insert into order_shipping (order_id, store_id, position, option_id, name, chosen, amount, total)
   select id, store_id, 1, 'shp_01' || repeat('0', 24), 'Parcel', true, 0, 0 from facts`,
  `insert into order_timeline (order_id, position, at, code, text, actor)
   select id, 1, placed_at, 'placed', 'The order was placed.', 'customer' from facts`,
  `insert into order_shares (order_id, store_id, installation_id, environment, placed_at)
   select id, unnest(array[store_id, other_store_id]), installation_id, 'live', placed_at from facts where is_shared`,
]

export interface LargeHistory {
  readonly customers: number
  readonly orders: number
}

/**
 * Fills a migrated database with customers and their orders, with SQL: ten million order lines take a quarter of an hour and
 * some 12 GB. The data is the same each time. The user must be a superuser, because triggers and foreign keys are turned off.
 */
export async function writeLargeHistory(url: string, { customers, orders }: LargeHistory): Promise<void> {
  const client = await connectDirectly(url, 'vitrine large history')
  try {
    await client.query(`set session_replication_role = replica; set maintenance_work_mem = '256MB'; ${RANDOM}`)
    await writeStores(client)
    await writeInstallations(client)
    await withoutIndexes(client, HISTORY_TABLES, async () => {
      for (const [first, last] of batches(customers)) {
        await client.query(CUSTOMERS, [first, last])
      }
      for (const [first, last] of batches(orders)) {
        await client.query('begin')
        await client.query(FACTS, [first, last, orders, customers])
        for (const rows of ROWS) await client.query(rows)
        await client.query('commit')
      }
    })
    for (const table of HISTORY_TABLES) await client.query(`vacuum analyze ${table}`)
  } finally {
    await client.end()
  }
}

function* batches(count: number): Generator<readonly [first: number, last: number]> {
  for (let first = 1; first <= count; first += BATCH) yield [first, Math.min(count, first + BATCH - 1)]
}

async function writeInstallations(client: DirectClient): Promise<void> {
  await client.query(
    `insert into installations (id, name, store_id, environment, created_at, updated_at)
     values ($1, 'A marketplace', null, 'live', now(), now()),
       ($2, 'A shop', (select min(id) from stores), 'live', now(), now())`,
    [LARGE_INSTALLATION, SMALL_INSTALLATION],
  )
}
