import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { LockedCart, QuoteContent } from '../carts/index.ts'
import { askToVoid } from '../payments/index.ts'
import { giveBack, giveBackHeld } from './give-back.ts'
import {
  type CanceledSession,
  type Cancellation,
  type CancelPendingSession,
  canceled,
  expired,
  type Occasion,
  type OpenSession,
  overdue,
  type PayingSession,
  type Session,
  told,
} from './session.ts'
import { tellSession } from './session-events.ts'
import { holdSession, type LoadedSession, readStored, saveSession } from './session-store.ts'

/**
 * Cancels a session whose locks are held. What it held is given back now, or when the outcome of its payment is known.
 *
 * Refusals: those of `canceled`.
 */
export async function cancelSession(
  tx: Transaction,
  { session, quote }: LoadedSession,
  why: Cancellation,
  { ids, ...occasion }: Occasion & EventContext,
): Promise<LoadedSession> {
  const ending = {
    session: await canceledWithCharge(tx, session, canceled(session, why, occasion), { ids, now: occasion.now }),
    quote,
  }
  if (ending.session.status !== 'canceled') return ending
  await giveBack(tx, ending, { ids, now: occasion.now })
  tellSession(tx, 'checkout.session.canceled', ending, { ids, now: occasion.now })
  return ending
}

/** Saves the wish to cancel, and calls off the payment. One that nobody has been asked for is over at once. */
async function canceledWithCharge(
  tx: Transaction,
  before: Session,
  after: CanceledSession | CancelPendingSession,
  context: EventContext,
): Promise<Session> {
  saveSession(tx, after)
  if (!hasCharge(before)) return after
  const charge = await askToVoid(tx, before.chargeId, context)
  if (after.status === 'canceled' || charge.status !== 'canceled') return after
  const ended = told(after, { news: 'decline' }, context.now)
  saveSession(tx, ended)
  return ended
}

/** Whether a payment is under way that is not wanted any more once the session is over. */
function hasCharge(session: Session): session is PayingSession & { readonly chargeId: string } {
  return (session.status === 'requires_action' || session.status === 'processing') && session.chargeId !== null
}

/** Ends a session whose time is over, and gives back all that it held. Its locks are held. */
export async function endOverdue(
  tx: Transaction,
  session: OpenSession | PayingSession,
  quote: QuoteContent,
  context: EventContext,
): Promise<LoadedSession> {
  const ended = await saveOverdue(tx, session, quote, context)
  await giveBack(tx, ended, context)
  return ended
}

/** Writes down that a session has expired, as its readers have seen since the moment it did. */
async function saveOverdue(
  tx: Transaction,
  session: OpenSession | PayingSession,
  quote: QuoteContent,
  context: EventContext,
): Promise<LoadedSession> {
  const ended = { session: expired(session), quote }
  saveSession(tx, ended.session)
  tellSession(tx, 'checkout.session.expired', ended, context)
  if (hasCharge(session)) await askToVoid(tx, session.chargeId, context)
  return ended
}

/**
 * Ends the session of a cart that is about to be revoked, whose lock is held: the cart is not let go but ended by whoever
 * asks. Refusals: `payment_outcome_unknown` while a payment is processed.
 */
export async function endForRevoke(tx: Transaction, cart: LockedCart, context: EventContext): Promise<void> {
  holdSession(tx, cart.checkoutSessionId)
  const { session, quote } = await readStored(tx, cart.checkoutSessionId)
  const due = overdue(session, context.now)
  if (due) return giveBackHeld(tx, await saveOverdue(tx, due, quote, context))
  if (session.status !== 'open' && session.status !== 'requires_action') {
    refuse('payment_outcome_unknown', {
      conflict: { currentState: cart.status, currentVersion: cart.version, heldBy: session.id },
    })
  }
  const ending = canceled(session, { cancelReason: 'other', cancelNote: 'The cart was revoked.' }, { now: context.now })
  const ended = { session: await canceledWithCharge(tx, session, ending, context), quote }
  tellSession(tx, 'checkout.session.canceled', ended, context)
  return giveBackHeld(tx, ended)
}
