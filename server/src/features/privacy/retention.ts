import { limits } from '@vitrine/contract'
import type { IdSource } from '../../kernel/ids.ts'
import { MAIL_RETENTION_DAYS } from '../../platform/mail/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { ENDED_CART_RETENTION_DAYS } from '../carts/index.ts'
import { SEARCH_COUNTS_RETENTION_DAYS } from '../catalog/index.ts'
import { erasePerson } from './erase.ts'
import { findPerson, personOfOrders } from './person.ts'

/** How long data is kept. `null`: until it is erased on request. */
export interface Retention {
  /** Full calendar years after that of the order, or of its last invoice or credit note, as tax law counts. */
  readonly orderYears: number | null
  readonly closedAccountDays: number | null
  readonly endedCartDays: number
  readonly mailDays: number
  readonly searchDays: number
}

/** The retention before operators have saved one. Orders are kept until the operators know which law applies. */
export const DEFAULT_RETENTION: Retention = {
  orderYears: null,
  closedAccountDays: null,
  endedCartDays: ENDED_CART_RETENTION_DAYS,
  mailDays: MAIL_RETENTION_DAYS,
  searchDays: SEARCH_COUNTS_RETENTION_DAYS,
}

interface Row {
  readonly order_years: number | null
  readonly closed_account_days: number | null
  readonly ended_cart_days: number
  readonly mail_days: number
  readonly search_days: number
  readonly version: number
}

const read = statement<Row>('privacy.retention', 'select * from retention_settings')
const save = statement(
  'privacy.save_retention',
  `insert into retention_settings as saved (order_years, closed_account_days, ended_cart_days, mail_days, search_days, version, updated_at)
   values ($1, $2, $3, $4, $5, 1, $6)
   on conflict (only_row) do update set order_years = $1, closed_account_days = $2, ended_cart_days = $3, mail_days = $4,
     search_days = $5, version = saved.version + 1, updated_at = $6`,
)

export async function readRetention(reader: Reader): Promise<Retention & { readonly version: number }> {
  const row = await reader.row(read)
  if (row === undefined) return { ...DEFAULT_RETENTION, version: 0 }
  return {
    orderYears: row.order_years,
    closedAccountDays: row.closed_account_days,
    endedCartDays: row.ended_cart_days,
    mailDays: row.mail_days,
    searchDays: row.search_days,
    version: row.version,
  }
}

export function saveRetention(tx: Transaction, retention: Retention, now: Date): void {
  const { orderYears, closedAccountDays, endedCartDays, mailDays, searchDays } = retention
  tx.write(save, [orderYears, closedAccountDays, endedCartDays, mailDays, searchDays, now])
}

const DAY_MS = 86_400_000

/** The dates before which data is too old; `null` for no limit. */
function limitsOf(retention: Retention, now: Date) {
  const { orderYears, closedAccountDays } = retention
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return {
    orders: orderYears === null ? null : new Date(Date.UTC(now.getUTCFullYear() - orderYears, 0, 1)),
    closedAccounts: closedAccountDays === null ? null : daysAgo(closedAccountDays),
    endedCarts: daysAgo(retention.endedCartDays),
    mails: daysAgo(retention.mailDays),
    searches: daysAgo(retention.searchDays),
  }
}

const CLOSED_ORDER = `status in ('completed', 'canceled') and refund_pending = 0 and unknown = 0
  and charge not in ('pending', 'authorized')`
/** The legal time of an order is over if that of its last document is, too: a refund can follow years later. */
const OLD_ORDER = `placed_at < $1 and ${CLOSED_ORDER} and not exists (select from invoices document
  where document.order_id = orders.id and document.issued_on >= ($1 at time zone 'UTC')::date)`
const preview = statement<RetentionPreview>(
  'privacy.preview_retention',
  `select
     (select count(*)::integer from orders where ${OLD_ORDER} and erased_at is null) as orders,
     (select count(*)::integer from invoices join orders on orders.id = order_id
       where ${OLD_ORDER} and invoices.erased_at is null) as invoices,
     (select count(*)::integer from customers where closed_at < $2) as "closedAccounts",
     (select count(*)::integer from carts where ended_at < $3) as "endedCarts",
     (select count(*)::integer from mails where created_at < $4) as mails,
     (select count(*)::integer from search_counts where day < $5) as searches`,
)

