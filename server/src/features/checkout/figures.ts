import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** Sessions created on one day (UTC). */
export interface CheckoutDay {
  /** `2026-11-21` */
  readonly day: string
  readonly begun: number
  readonly completed: number
}

const byDay = statement<CheckoutDay>(
  'checkout.figures_by_day',
  `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::integer as begun,
     count(*) filter (where status = 'completed')::integer as completed
   from checkout_sessions where created_at >= $2 and environment = $1
     and ($3::text is null or store_id = $3) group by 1 order by 1`,
)

/** Counts sessions by day since a time, for the conversion rate. */
export function checkoutsByDay(
  reader: Reader,
  environment: Environment,
  since: Date,
  storeId: string | null,
): Promise<CheckoutDay[]> {
  return reader.rows(byDay, [environment, since, storeId])
}
