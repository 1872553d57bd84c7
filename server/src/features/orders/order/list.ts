import { sql } from 'kysely'
import { present } from '../../../kernel/assert.ts'
import type { Environment } from '../../../kernel/environment.ts'
import { type Owner, ofStore } from '../../../kernel/owner.ts'
import { queries } from '../../../platform/postgres/query-builder.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { timeZoneSql } from '../../storefront/index.ts'
import { type Order, storesOf } from './order.ts'
import type { OrderRow } from './rows.ts'
import { shareOf } from './share.ts'
import { type Statuses, statusesOf } from './status.ts'
import { findOrdersById, hasShareOf, ORDER_COLUMNS, shownTo } from './store.ts'

/** An order in a list. Amounts are minor units. */
export interface Summary
  extends Statuses,
    Pick<Order, 'id' | 'number' | 'customerId' | 'clientReferenceId' | 'version'> {
  readonly installationId: string
  readonly environment: Environment
  readonly placedAt: Date
  readonly currency: string
  readonly total: bigint
  readonly storeIds: readonly string[]
  /** As ordered. */
  readonly lines: number
  readonly units: number
  readonly openCancellations: number
  readonly openAfterSales: number
  readonly updatedAt: Date
}

/** The position after which a page begins. */
export interface OrderPosition {
  /** RFC 3339. */
  readonly placedAt: string
  readonly id: string
}

// The same conditions as in the partial indexes.
const OPEN_CANCELLATION = `status in ('requested', 'approved')`
const OPEN_REQUEST = `status not in ('completed', 'declined', 'withdrawn', 'expired')`
const STORES =
  'coalesce(orders.store_ids, array(select line.store_id from order_lines line where line.order_id = orders.id order by position))'
const COLUMNS = `id, number, installation_id as "installationId", environment, status, payment_status as "paymentStatus",
  fulfillment_status as "fulfillmentStatus", placed_at as "placedAt", currency, total, customer_id as "customerId",
  client_reference_id as "clientReferenceId", line_count as lines, version, updated_at as "updatedAt",
  ${STORES} as "storeIds",
  coalesce(unit_count, (select sum(ordered)::integer from order_lines where order_id = orders.id), 0) as units,
  (select count(*)::integer from cancellations where order_id = orders.id and ${OPEN_CANCELLATION})
    as "openCancellations",
  (select count(*)::integer from after_sales where order_id = orders.id and ${OPEN_REQUEST}) as "openAfterSales"`

// One row comparison against the index: page 10,000 costs what page 1 does, and nothing is sorted.
const OWN = ofStore.where('orders', 1)
const after = (placedAt: string, id: string) => `(${placedAt}, ${id}) < ($4::timestamptz, $5)
   order by ${placedAt} desc, ${id} desc limit $6`
export const listOfInstallation = statement<Summary>(
  'orders.list_of_installation',
  `select ${COLUMNS} from orders where ${OWN} and ${after('placed_at', 'id')}`,
)

interface ShareRow extends OrderRow {
  readonly open_cancellations: number
  readonly open_after_sales: number
}

// Each part compares the store without an OR, which the indexes orders_of_store and order_shares_of_store require. Orders are read
// whole, because only `shareOf` decides what a share shows.
const openOf = (requests: string, lines: string, isOpen: string) => `(select count(*)::integer from ${requests}
     where order_id = orders.id and ${isOpen} and exists (
       select from ${lines} asked join order_lines line on line.id = asked.line_id
       where asked.${lines.replace('lines', 'id')} = ${requests}.id and line.store_id = $3))`
export const listOfStore = statement<ShareRow>(
  'orders.list_of_store',
  `with page as (
     (select id, placed_at from orders where ${OWN} and store_id = $3 and ${after('placed_at', 'id')})
     union all
     (select order_id, placed_at from order_shares
      where ${ofStore.where('order_shares', 1)} and store_id = $3 and ${after('placed_at', 'order_id')})
     order by placed_at desc, id desc limit $6)
   select ${ORDER_COLUMNS},
     ${openOf('cancellations', 'cancellation_lines', OPEN_CANCELLATION)} as open_cancellations,
     ${openOf('after_sales', 'after_sales_lines', OPEN_REQUEST)} as open_after_sales
   from orders where id in (select id from page) order by placed_at desc, id desc`,
)

/** The position before the first order. */
const FIRST: OrderPosition = { placedAt: 'infinity', id: '' }

/** Lists the orders of an owner after a position, newest first. A credential narrowed to one store gets that store's shares. */
export async function ordersOf(
  reader: Reader,
  owner: Owner,
  behind: OrderPosition | null,
  limit: number,
): Promise<readonly Summary[]> {
  const { placedAt, id } = behind ?? FIRST
  const values = [...ofStore.values(owner), placedAt, id, limit]
  if (owner.narrowedTo === null) return reader.rows(listOfInstallation, values)
  return (await reader.rows(listOfStore, values)).map((row) => {
    return {
      ...summaryOf(shownTo(owner, row)),
      openCancellations: row.open_cancellations,
      openAfterSales: row.open_after_sales,
    }
  })
}

