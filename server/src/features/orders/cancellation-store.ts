import { present, unreachable } from '../../kernel/assert.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Cancellation, CancellationStatus } from './cancellation.ts'
import type { LineQuantity } from './order.ts'

interface CancellationRow {
  readonly id: string
  readonly order_id: string
  readonly status: CancellationStatus
  readonly version: number
  readonly scope: Cancellation['scope']
  readonly reason: Cancellation['reason']
  readonly note: string | null
  readonly refund_amount: bigint
  readonly policy_versions: Readonly<Record<string, number>>
  readonly decline_reason: string | null
  readonly decided_at: Date | null
  readonly completed_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly lines: readonly LineQuantity[]
}

const SELECT = `select id, order_id, status, version, scope, reason, note, refund_amount, policy_versions, decline_reason,
     decided_at, completed_at, created_at, updated_at,
     (select jsonb_agg(jsonb_build_object('lineId', line_id, 'quantity', quantity) order by position)
      from cancellation_lines where cancellation_id = cancellations.id) as lines
   from cancellations`

const read = statement<CancellationRow>('orders.read_cancellation', `${SELECT} where id = $1`)
const openOf = statement<{ id: string }>(
  'orders.open_cancellation',
  `select id from cancellations where order_id = $1 and status in ('requested', 'approved')`,
)
const orderOf = statement<{ order_id: string }>(
  'orders.order_of_cancellation',
  'select order_id from cancellations where id = $1',
)
const ofOrder = statement<CancellationRow>(
  'orders.cancellations_of_order',
  `${SELECT} where order_id = $1 order by created_at, id`,
)
const inState = statement<CancellationRow>(
  'orders.cancellations_in_state',
  `${SELECT} where status = $1 and (created_at, id) > ($2::timestamptz, $3) order by created_at, id limit $4`,
)
const insert = statement(
  'orders.insert_cancellation',
  `insert into cancellations (id, order_id, status, version, scope, reason, note, refund_amount, policy_versions,
     decline_reason, decided_at, completed_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
)
const insertLines = statement(
  'orders.insert_cancellation_lines',
  `insert into cancellation_lines (cancellation_id, line_id, position, quantity)
   select $1, line_id, position, quantity
   from unnest($2::text[], $3::integer[]) with ordinality as line (line_id, quantity, position)`,
)
const update = statement(
  'orders.update_cancellation',
  `update cancellations set status = $2, version = $3, refund_amount = $4, decline_reason = $5, decided_at = $6,
     completed_at = $7, updated_at = $8
   where id = $1 and version = $9`,
)

/** A cancellation, or `null` where there is none. It changes under the lock of its order alone. */
export async function findCancellation(reader: Reader, id: string): Promise<Cancellation | null> {
  const row = await reader.row(read, [id])
  return row ? cancellationOf(row) : null
}

/** Whose cancellation it is, which never changes. */
export async function orderIdOfCancellation(reader: Reader, id: string): Promise<string | null> {
  return (await reader.row(orderOf, [id]))?.order_id ?? null
}

/** The open cancellation of an order, if there is one. */
export async function openCancellationOf(reader: Reader, orderId: string): Promise<string | null> {
  return (await reader.row(openOf, [orderId]))?.id ?? null
}

/** The cancellations of an order, the oldest first. */
export async function cancellationsOf(reader: Reader, orderId: string): Promise<readonly Cancellation[]> {
  return (await reader.rows(ofOrder, [orderId])).map(cancellationOf)
}

/** Where a page of a queue begins: behind this one. */
export interface QueuePosition {
  /** RFC 3339. */
  readonly createdAt: string
  readonly id: string
}

/** Before everything that waits. */
export const FIRST_IN_QUEUE: QueuePosition = { createdAt: '-infinity', id: '' }

/** So many cancellations in one state behind a position, the oldest first. */
export async function cancellationsIn(
  reader: Reader,
  status: CancellationStatus,
  limit: number,
  { createdAt, id }: QueuePosition = FIRST_IN_QUEUE,
): Promise<readonly Cancellation[]> {
  return (await reader.rows(inState, [status, createdAt, id, limit])).map(cancellationOf)
}

/** Stores a cancellation that has just been asked for, in the state that it has come to. */
export function insertCancellation(tx: Transaction, cancellation: Cancellation): void {
  const { id, lines } = cancellation
  const { declineReason, decidedAt, completedAt } = factsOfState(cancellation)
  tx.write(insert, [
    id,
    cancellation.orderId,
    cancellation.status,
    cancellation.version,
    cancellation.scope,
    cancellation.reason,
    cancellation.note,
    cancellation.refundAmount,
    JSON.stringify(cancellation.policyVersions),
    declineReason,
    decidedAt,
    completedAt,
    cancellation.createdAt,
    cancellation.updatedAt,
  ])
  tx.write(insertLines, [id, lines.map(({ lineId }) => lineId), lines.map(({ quantity }) => quantity)])
}

/** Stores what a decision made of it. The version in the WHERE says once more that nobody came between. */
export function saveCancellation(tx: Transaction, before: Cancellation, after: Cancellation): void {
  const { id, status, version, refundAmount, updatedAt } = after
  const { declineReason, decidedAt, completedAt } = factsOfState(after)
  const values = [id, status, version, refundAmount, declineReason, decidedAt, completedAt, updatedAt, before.version]
  tx.write(update, values, { rows: 1 })
}

/** What only some states have. CHECKs say the same. */
function factsOfState(cancellation: Cancellation) {
  const none = { declineReason: null, decidedAt: null, completedAt: null }
  switch (cancellation.status) {
    case 'requested':
      return none
    case 'approved':
      return { ...none, decidedAt: cancellation.decidedAt }
    case 'declined':
      return { ...none, decidedAt: cancellation.decidedAt, declineReason: cancellation.declineReason }
    case 'completed':
      return { ...none, decidedAt: cancellation.decidedAt, completedAt: cancellation.completedAt }
    default:
      return unreachable(cancellation)
  }
}

function cancellationOf(row: CancellationRow): Cancellation {
  const content = {
    id: row.id,
    orderId: row.order_id,
    version: row.version,
    scope: row.scope,
    reason: row.reason,
    note: row.note,
    lines: row.lines,
    refundAmount: row.refund_amount,
    policyVersions: row.policy_versions,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  const { status } = row
  if (status === 'requested') return { ...content, status }
  const decidedAt = present(row.decided_at, 'when it was decided')
  switch (status) {
    case 'approved':
      return { ...content, status, decidedAt }
    case 'declined':
      return { ...content, status, decidedAt, declineReason: present(row.decline_reason, 'why it was declined') }
    case 'completed':
      return { ...content, status, decidedAt, completedAt: present(row.completed_at, 'when it was completed') }
    default:
      return unreachable(status)
  }
}
