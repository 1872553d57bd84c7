import { present, unreachable } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { json } from '../../kernel/json.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import {
  amountsOf,
  FIRST_IN_QUEUE,
  type LineQuantity,
  ofEnvironment,
  ofOneStore,
  type QueuePage,
  type StoredAmounts,
} from '../orders/index.ts'
import type { Cancellation, CancellationStatus } from './cancellation.ts'

interface CancellationRow {
  readonly id: string
  readonly order_id: string
  readonly status: CancellationStatus
  readonly version: number
  readonly scope: Cancellation['scope']
  readonly reason: Cancellation['reason']
  readonly note: string | null
  readonly refund_amount: bigint
  readonly refund_by_store: StoredAmounts | null
  readonly policy_versions: Readonly<Record<string, number>>
  readonly decline_reason: string | null
  readonly decided_at: Date | null
  readonly completed_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly lines: readonly LineQuantity[]
}

const SELECT = `select id, order_id, status, version, scope, reason, note, refund_amount, refund_by_store, policy_versions,
     decline_reason, decided_at, completed_at, created_at, updated_at,
     (select jsonb_agg(jsonb_build_object('lineId', line_id, 'quantity', quantity) order by position)
      from cancellation_lines where cancellation_id = cancellations.id) as lines
   from cancellations`

const read = statement<CancellationRow>('orders.read_cancellation', `${SELECT} where id = $1`)
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
  `${SELECT} where status = $1 and (created_at, id) > ($2::timestamptz, $3) and ${ofEnvironment('cancellations', 5)}
     and ${ofOneStore('cancellations', 6)}
   order by created_at, id limit $4`,
)
const countToDecide = statement<{ count: number }>(
  'orders.count_cancellations_to_decide',
  `select count(*)::integer as count from (select from cancellations
     where status = 'requested' and ${ofEnvironment('cancellations', 1)}
       and ${ofOneStore('cancellations', 3)} limit $2) as waiting`,
)
const insert = statement(
  'orders.insert_cancellation',
  `insert into cancellations (id, order_id, status, version, scope, reason, note, refund_amount, refund_by_store,
     policy_versions, decline_reason, decided_at, completed_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
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
     completed_at = $7, updated_at = $8, refund_by_store = $9
   where id = $1 and version = $10`,
)

/** Finds a cancellation. It changes only under the lock of its order. */
export async function findCancellation(reader: Reader, id: string): Promise<Cancellation | null> {
  const row = await reader.row(read, [id])
  return row ? cancellationOf(row) : null
}

/** The order of a cancellation. It never changes. */
export async function orderIdOfCancellation(reader: Reader, id: string): Promise<string | null> {
  return (await reader.row(orderOf, [id]))?.order_id ?? null
}

/** Lists the cancellations of an order, oldest first. */
export async function cancellationsOf(reader: Reader, orderId: string): Promise<readonly Cancellation[]> {
  return (await reader.rows(ofOrder, [orderId])).map(cancellationOf)
}

/** Lists cancellations in a state after a position, oldest first. */
export async function cancellationsIn(
  reader: Reader,
  status: CancellationStatus,
  { limit, after, environment, storeId }: QueuePage,
): Promise<readonly Cancellation[]> {
  const { createdAt, id } = after ?? FIRST_IN_QUEUE
  return (await reader.rows(inState, [status, createdAt, id, limit, environment, storeId])).map(cancellationOf)
}

/** Counts the cancellations that an operator has to decide, up to a limit. */
export async function countCancellationsToDecide(
  reader: Reader,
  environment: Environment,
  most: number,
  storeId: string | null,
): Promise<number> {
  return (await reader.row(countToDecide, [environment, most, storeId]))?.count ?? 0
}

/** Inserts a new cancellation. It may be completed already. */
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
    storedParts(cancellation),
    JSON.stringify(cancellation.policyVersions),
    declineReason,
    decidedAt,
    completedAt,
    cancellation.createdAt,
    cancellation.updatedAt,
  ])
  tx.write(insertLines, [id, lines.map(({ lineId }) => lineId), lines.map(({ quantity }) => quantity)])
}

/** Saves a change. The version in the WHERE makes sure that no other change came in between. */
export function saveCancellation(tx: Transaction, before: Cancellation, after: Cancellation): void {
  const { id, status, version, refundAmount, updatedAt } = after
  const { declineReason, decidedAt, completedAt } = factsOfState(after)
  const facts = [declineReason, decidedAt, completedAt, updatedAt, storedParts(after)]
  tx.write(update, [id, status, version, refundAmount, ...facts, before.version], { rows: 1 })
}

function storedParts({ refundByStore }: Cancellation): string | null {
  return refundByStore && json(refundByStore)
}

/** The columns that only some states have. CHECKs enforce the same. */
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
    refundByStore: amountsOf(row.refund_by_store),
    policyVersions: row.policy_versions,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  const { status } = row
  if (status === 'requested') return { ...content, status }
  const decidedAt = present(row.decided_at, 'decided_at')
  switch (status) {
    case 'approved':
      return { ...content, status, decidedAt }
    case 'declined':
      return { ...content, status, decidedAt, declineReason: present(row.decline_reason, 'decline_reason') }
    case 'completed':
      return { ...content, status, decidedAt, completedAt: present(row.completed_at, 'completed_at') }
    default:
      return unreachable(status)
  }
}
