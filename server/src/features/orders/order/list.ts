import type { Order as Resource } from '@vitrine/contract'
import { sql } from 'kysely'
import type { Environment } from '../../../kernel/environment.ts'
import { type Owner, ofStore } from '../../../kernel/owner.ts'
import { queries } from '../../../platform/postgres/query-builder.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** A row of a list. */
export interface SummaryRow {
  readonly id: string
  readonly number: string
  readonly installation_id: string
  readonly environment: Environment
  readonly status: Resource['status']
  readonly payment_status: Resource['paymentStatus']
  readonly fulfillment_status: Resource['fulfillmentStatus']
  readonly placed_at: Date
  readonly currency: string
  readonly total: bigint
  readonly line_count: number
  readonly version: number
  readonly updated_at: Date
}

/** The position after which a page begins. */
export interface OrderPosition {
  /** RFC 3339. */
  readonly placedAt: string
  readonly id: string
}

const COLUMNS = `id, number, installation_id, environment, status, payment_status, fulfillment_status, placed_at, currency, total,
  line_count, version, updated_at`

// One row comparison against the index: page 10,000 costs what page 1 does, and nothing is sorted.
const listOf = (condition: string) => `select ${COLUMNS} from orders
   where ${condition} and (placed_at, id) < ($4::timestamptz, $5)
   order by placed_at desc, id desc limit $6`
const OWN = ofStore.where('orders', 1)
export const listOfInstallation = statement<SummaryRow>('orders.list_of_installation', listOf(OWN))
// Names the store without an alternative, which the index orders_of_store requires.
export const listOfStore = statement<SummaryRow>('orders.list_of_store', listOf(`${OWN} and store_id = $3`))

/** Before the first order. */
const FIRST: OrderPosition = { placedAt: 'infinity', id: '' }

/** Lists orders of an owner after a position, newest first. */
export function ordersOf(
  reader: Reader,
  owner: Owner,
  behind: OrderPosition | null,
  limit: number,
): Promise<SummaryRow[]> {
  const { placedAt, id } = behind ?? FIRST
  const list = owner.narrowedTo ? listOfStore : listOfInstallation
  return reader.rows(list, [...ofStore.values(owner), placedAt, id, limit])
}

/** A row of the operator's list: with the buyer's email address. */
export interface FoundOrder extends SummaryRow {
  readonly email: string
}

/** Filters of the operator's list. */
export interface OrderSearch {
  readonly id?: string | undefined
  readonly installationId?: string | undefined
  readonly environment?: Environment | undefined
  readonly status?: SummaryRow['status'] | undefined
  readonly paymentStatus?: SummaryRow['payment_status'] | undefined
  readonly fulfillmentStatus?: SummaryRow['fulfillment_status'] | undefined
  readonly number?: string | undefined
  readonly email?: string | undefined
  readonly customerId?: string | undefined
}

/**
 * Lists orders of all installations after a position, newest first, for the operator. Across installations it orders by the
 * expression of its own index, so that the planner never picks that index for the list of one installation.
 */
export function searchOrders(
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
    sql`(${placed}, id) < (${position}, ${id})`,
  ]
  const page = sql<FoundOrder>`select ${sql.raw(COLUMNS)}, email from orders where ${sql.join(conditions, sql` and `)}
    order by ${placed} desc, id desc limit ${limit}`
  return reader.run(page.compile(queries))
}

/** The position after which a page of a queue (cancellations, after-sales) begins. */
export interface QueuePosition {
  /** RFC 3339. */
  readonly createdAt: string
  readonly id: string
}

/** Before the first entry of a queue. */
export const FIRST_IN_QUEUE: QueuePosition = { createdAt: '-infinity', id: '' }
