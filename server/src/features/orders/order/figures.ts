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
     and ($3::text is null or store_id = $3)
   group by 1, 2 order by 1, 2`,
)
/** Counts orders by day and currency since a time: all orders, or those with lines of one store only. */
export function ordersByDay(
  reader: Reader,
  environment: Environment,
  since: Date,
  storeId: string | null,
): Promise<DayOfOrders[]> {
  return reader.rows(byDay, [environment, since, storeId])
}

const isSold = statement<{ environment: Environment }>(
  'orders.environment_of_orders',
  `select environment from unnest(array['live', 'test']) as environment
   where exists (select from installations installation where installation.environment = environment.environment
     and exists (select from orders where installation_id = installation.id and environment = installation.environment))
   order by environment limit 1`,
)
const byProduct = statement<ProductSales>(
  'orders.figures_by_product',
  `select line.product_id as "productId", max(line.name) as name, sum(line.ordered - line.canceled)::integer as units,
     sum(line.total - round(line.total::numeric * line.canceled / line.ordered))::bigint as total
   from orders join order_lines line on line.order_id = orders.id
   where (placed_at at time zone 'UTC') >= ($3::timestamptz at time zone 'UTC') and environment = $1 and currency = $2
     and line.canceled < line.ordered and ($5::text is null or line.store_id = $5)
   group by line.product_id, case when line.product_id is null then line.name end
   order by total desc, name limit $4`,
)

/** The sales of a product. */
interface ProductSales {
  readonly productId: string | null
  readonly name: string
  /** Ordered units without canceled ones. */
  readonly units: number
  /** The totals of the order lines in minor units, without canceled units. */
  readonly total: bigint
}

/** The environment to show: `live` if it has orders or neither has, else `test`. */
export async function environmentOfOrders(reader: Reader): Promise<Environment> {
  return (await reader.row(isSold))?.environment ?? 'live'
}

/** The products with the highest totals since a time, in one currency. */
export function topProducts(
  reader: Reader,
  wanted: {
    readonly environment: Environment
    readonly currency: string
    readonly since: Date
    readonly storeId: string | null
    readonly limit: number
  },
): Promise<ProductSales[]> {
  return reader.rows(byProduct, [wanted.environment, wanted.currency, wanted.since, wanted.limit, wanted.storeId])
}

const isTried = statement<{ isTried: boolean }>(
  'orders.is_tried',
  `select exists (select from installations where environment = 'test'
     and exists (select from orders where installation_id = installations.id and source = 'hosted_checkout')) as "isTried"`,
)

/** Whether a checkout in the test environment has created an order. */
export async function hasTestOrder(reader: Reader): Promise<boolean> {
  return (await reader.row(isTried))?.isTried === true
}
