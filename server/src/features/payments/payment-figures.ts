import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { IntentStatus } from './intent.ts'
import { UNSETTLED } from './unsettled.ts'

/** Payments of a state that is not an end. */
export interface UnsettledFigure {
  readonly environment: Environment
  readonly status: IntentStatus
  readonly count: number
  /** When the oldest of them was begun: each look of the reconciler touches it, and makes it no younger. */
  readonly oldestBegunAt: Date
}

const figures = statement<UnsettledFigure>(
  'payments.figures',
  `select environment, status, count(*)::integer as count, min(created_at) as "oldestBegunAt"
   from payment_intents where ended_at is null group by environment, status`,
)

/** What has not come to an end, by environment and state. */
export function unsettledFigures(reader: Reader): Promise<readonly UnsettledFigure[]> {
  return reader.rows(figures)
}

/** Whether nobody knows what became of the money: the reconciler asks until it does. */
export function isUnknown(status: IntentStatus): boolean {
  return (UNSETTLED.unknown as readonly IntentStatus[]).includes(status)
}
