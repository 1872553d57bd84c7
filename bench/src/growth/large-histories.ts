import { migrate, openDatabase } from '@vitrine/server'
import { Client } from 'pg'
import { findCustomers, listCustomerRecords } from '../../../server/src/features/accounts/index.ts'
import {
  findOrderById,
  findOrders,
  ordersByDay,
  ordersOfCustomer,
  searchOrders,
} from '../../../server/src/features/orders/index.ts'
import { ordersOf } from '../../../server/src/features/orders/order/list.ts'
import type { Reader } from '../../../server/src/platform/postgres/index.ts'
import {
  customerId,
  LARGE_INSTALLATION,
  LINES_OF_ORDER,
  orderId,
  placedAt,
  writeLargeHistory,
} from '../../../test/support/commerce/large-history.ts'
import { type Asked, noting } from '../../../test/support/plans.ts'
import { ceilingFigure, type Figure } from '../figure.ts'
import { inDatabase, writeGrowth } from './results.ts'

const PAGE = 50
const ROUNDS = 100
const SLOWEST_MS = 10
/** The number of days that the sales report covers. */
const DAYS = 30
const DAY_MS = 86_400_000

/** A place in the history: the number of an order, and of a customer. */
interface Place {
  readonly order: number
  readonly customer: number
  readonly at: { readonly placedAt: string; readonly id: string }
  readonly newestAt: Date
}

const LARGE = { installationId: LARGE_INSTALLATION, environment: 'live', narrowedTo: null } as const

const READS = {
  "an installation's orders": (reader, { at }) => ordersOf(reader, LARGE, at, PAGE),
  "the operator's orders": (reader, { at }) => searchOrders(reader, {}, at, PAGE),
  'orders of an address': (reader, { customer }) =>
    searchOrders(reader, { email: `buyer-${customer}@example.com` }, null, PAGE),
  'an order': (reader, { order }) => findOrderById(reader, orderId(order)),
  "a customer's orders": (reader, { customer }) =>
    ordersOfCustomer(reader, { customerId: customerId(customer), environment: 'live' }, null, PAGE),
  'orders by the beginning of a text': (reader, { order }) =>
    findOrders(reader, { environment: 'live', text: `V-${order}`, storeId: null, limit: 5 }),
  'customers by the beginning of a text': (reader, { customer }) => findCustomers(reader, `buyer-${customer}`, 5),
  'customers by address': (reader, { customer }) =>
    listCustomerRecords(reader, { email: `buyer-${customer}@example.com`, afterId: null, limit: PAGE }),
  'sales of a month': (reader, { newestAt }) =>
    ordersByDay(reader, 'live', new Date(newestAt.getTime() - DAYS * DAY_MS), null),
} satisfies Readonly<Record<string, (reader: Reader, place: Place) => Promise<unknown>>>
type Read = keyof typeof READS

/** It has no target: it reads every order of a month, and their number does not grow with the history. See its line in the README. */
const OF_A_MONTH: Read = 'sales of a month'

interface Measured {
  readonly orders: number
  readonly lines: number
  readonly customers: number
  readonly writeSeconds: number
  readonly gigabytes: number
  /** The 95th percentile, planning included, as measured by PostgreSQL. Milliseconds. */
  readonly p95Ms: Readonly<Record<Read, number>>
}

/**
 * Measures how operators and shoppers read customers, orders and their lines, at places all over histories of several sizes. Writes
 * `bench/results/history.json` and its curves.
 *
 * @param serverUrl the URL of any database on this machine, as a superuser
 */
export async function largeHistories(
  serverUrl: string,
  sizes: readonly number[],
  note: (sentence: string) => void,
): Promise<Figure[]> {
  const all: Measured[] = []
  for (const orders of sizes) {
    note(`Writing and measuring a history of ${orders.toLocaleString('en')} orders.`)
    all.push(await inDatabase(serverUrl, 'bench_history', (url) => measured(url, orders)))
  }
  await writeResults(all)
  return all.flatMap(figuresOf)
}

function writeResults(measured: readonly Measured[]): Promise<void> {
  const chart = { title: 'Reads of orders and customers, p95', below: 'orders', unit: 'ms' }
  const curvesOf = (all: readonly Measured[]) =>
    (Object.keys(READS) as Read[]).map((name) => ({
      name,
      points: all.map(({ orders, p95Ms }) => [orders, p95Ms[name]] as const),
    }))
  return writeGrowth(
    'history',
    measured,
    ({ orders }) => orders,
    (all) => ({ history: [chart, curvesOf(all)] }),
  )
}

async function measured(url: string, orders: number): Promise<Measured> {
  const customers = Math.ceil(orders * 0.3)
  await migrate(url)
  const startedAt = performance.now()
  await writeLargeHistory(url, { customers, orders })
  const writeSeconds = (performance.now() - startedAt) / 1000
  const database = openDatabase({ url, readersMax: 1 })
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const p95Ms: [string, number][] = []
    for (const [name, read] of Object.entries(READS)) {
      const times: number[] = []
      for (let nth = 0; nth < ROUNDS; nth += 1) {
        const asked: Asked[] = []
        await read(
          noting(database.reader, (each) => asked.push(each)),
          placeOf(nth, { orders, customers }),
        )
        times.push(await executionMs(client, asked))
      }
      p95Ms.push([name, times.toSorted((one, other) => one - other)[Math.floor(ROUNDS * 0.95)]!])
    }
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
    return {
      orders,
      lines: orders * LINES_OF_ORDER,
      customers,
      writeSeconds,
      gigabytes: Number(rows[0]!.bytes) / 1e9,
      p95Ms: Object.fromEntries(p95Ms) as Measured['p95Ms'],
    }
  } finally {
    await client.end()
    await database.close()
  }
}

/** Places spread over the history, the same each time. */
function placeOf(nth: number, { orders, customers }: { readonly orders: number; readonly customers: number }): Place {
  const order = 1 + ((nth * 7919) % ROUNDS) * Math.floor(orders / ROUNDS)
  return {
    order,
    customer: 1 + ((nth * 7919) % ROUNDS) * Math.floor(customers / ROUNDS),
    at: { placedAt: placedAt(order, orders).toISOString(), id: orderId(order) },
    newestAt: placedAt(orders, orders),
  }
}

interface PlanTimes {
  readonly 'Planning Time': number
  readonly 'Execution Time': number
}

/** The statements are planned each time, which costs more than the prepared statements of the operations. */
async function executionMs(client: Client, asked: readonly Asked[]): Promise<number> {
  let ms = 0
  for (const { text, values } of asked) {
    const explain = `explain (analyze, timing off, format json) ${text}`
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [PlanTimes] }>(explain, [...values])
    const [times] = rows[0]!['QUERY PLAN']
    ms += times['Planning Time'] + times['Execution Time']
  }
  return ms
}

function figuresOf({ orders, lines, p95Ms }: Measured): Figure[] {
  const of = `of ${orders.toLocaleString('en')} with ${lines.toLocaleString('en')} lines`
  return (Object.keys(READS) as Read[])
    .filter((name) => name !== OF_A_MONTH)
    .map((name) => ceilingFigure(`${name}, ${of}, in the database, p95`, 'ms', p95Ms[name], SLOWEST_MS))
}
