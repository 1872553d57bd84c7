import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/index.ts'
import type { DisputeChange } from './disputes.ts'
import type { Intent, Purpose } from './intents/intent.ts'
import type { OrderToPay } from './providers/provider.ts'

/** The consequences of a payment's result. The composition root provides them per purpose. @see docs/decisions/0060 */
export interface PaymentOutcome {
  /** Lock the rows that come before the intent in the lock order: cart, session, order. The intent is as before its change. */
  lock(tx: Transaction, intent: Intent): Promise<Settle>
  /** Called after the commit and before the response. Writes nothing. */
  committed?(intent: Intent): void
  /**
   * Apply a change of the disputes of a successful charge, in the transaction that records it.
   */
  disputed?(tx: Transaction, charge: Intent, change: DisputeChange, context: EventContext): Promise<void>
  /** Load the order that a charge pays for, for providers that need it. */
  orderOf?(reader: Reader, intent: Intent): Promise<OrderToPay>
}

/**
 * Apply a result to the locked rows, in the transaction that records it. Called for each answer after which nothing is sent at once,
 * possibly several times with the same status: any but `created`, `submitted` and `reconciling`. Not called if a pending or authorized
 * charge was looked up without an answer.
 */
export type Settle = (intent: Intent, context: EventContext) => Promise<void>

export type PaymentOutcomes = Readonly<Record<Purpose, PaymentOutcome>>

/** An operator's confirmation of a manual payment. */
export interface ManualConfirmation {
  /** Whether the money was received or refunded; `false`: it never will be. */
  readonly isDone: boolean
  /** Whether a refund that was confirmed as paid has come back instead. */
  readonly isReturned?: boolean
  /** Called in the transaction that records the confirmation. */
  readonly onSettled?: (tx: Transaction, before: Intent, settled: Intent) => void
}

/** Books money on a locked charge. Returns whether it was booked, and whether the charge is paid now. */
export type BookTransfer = (
  tx: Transaction,
  charge: Intent,
) => Promise<{ readonly isBooked: boolean; readonly isPaid: boolean }>