/** The number of rows that are too old. */
interface RetentionPreview {
  readonly orders: number
  readonly invoices: number
  readonly closedAccounts: number
  readonly endedCarts: number
  readonly mails: number
  readonly searches: number
}

/** Counts the rows that would be erased if these settings were saved now. */
export async function previewRetention(reader: Reader, retention: Retention, now: Date): Promise<RetentionPreview> {
  const { orders, closedAccounts, endedCarts, mails, searches } = limitsOf(retention, now)
  const [found] = await reader.rows(preview, [orders, closedAccounts, endedCarts, mails, searches])
  return found!
}

/** The number of orders per transaction: every place is searched for them. */
const ORDERS_AT_ONCE = 20
const ACCOUNTS_AT_ONCE = 5
const dueOrders = statement<{ id: string; changed_at: Date }>(
  'privacy.due_orders',
  `select id, greatest(updated_at, (select max(updated_at) from after_sales where order_id = orders.id),
       (select max(updated_at) from cancellations where order_id = orders.id),
       (select max(at) from order_notes where order_id = orders.id)) as changed_at
   from orders where ${OLD_ORDER}
     and (erased_at is null or exists (select from invoices where order_id = orders.id and erased_at is null))
   order by placed_at limit ${ORDERS_AT_ONCE} for update skip locked`,
)
const dueAccounts = statement<{ id: string; position: string }>(
  'privacy.due_accounts',
  `select id, closed_at::text as position from customers
   where closed_at < $1 and ($2::timestamptz is null or (closed_at, id) > ($2::timestamptz, $3))
     and not exists (select from orders where customer_id = customers.id and not (${CLOSED_ORDER}))
   order by closed_at, id limit ${ACCOUNTS_AT_ONCE} for update skip locked`,
)

/** Erases the oldest orders whose legal time is over, with all their data. Returns whether more may be left. */
export async function sweepOldOrders(
  tx: Transaction,
  { retention, now, ids }: { readonly retention: Retention; readonly now: Date; readonly ids: IdSource },
): Promise<boolean> {
  const { orders: before } = limitsOf(retention, now)
  if (before === null) return false
  const due = await tx.rows(dueOrders, [before])
  if (due.length === 0) return false
  const orders = await personOfOrders(
    tx,
    due.map(({ id }) => id),
  )
  // Answers are deleted by whole days.
  const keptSince = new Date(now.getTime() - (limits.idempotency.retentionDays + 1) * DAY_MS)
  const hasAnswers = due.some(({ changed_at }) => changed_at >= keptSince)
  erasePerson(tx, { ...orders, open: [] }, { now, ids, isLegalTimeOver: true, hasAnswers })
  return due.length === ORDERS_AT_ONCE
}

/**
 * Erases customers whose accounts were closed longer ago than the retention, but not those with an open order, request or checkout.
 * Returns whether more may be left.
 */
export async function sweepClosedAccounts(
  tx: Transaction,
  { retention, now, ids }: { readonly retention: Retention; readonly now: Date; readonly ids: IdSource },
): Promise<boolean> {
  const { closedAccounts: before } = limitsOf(retention, now)
  if (before === null) return false
  let erased = 0
  let last: { readonly id: string; readonly position: string } | undefined
  do {
    const due = await tx.rows(dueAccounts, [before, last?.position ?? null, last?.id ?? null])
    last = due.length === ACCOUNTS_AT_ONCE ? due.at(-1) : undefined
    for (const { id } of due) {
      const person = await findPerson(tx, { customerId: id })
      if (person.open.length > 0) continue
      erasePerson(tx, person, { now, ids })
      erased += 1
    }
  } while (last !== undefined && erased < ACCOUNTS_AT_ONCE)
  return erased >= ACCOUNTS_AT_ONCE
}
