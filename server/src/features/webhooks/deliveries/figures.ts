import type { Environment } from '../../../kernel/environment.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** Deliveries of a period by status, and the oldest one overdue. */
export interface DeliveryFigures {
  readonly byStatus: Readonly<Record<string, number>>
  /** When the longest overdue delivery was due; `null` if none is overdue. */
  readonly oldestDueAt: Date | null
}

const byStatus = statement<{ status: string; deliveries: number }>(
  'webhooks.figures',
  `select d.status, count(*)::integer as deliveries from webhook_deliveries d
   join webhook_endpoints e on e.id = d.endpoint_id
   where d.created_at >= $2 and e.environment = $1 group by d.status`,
)
const oldest = statement<{ due_at: Date | null }>(
  'webhooks.oldest_due',
  'select min(due_at) as due_at from webhook_deliveries where due_at <= $1',
)

export async function deliveryFigures(
  reader: Reader,
  environment: Environment,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<DeliveryFigures> {
  const [rows, late] = await Promise.all([reader.rows(byStatus, [environment, since]), reader.row(oldest, [now])])
  return {
    byStatus: Object.fromEntries(rows.map(({ status, deliveries }) => [status, deliveries])),
    oldestDueAt: late?.due_at ?? null,
  }
}

/** The backlog, for monitoring. */
export interface WaitingFigures {
  /** Capped at 100,000. */
  readonly count: number
  /** How long the oldest delivery is overdue. */
  readonly lateSeconds: number
}

export const NOTHING_WAITING: WaitingFigures = { count: 0, lateSeconds: 0 }

const COUNT_MAX = 100_000

const readWaiting = statement<{ readonly count: number; readonly first_due_at: Date | null }>(
  'webhooks.read_figures',
  `with recursive waiting as (
     (select endpoint_id, due_at from webhook_deliveries where due_at is not null order by endpoint_id, due_at limit 1)
     union all
     select next.endpoint_id, next.due_at from waiting cross join lateral (
       select endpoint_id, due_at from webhook_deliveries delivery
       where delivery.due_at is not null and delivery.endpoint_id > waiting.endpoint_id
       order by delivery.endpoint_id, delivery.due_at limit 1) next)
   select (select min(due_at) from waiting) as first_due_at, (
     select count(*)::integer from (
       select 1 from webhook_deliveries where due_at is not null limit $1) counted) as count`,
)

export async function readWaitingFigures(reader: Reader, now: Date): Promise<WaitingFigures> {
  const row = await reader.row(readWaiting, [COUNT_MAX])
  const lateMs = row?.first_due_at ? now.getTime() - row.first_due_at.getTime() : 0
  return { count: row?.count ?? 0, lateSeconds: Math.max(0, lateMs) / 1000 }
}
