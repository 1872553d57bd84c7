import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/index.ts'
import type { DisputeChange } from './disputes.ts'
import type { Intent, Purpose } from './intents/intent.ts'
import type { OrderToPay } from './providers/provider.ts'

/** What follows from a payment's result. The composition root provides one per purpose. @see docs/decisions/0060 */
export interface PaymentOutcome {
  /** Locks what ranks before the intent (cart, session, order), before the intent is locked. */
  lock(tx: Transaction, intent: Intent): Promise<Settle>
  /** Called after the commit and before the response. It writes nothing. */
  committed?(intent: Intent): void
  /**
   * Applies what the provider's books say about the disputes of a successful charge, in the transaction that records it. Called
   * for each change.
   */
  disputed?(tx: Transaction, charge: Intent, change: DisputeChange, context: EventContext): Promise<void>
  /** What a charge pays for, for providers that ask. */
  orderOf?(reader: Reader, intent: Intent): Promise<OrderToPay>
}

/**
 * Applies a result to what was locked, in the transaction that records it. Called for each answer that leaves the intent at rest:
 * requires_action, succeeded, failed, canceled or unknown; also repeatedly with the same one.
 */
export type Settle = (intent: Intent, context: EventContext) => Promise<void>

export type PaymentOutcomes = Readonly<Record<Purpose, PaymentOutcome>>
