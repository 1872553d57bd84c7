import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** What waits, for those who watch. */
export interface WaitingFigures {
  /** Counted to a hundred thousand: beyond that, more is not worse. */
  readonly count: number
  /** How long ago the longest due was due. */
  readonly lateSeconds: number
}

export const NOTHING_WAITS: WaitingFigures = { count: 0, lateSeconds: 0 }

const COUNTED_MAX = 100_000

const read = statement<{ readonly count: number; readonly first_due_at: Date | null }>(
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

export async function waitingFigures(reader: Reader, now: Date): Promise<WaitingFigures> {
  const row = await reader.row(read, [COUNTED_MAX])
  const lateMs = row?.first_due_at ? now.getTime() - row.first_due_at.getTime() : 0
  return { count: row?.count ?? 0, lateSeconds: Math.max(0, lateMs) / 1000 }
}
