import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** Deliveries since a moment by state, and how long the longest due has waited. */
export interface DeliveryFigures {
  readonly byStatus: Readonly<Record<string, number>>
  /** When the longest waiting was due; `null`: none is late. */
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
