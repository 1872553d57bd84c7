import type { Environment } from '../../kernel/environment.ts'
import { json } from '../../kernel/json.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import {
  type AfterSalesKind,
  amountsOf,
  type EarlierFacts,
  FIRST_IN_QUEUE,
  ofEnvironment,
  ofOneStore,
  type QueuePage,
  type StoredAmounts,
  type StoredEntry,
  storedEntry,
  timelineEntry,
} from '../orders/index.ts'
import {
  type AfterSales,
  type AfterSalesLine,
  type AfterSalesStatus,
  type Evidence,
  isUnderWay,
} from './after-sales.ts'

interface AfterSalesRow {
  readonly id: string
  readonly order_id: string
  readonly status: AfterSalesStatus
  readonly version: number
  readonly kind: AfterSalesKind
  readonly reason_code: AfterSales['reasonCode']
  readonly description: string | null
  readonly evidence: readonly Evidence[]
  readonly refund_estimate: bigint
  readonly refund_by_store: StoredAmounts | null
  readonly policy_versions: Readonly<Record<string, number>>
  readonly decide_by: Date
  readonly approved: boolean
  readonly instructions: string | null
  readonly return_address: string | null
  readonly return_by: Date | null
  readonly inspection_accepted: boolean | null
  readonly inspection_restocks: boolean | null
  readonly refund_amount: bigint | null
  readonly decline_reason: string | null
  readonly timeline: readonly StoredEntry[]
  readonly created_at: Date
  readonly updated_at: Date
  readonly lines: readonly AfterSalesLine[]
}

const SELECT = `select id, order_id, status, version, kind, reason_code, description, evidence, refund_estimate,
     refund_by_store, policy_versions, decide_by, approved, instructions, return_address, return_by, inspection_accepted,
     inspection_restocks, refund_amount, decline_reason, timeline, created_at, updated_at,
     (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('lineId', line_id, 'quantity', quantity, 'condition', condition,
              'exchangeSkuId', exchange_sku_id)) order by position)
      from after_sales_lines where after_sales_id = after_sales.id) as lines
   from after_sales`

