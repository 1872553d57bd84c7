import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { Intent, Purpose } from './intent.ts'

/** What becomes of an answer, handed in for each purpose by the composition root. @see docs/decisions/0060 */
export interface PaymentOutcome {
  /** Locks what ranks before the intent (cart, session, order), before the intent itself is locked. */
  lock(tx: Transaction, intent: Intent): Promise<void>
  /**
   * Takes what the provider or an operator has said, in the transaction that writes it down. Called after each answer that
   * leaves the intent at rest: requires_action, succeeded, failed, canceled or unknown; also more than once with the same.
   */
  settle(tx: Transaction, intent: Intent, context: EventContext): Promise<void>
  /** Hears that all of that is committed, before anybody is answered. It changes nothing any more. */
  committed?(intent: Intent): void
}

export type PaymentOutcomes = Readonly<Record<Purpose, PaymentOutcome>>
