import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** Sessions that were begun since a moment, and what became of them so far. */
export interface CheckoutFigures {
  readonly begun: number
  readonly completed: number
  /** Nobody knows yet whether these were paid. */
  readonly unknown: number
}

const figures = statement<CheckoutFigures>(
  'checkout.figures',
  `select count(*)::integer as begun, count(*) filter (where status = 'completed')::integer as completed,
     count(*) filter (where payment_status = 'unknown')::integer as unknown
   from checkout_sessions where created_at >= $2 and environment = $1`,
)

/** How many checkouts came to an order. */
export async function checkoutFigures(reader: Reader, environment: Environment, since: Date): Promise<CheckoutFigures> {
  return (await reader.row(figures, [environment, since])) ?? { begun: 0, completed: 0, unknown: 0 }
}