/** An order in the list of its customer, with the time zone of its sellers. */
type CustomerOrder = Summary & { readonly timeZone: string }

const listOfCustomer = statement<CustomerOrder>(
  'orders.list_of_customer',
  `select ${COLUMNS}, ${timeZoneSql(STORES)} as "timeZone" from orders
   where customer_id = $1 and environment = $2 and (placed_at, id) < ($3::timestamptz, $4)
   order by placed_at desc, id desc limit $5`,
)
const environmentsOfCustomer = statement<{ readonly environment: Environment }>(
  'orders.environments_of_customer',
  'select distinct environment from orders where customer_id = $1',
)

/** Lists the orders of a customer in all shops of the marketplace after a position, newest first. */
export function ordersOfCustomer(
  reader: Reader,
  { customerId, environment }: { readonly customerId: string; readonly environment: Environment },
  behind: OrderPosition | null,
  limit: number,
): Promise<CustomerOrder[]> {
  const { placedAt, id } = behind ?? FIRST
  return reader.rows(listOfCustomer, [customerId, environment, placedAt, id, limit])
}

/** The environments that a customer has orders in. */
export async function environmentsWithOrders(reader: Reader, customerId: string): Promise<ReadonlySet<Environment>> {
  return new Set((await reader.rows(environmentsOfCustomer, [customerId])).map(({ environment }) => environment))
}

function summaryOf(order: Order): Omit<Summary, 'openCancellations' | 'openAfterSales'> {
  return {
    ...order,
    ...statusesOf(order),
    total: BigInt(order.totals.total.amount),
    storeIds: storesOf(order),
    lines: order.lines.length,
    units: order.lines.reduce((sum, { units }) => sum + units.ordered, 0),
  }
}

/** An order in the operator's list, with the buyer's email address. */
export interface FoundOrder extends Summary {
  readonly email: string
  /** Tags by staff, in alphabetical order. */
  readonly tags: readonly string[]
  /** Of the share of a store; absent: of the whole order. */
  readonly refunded?: bigint
}

/** Filters of the operator's list. */
export interface OrderSearch {
  readonly id?: string | undefined
  readonly installationId?: string | undefined
  readonly environment?: Environment | undefined
  readonly status?: Summary['status'] | undefined
  readonly paymentStatus?: Summary['paymentStatus'] | undefined
  readonly fulfillmentStatus?: Summary['fulfillmentStatus'] | undefined
  readonly number?: string | undefined
  readonly email?: string | undefined
  readonly customerId?: string | undefined
  readonly tag?: string | undefined
  /** Orders with a refund that failed. */
  readonly refunds?: 'failed' | undefined
  /** Orders with lines of this store only, and its shares of other orders. */
  readonly storeId?: string | undefined
}

/**
 * Lists orders of all installations after a position, newest first, for the operator. Across installations it orders by the
 * expression of its own index, so that the planner never picks that index for the list of one installation.
 */
export async function searchOrders(
  reader: Reader,
  search: OrderSearch,
  behind: OrderPosition | null,
  limit: number,
): Promise<FoundOrder[]> {
  const wanted = [
    ['id', search.id],
    ['status', search.status],
    ['payment_status', search.paymentStatus],
    ['fulfillment_status', search.fulfillmentStatus],
    ['number', search.number],
    ['lower(email)', search.email?.toLowerCase()],
    ['customer_id', search.customerId],
    ['installation_id', search.installationId],
    ['environment', search.environment],
  ] as const
  const { placedAt, id } = behind ?? FIRST
  const placed = sql.raw(search.installationId === undefined ? "(placed_at at time zone 'UTC')" : 'placed_at')
  const position =
    search.installationId === undefined
      ? sql`${placedAt}::timestamptz at time zone 'UTC'`
      : sql`${placedAt}::timestamptz`
  const conditions = [
    ...wanted.filter(([, value]) => value !== undefined).map(([column, value]) => sql`${sql.raw(column)} = ${value}`),
    // An installation has one environment, which selects its index.
    ...(search.installationId === undefined
      ? []
      : [sql`environment = (select environment from installations where id = ${search.installationId})`]),
    ...(search.tag === undefined ? [] : [sql`id in (select order_id from order_tags where tag = ${search.tag})`]),
    ...(search.refunds === undefined
      ? []
      : [sql`id in (select order_id from order_adjustments where state = 'failed')`]),
    ...(search.storeId === undefined
      ? []
      : [
          // Not "id in (…)", for which all shares of the store are read: this lets the planner look up those of the orders found.
          sql`(store_id = ${search.storeId} or exists (select from order_shares
            where order_shares.order_id = orders.id and order_shares.store_id = ${search.storeId}))`,
        ]),
    sql`(${placed}, id) < (${position}, ${id})`,
  ]
  const page = sql<FoundOrder>`select ${sql.raw(COLUMNS)}, email, ${TAGS} as tags from orders where ${sql.join(conditions, sql` and `)}
    order by ${placed} desc, id desc limit ${limit}`
  const found = await reader.run(page.compile(queries))
  return search.storeId === undefined ? found : sharesInList(reader, found, search.storeId)
}

