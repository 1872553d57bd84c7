import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** Sessions created since a point in time, by outcome. */
export interface CheckoutFigures {
  readonly begun: number
  readonly completed: number
  /** Payment outcome unknown. */
  readonly unknown: number
}

const figures = statement<CheckoutFigures>(
  'checkout.figures',
  `select count(*)::integer as begun, count(*) filter (where status = 'completed')::integer as completed,
     count(*) filter (where payment_status = 'unknown')::integer as unknown
   from checkout_sessions where created_at >= $2 and environment = $1`,
)

/** Count sessions for the checkout conversion rate. */
export async function checkoutFigures(reader: Reader, environment: Environment, since: Date): Promise<CheckoutFigures> {
  return (await reader.row(figures, [environment, since])) ?? { begun: 0, completed: 0, unknown: 0 }
}
