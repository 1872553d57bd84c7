import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { LockedCart, QuoteContent } from '../carts/index.ts'
import { requestVoid } from '../payments/index.ts'
import { releaseHolds, releaseSession } from './release.ts'
import {
  applyPaymentOutcome,
  type CanceledSession,
  type Cancellation,
  type CancelPendingSession,
  type CommandContext,
  cancel,
  expire,
  type OpenSession,
  overdue,
  type PayingSession,
  type Session,
} from './session.ts'
import { publishSessionEvent } from './session-events.ts'
import { type LoadedSession, lockStoredSession, saveSession } from './session-store.ts'

/**
 * Cancel a locked session. Its cart, stock and redemptions are released now, or once the outcome of its payment is known.
 *
 * Refusals: those of `cancel`.
 */
export async function cancelSession(
  tx: Transaction,
  { session, quote }: LoadedSession,
  cancellation: Cancellation,
  { ids, ...command }: CommandContext & EventContext,
): Promise<LoadedSession> {
  const context = { ids, now: command.now }
  const canceled = await saveCanceled(tx, session, cancel(session, cancellation, command), context)
  const ended = { session: canceled, quote }
  if (canceled.status !== 'canceled') return ended
  await releaseSession(tx, ended, context)
  publishSessionEvent(tx, 'checkout.session.canceled', ended, context)
  return ended
}

/** Save a cancellation and request the void of the charge. A charge that was never sent is canceled at once. */
async function saveCanceled(
  tx: Transaction,
  before: Session,
  after: CanceledSession | CancelPendingSession,
  context: EventContext,
): Promise<Session> {
  saveSession(tx, after)
  if (!hasCharge(before)) return after
  const charge = await requestVoid(tx, before.chargeId, context)
  if (after.status === 'canceled' || charge.status !== 'canceled') return after
  const ended = applyPaymentOutcome(after, { type: 'decline' }, context.now)
  saveSession(tx, ended)
  return ended
}

/** Whether a charge is in progress, which has to be voided when the session ends. */
function hasCharge(session: Session): session is PayingSession & { readonly chargeId: string } {
  return (session.status === 'requires_action' || session.status === 'processing') && session.chargeId !== null
}

/** Expire a locked, overdue session and release everything it holds. */
export async function expireSession(
  tx: Transaction,
  session: OpenSession | PayingSession,
  quote: QuoteContent,
  context: EventContext,
): Promise<LoadedSession> {
  const ended = await saveExpired(tx, session, quote, context)
  await releaseSession(tx, ended, context)
  return ended
}

async function saveExpired(
  tx: Transaction,
  session: OpenSession | PayingSession,
  quote: QuoteContent,
  context: EventContext,
): Promise<LoadedSession> {
  const ended = { session: expire(session), quote }
  saveSession(tx, ended.session)
  publishSessionEvent(tx, 'checkout.session.expired', ended, context)
  if (hasCharge(session)) await requestVoid(tx, session.chargeId, context)
  return ended
}

/**
 * End the session of a locked cart that the caller is about to revoke. The cart itself is not released.
 *
 * Refusals: `payment_outcome_unknown` while a payment is processing.
 */
export async function cancelForRevokedCart(tx: Transaction, cart: LockedCart, context: EventContext): Promise<void> {
  const { session, quote } = await lockStoredSession(tx, cart.checkoutSessionId)
  const due = overdue(session, context.now)
  if (due) return releaseHolds(tx, await saveExpired(tx, due, quote, context))
  if (session.status !== 'open' && session.status !== 'requires_action') {
    refuse('payment_outcome_unknown', {
      conflict: { currentState: cart.status, currentVersion: cart.version, heldBy: session.id },
    })
  }
  const canceled = cancel(session, { cancelReason: 'other', cancelNote: 'The cart was revoked.' }, { now: context.now })
  const ended = { session: await saveCanceled(tx, session, canceled, context), quote }
  publishSessionEvent(tx, 'checkout.session.canceled', ended, context)
  return releaseHolds(tx, ended)
}
