import {
  createInstallation,
  type Database,
  idSource,
  migrate,
  openDatabase,
  statement,
  systemClock,
  systemRandomness,
} from '@vitrine/server'
import { Client } from 'pg'
import { listOfInstallation } from '../../server/src/features/orders/order/list.ts'

const ORDERS = 1_000_000
/** Written by one statement, which must end before its timeout also on a busy machine. */
const BATCH = 50_000
const PAGE = 50
const PAGES_READ = 300
const DATABASE = 'vitrine_bench_orders'

/**
 * Lists fifty of a million orders of one installation, at places all over the list, by the statement that the operation
 * runs. Answers the time that 95 of 100 lists stay below, planning included, as the database itself measures it.
 * Milliseconds.
 *
 * @param url of any database of the cluster; a temporary one is created next to it, and dropped
 */
export async function orderListMs(url: string): Promise<number> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  try {
    await admin.query(`drop database if exists ${DATABASE}`)
    await admin.query(`create database ${DATABASE}`)
    return await measured(Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href)
  } finally {
    await admin.query(`drop database if exists ${DATABASE} with (force)`)
    await admin.end()
  }
}

async function measured(url: string): Promise<number> {
  await migrate(url)
  const database = openDatabase({ url })
  try {
    const ids = idSource(systemClock, systemRandomness())
    const installation = { name: 'A busy shop', environment: 'live', origins: [], returnUrls: [] } as const
    const installationId = await database.transaction((tx) =>
      createInstallation(tx, installation, { ids, now: systemClock.now() }),
    )
    await fill(database, installationId)
    const times = await listed(database, installationId)
    times.sort((one, other) => one - other)
    return times[Math.floor(times.length * 0.95)] as number
  } finally {
    await database.close()
  }
}

// Lists read this table alone. A second lies between two orders; every tenth shares its moment with the one before.
const insert = statement(
  'bench.insert_orders',
  `insert into orders (id, number, installation_id, environment, source, status, payment_status, fulfillment_status, version,
     currency, country, locale, email, totals, total, line_count, charge, charged, placed_at, created_at, updated_at)
   select 'ord_' || lpad(to_hex(nth), 26, '0'), 'V-' || nth, $1, 'live', 'operator',
     (array['confirmed', 'processing', 'completed', 'canceled'])[1 + nth % 4],
     'paid', 'unfulfilled', 1, 'EUR', 'DE', 'en', 'buyer-' || nth % 50000 || '@example.com', '{}', nth % 100000, 1 + nth % 5,
     'captured', nth % 100000, placed, placed, placed
   from generate_series($2::integer, $3::integer) as nth,
     lateral (select timestamptz '2024-01-01' + (nth - (nth % 10 = 0)::integer) * interval '1 second' as placed) as time`,
)
const analyze = statement('bench.analyze_orders', 'analyze orders')
const places = statement<{ id: string; placed_at: Date }>(
  'bench.places',
  `select id, placed_at from orders where id in (
     select 'ord_' || lpad(to_hex((nth * $1 / $2)::integer), 26, '0') from generate_series(1, $2::bigint) as nth)`,
)

async function fill(database: Database, installationId: string): Promise<void> {
  for (let from = 1; from <= ORDERS; from += BATCH) {
    await database.transaction(async (tx) => {
      tx.write(insert, [installationId, from, from + BATCH - 1], { rows: BATCH })
    })
  }
  await database.transaction((tx) => tx.rows(analyze))
}

// Planned each time, which costs more than the prepared statement of the operation.
const explain = statement<{ 'QUERY PLAN': readonly [PlanTimes] }>(
  'bench.explain_list',
  `explain (analyze, timing off, format json) ${listOfInstallation.text}`,
)

interface PlanTimes {
  readonly 'Planning Time': number
  readonly 'Execution Time': number
}

async function listed(database: Database, installationId: string): Promise<number[]> {
  const times: number[] = []
  for (const { id, placed_at: placedAt } of await database.reader.rows(places, [ORDERS, PAGES_READ])) {
    // One more row shows whether there is a next page.
    const row = await database.reader.row(explain, [installationId, 'live', placedAt, id, PAGE + 1])
    const [plan] = row?.['QUERY PLAN'] ?? []
    if (!plan) throw new Error('The database does not say how long it took.')
    times.push(plan['Planning Time'] + plan['Execution Time'])
  }
  return times
}
