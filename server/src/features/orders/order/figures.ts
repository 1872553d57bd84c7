import type { Environment } from '../../../kernel/environment.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** Orders of one day (UTC) in one currency. */
export interface DayOfOrders {
  /** `2026-11-21` */
  readonly day: string
  readonly currency: string
  readonly orders: number
  /** Charged amount in minor units. */
  readonly charged: bigint
  readonly refunded: bigint
}

const byDay = statement<DayOfOrders>(
  'orders.figures_by_day',
  `select to_char(placed_at at time zone 'UTC', 'YYYY-MM-DD') as day, currency, count(*)::integer as orders,
     sum(charged)::bigint as charged, sum(refunded)::bigint as refunded
   from orders
   where (placed_at at time zone 'UTC') >= ($2::timestamptz at time zone 'UTC') and environment = $1
   group by 1, 2 order by 1, 2`,
)
const open = statement<{ status: string; orders: number }>(
  'orders.figures_open',
  `select status, count(*)::integer as orders from orders
   where status in ('confirmed', 'processing', 'on_hold') and environment = $1 group by status`,
)

/** Counts orders by day and currency since a time. */
export function ordersByDay(reader: Reader, environment: Environment, since: Date): Promise<DayOfOrders[]> {
  return reader.rows(byDay, [environment, since])
}

/** Counts the orders that still need work, by status. */
export async function openOrders(reader: Reader, environment: Environment): Promise<Readonly<Record<string, number>>> {
  const rows = await reader.rows(open, [environment])
  return Object.fromEntries(rows.map(({ status, orders }) => [status, orders]))
}