const read = statement<AfterSalesRow>('orders.read_after_sales', `${SELECT} where id = $1`)
const orderOf = statement<{ order_id: string }>(
  'orders.order_of_after_sales',
  'select order_id from after_sales where id = $1',
)
const ofOrder = statement<AfterSalesRow>(
  'orders.after_sales_of_order',
  `${SELECT} where order_id = $1 order by created_at, id`,
)
const underWay = statement<AfterSalesRow>(
  'orders.after_sales_under_way',
  `${SELECT} where status not in ('completed', 'declined', 'withdrawn', 'expired')
     and (created_at, id) > ($1::timestamptz, $2) and ${ofEnvironment('after_sales', 4)}
     and ${ofOneStore('after_sales', 5)} order by created_at, id limit $3`,
)
const ended = statement<AfterSalesRow>(
  'orders.after_sales_ended',
  `${SELECT} where status in ('completed', 'declined', 'withdrawn', 'expired')
     and (updated_at, id) < ($1::timestamptz, $2) and ${ofEnvironment('after_sales', 4)}
     and ${ofOneStore('after_sales', 5)}
   order by updated_at desc, id desc limit $3`,
)
const inState = statement<AfterSalesRow>(
  'orders.after_sales_in_state',
  `${SELECT} where status = $1 and (created_at, id) > ($2::timestamptz, $3) and ${ofEnvironment('after_sales', 5)}
     and ${ofOneStore('after_sales', 6)}
   order by created_at, id limit $4`,
)
const countToDecide = statement<{ count: number }>(
  'orders.count_after_sales_to_decide',
  `select count(*)::integer as count from (select from after_sales
     where (status in ('requested', 'under_review', 'received', 'inspecting')
         or kind = 'refund_only' and status = 'approved' or kind in ('exchange', 'repair') and status = 'resolving' and refund_amount = 0)
       and status not in ('completed', 'declined', 'withdrawn', 'expired') and ${ofEnvironment('after_sales', 1)}
       and ${ofOneStore('after_sales', 3)}
     limit $2) as waiting`,
)
const overdue = statement<{ id: string }>(
  'orders.after_sales_overdue',
  `select id from after_sales where status = 'awaiting_return' and return_by <= $1 order by return_by limit $2`,
)
const insert = statement(
  'orders.insert_after_sales',
  `insert into after_sales (id, order_id, status, version, kind, reason_code, description, evidence, refund_estimate,
     policy_versions, decide_by, approved, instructions, return_by, inspection_accepted, inspection_restocks, refund_amount,
     decline_reason, refund_by_store, return_address, timeline, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
)
const insertLines = statement(
  'orders.insert_after_sales_lines',
  `insert into after_sales_lines (after_sales_id, line_id, position, quantity, condition, exchange_sku_id, is_open)
   select $1, "lineId", position, quantity, condition, "exchangeSkuId", $3
   from jsonb_to_recordset($2) as line ("lineId" text, position integer, quantity integer, condition text,
     "exchangeSkuId" text)`,
)
const update = statement(
  'orders.update_after_sales',
  `update after_sales set status = $2, version = $3, approved = $4, instructions = $5, return_by = $6,
     inspection_accepted = $7, inspection_restocks = $8, refund_amount = $9, decline_reason = $10,
     refund_by_store = $11, return_address = $12, timeline = $13, updated_at = $14
   where id = $1 and version = $15`,
)
const setOpen = statement(
  'orders.set_after_sales_lines_open',
  'update after_sales_lines set is_open = $2 where after_sales_id = $1 and is_open <> $2',
)

/** Finds a request. It changes only under the lock of its order. */
export async function findAfterSales(reader: Reader, id: string): Promise<AfterSales | null> {
  const row = await reader.row(read, [id])
  return row ? requestOf(row) : null
}

/** The order of a request. It never changes. */
export async function orderIdOfAfterSales(reader: Reader, id: string): Promise<string | null> {
  return (await reader.row(orderOf, [id]))?.order_id ?? null
}

/** Lists the requests of an order, oldest first. */
export async function afterSalesOf(reader: Reader, orderId: string): Promise<readonly AfterSales[]> {
  return (await reader.rows(ofOrder, [orderId])).map(requestOf)
}

/** Lists open requests after a position, oldest first. */
export async function afterSalesUnderWay(
  reader: Reader,
  { limit, after, environment, storeId }: QueuePage,
): Promise<readonly AfterSales[]> {
  const { createdAt, id } = after ?? FIRST_IN_QUEUE
  return (await reader.rows(underWay, [createdAt, id, limit, environment, storeId])).map(requestOf)
}

/** Lists requests in a state after a position, oldest first. */
export async function afterSalesIn(
  reader: Reader,
  status: AfterSalesStatus,
  { limit, after, environment, storeId }: QueuePage,
): Promise<readonly AfterSales[]> {
  const { createdAt, id } = after ?? FIRST_IN_QUEUE
  return (await reader.rows(inState, [status, createdAt, id, limit, environment, storeId])).map(requestOf)
}

/** The position after which a page of ended requests begins. */
export interface EndedPosition {
  /** RFC 3339. */
  readonly updatedAt: string
  readonly id: string
}

/** Lists ended requests after a position, the last to end first. */
export async function afterSalesEnded(
  reader: Reader,
  { limit, after, environment, storeId }: QueuePage<EndedPosition>,
): Promise<readonly AfterSales[]> {
  const { updatedAt, id } = after ?? { updatedAt: 'infinity', id: '' }
  return (await reader.rows(ended, [updatedAt, id, limit, environment, storeId])).map(requestOf)
}

/** Counts the requests that an operator has to decide, inspect, resolve or complete, up to a limit. */
export async function countReturnsToDecide(
  reader: Reader,
  environment: Environment,
  most: number,
  storeId: string | null,
): Promise<number> {
  return (await reader.row(countToDecide, [environment, most, storeId]))?.count ?? 0
}

/** Lists ids of requests whose goods were not sent in time. */
export async function overdueAfterSales(reader: Reader, now: Date, limit: number): Promise<readonly string[]> {
  return (await reader.rows(overdue, [now, limit])).map(({ id }) => id)
}

/** Inserts a new request. It may be approved already. */
export function insertAfterSales(tx: Transaction, request: AfterSales): void {
  tx.write(insert, [
    request.id,
    request.orderId,
    request.status,
    request.version,
    request.kind,
    request.reasonCode,
    request.description,
    JSON.stringify(request.evidence),
    request.refundEstimate,
    JSON.stringify(request.policyVersions),
    request.decideBy,
    ...factsOfState(request),
    storedTimeline(request),
    request.createdAt,
    request.updatedAt,
  ])
  const lines = request.lines.map((line, index) => ({ ...line, position: index + 1 }))
  tx.write(insertLines, [request.id, JSON.stringify(lines), isUnderWay(request)], { rows: lines.length })
}

/** Saves a change. The version in the WHERE makes sure that no other change came in between. */
export function saveAfterSales(tx: Transaction, before: AfterSales, after: AfterSales): void {
  const { id, status, version, updatedAt } = after
  const facts = [...factsOfState(after), storedTimeline(after)]
  tx.write(update, [id, status, version, ...facts, updatedAt, before.version], { rows: 1 })
  const isOpen = isUnderWay(after)
  if (isUnderWay(before) !== isOpen) tx.write(setOpen, [id, isOpen], { rows: after.lines.length })
}

/** approved, instructions, return_by, inspection_accepted, inspection_restocks, refund_amount, decline_reason, refund_by_store, return_address */
function factsOfState({
  approval,
  inspection,
  refundAmount,
  declineReason,
  refundByStore,
}: AfterSales): readonly unknown[] {
  return [
    approval !== null,
    approval?.instructions ?? null,
    approval?.returnBy ?? null,
    inspection?.accepted ?? null,
    inspection?.restocks ?? null,
    refundAmount,
    declineReason,
    refundByStore && json(refundByStore),
    approval?.returnAddress ?? null,
  ]
}

function storedTimeline({ timeline }: AfterSales): string {
  return JSON.stringify(timeline.map((entry) => storedEntry('afterSalesTimeline', entry)))
}

/** The facts in the English texts of earlier versions: `… shipped with DHL, 0034: https://dhl.example/0034`. */
const EARLIER_FACTS: EarlierFacts<'afterSalesTimeline'> = {
  completed(text) {
    const shipped = /shipped(?: with (.*?))?(?:, (\S+?))?(?:\.|: (http\S+))$/.exec(text)
    if (shipped === null) return { departure: null }
    const [, carrier = null, trackingNumber = null, trackingUrl = null] = shipped
    return { departure: { carrier, trackingNumber, trackingUrl } }
  },
}

function requestOf(row: AfterSalesRow): AfterSales {
  const { inspection_accepted: accepted, inspection_restocks: restocks } = row
  return {
    id: row.id,
    orderId: row.order_id,
    status: row.status,
    version: row.version,
    kind: row.kind,
    reasonCode: row.reason_code,
    lines: row.lines,
    description: row.description,
    evidence: row.evidence,
    refundEstimate: row.refund_estimate,
    refundByStore: amountsOf(row.refund_by_store),
    policyVersions: row.policy_versions,
    decideBy: row.decide_by,
    approval: row.approved
      ? { instructions: row.instructions, returnAddress: row.return_address, returnBy: row.return_by }
      : null,
    inspection: accepted === null || restocks === null ? null : { accepted, restocks },
    refundAmount: row.refund_amount,
    declineReason: row.decline_reason,
    timeline: row.timeline.map((entry) => timelineEntry('afterSalesTimeline', entry, EARLIER_FACTS)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