/**
 * The listed orders, with the share of a store in those of several stores. It counts no open requests: those of an order of several
 * stores are the marketplace's.
 */
async function sharesInList(reader: Reader, found: readonly FoundOrder[], storeId: string): Promise<FoundOrder[]> {
  const isShared = ({ storeIds }: FoundOrder) => storeIds.some((each) => each !== storeId)
  const whole = await findOrdersById(
    reader,
    found.filter(isShared).map(({ id }) => id),
  )
  return found.map((each) => {
    if (!isShared(each)) return each
    const share = shareOf(present(whole.get(each.id), `the order ${each.id}`), storeId)
    const { refunded } = share.money
    return { ...each, ...summaryOf(share), refunded, openCancellations: 0, openAfterSales: 0 }
  })
}

const TAGS = sql`array(select tag from order_tags where order_id = orders.id order by lower(tag), tag)`

const countOfAddress = statement<{ count: number }>(
  'orders.count_of_address',
  `select count(*)::integer as count from (
     select from orders where lower(email) = lower($1) and environment = $2
       and ($4::text is null or store_id = $4 or ${hasShareOf('$4')})
     limit $3) as counted`,
)

/** Counts the orders with an email address that have lines of a store, up to a limit. `null`: of any store. */
export async function ordersOfAddress(
  reader: Reader,
  { email, environment }: Pick<Order, 'email' | 'environment'>,
  most: number,
  storeId: string | null,
): Promise<number> {
  return (await reader.row(countOfAddress, [email, environment, most, storeId]))?.count ?? 0
}

/** A result of a text search for orders. */
interface OrderFinding {
  readonly id: string
  readonly number: string
  readonly email: string
  readonly status: Summary['status']
  readonly currency: string
  /** Minor units. */
  readonly total: bigint
  readonly placedAt: Date
}

/** The orders that are read per index. If more match, the newest ones may be missing from the result. */
const READ_MAX = 100

// Each part reads one index from the start of the prefix, and stops after 100 orders, however many match.
const beginning = (column: string, from: string, to: string) => `(select id from orders
     where ${column} collate "C" >= ${from} and ${column} collate "C" < ${to} and environment = $1
       and ($7::text is null or store_id = $7)
     order by ${column} collate "C" limit ${READ_MAX})`
export const findByText = statement<OrderFinding>(
  'orders.find_by_text',
  `select id, number, email, status, currency, total, placed_at as "placedAt" from orders
   where id in (
     ${beginning('number', '$2', '$3')}
     union ${beginning('lower(email)', '$4', '$5')}
     union ${beginning("lower(shipping_address ->> 'recipientName')", '$4', '$5')})
   order by placed_at desc, id desc limit $6`,
)

/** Finds orders by a prefix of their number, their buyer's email address or their recipient's name, newest first. */
export function findOrders(
  reader: Reader,
  {
    environment,
    text,
    storeId,
    limit,
  }: {
    readonly environment: Environment
    readonly text: string
    readonly storeId: string | null
    readonly limit: number
  },
): Promise<OrderFinding[]> {
  const [upper, lower] = [text.toUpperCase(), text.toLowerCase()]
  return reader.rows(findByText, [
    environment,
    upper,
    `${upper}\u{10ffff}`,
    lower,
    `${lower}\u{10ffff}`,
    limit,
    storeId,
  ])
}

/** The position after which a page of a queue (cancellations, after-sales, fulfillments) begins. */
export interface QueuePosition {
  /** RFC 3339. */
  readonly createdAt: string
  readonly id: string
}

/** The position before the first entry of a queue. */
export const FIRST_IN_QUEUE: QueuePosition = { createdAt: '-infinity', id: '' }

/** A page of a queue, after a position; `null` for the first page, all environments and all stores. */
export interface QueuePage<Position = QueuePosition> {
  readonly limit: number
  readonly after: Position | null
  readonly environment: Environment | null
  readonly storeId: string | null
}

/** An SQL condition on a queue of requests: the order is in the environment of a parameter. True for a null parameter. */
export function ofEnvironment(queue: string, parameter: number): string {
  return `($${parameter}::text is null
       or exists (select from orders where id = ${queue}.order_id and environment = $${parameter}))`
}

/** An SQL condition on a queue of requests: the order has lines only of the store of a parameter. True for a null parameter. */
export function ofOneStore(queue: string, parameter: number): string {
  return `($${parameter}::text is null
       or exists (select from orders where id = ${queue}.order_id and store_id = $${parameter}))`
}
