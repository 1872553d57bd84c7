import { type Address, type Contact, type HostedCheckoutCancelRequest, limits, type Order } from '@vitrine/contract'
import type { Static } from 'typebox'
import { assert, unreachable } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { refuse, refuseStale } from '../../kernel/refusal.ts'
import { machine, transition } from '../../kernel/state-machine.ts'

const SESSION_MS = limits.checkout.sessionSeconds * 1000

/** Fields that all states share. */
interface SessionContent {
  readonly id: string
  readonly installationId: string
  readonly environment: Environment
  /** The store of all lines; `null` if they are of several. */
  readonly storeId: string | null
  readonly cartId: string
  /** The signed quote to charge. */
  readonly quoteId: string
  /** Incremented by each change. */
  readonly version: number
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly clientReferenceId: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly contact: Static<typeof Contact> | null
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly acceptedDocuments: Order['acceptedDocuments']
  /** The charge of the latest payment attempt. */
  readonly chargeId: string | null
  readonly paymentStatus: PaymentStatus
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date
}

export type PaymentStatus = 'not_started' | 'pending' | 'unknown' | 'succeeded' | 'failed'
export type CancelReason = NonNullable<HostedCheckoutCancelRequest['reason']>

/** Why a session was canceled. */
export interface Cancellation {
  readonly cancelReason: CancelReason | null
  readonly cancelNote: string | null
}
type Ended = { readonly endedAt: Date }

export type OpenSession = SessionContent & { readonly status: 'open' }
/** A session with a payment in progress. */
export type PayingSession = SessionContent & { readonly status: 'requires_action' | 'processing' }
export type CancelPendingSession = SessionContent & Cancellation & { readonly status: 'cancel_pending' }
type CompletedSession = SessionContent & Ended & { readonly status: 'completed'; readonly orderId: string }
export type CanceledSession = SessionContent & Ended & Cancellation & { readonly status: 'canceled' }
type ExpiredSession = SessionContent & Ended & { readonly status: 'expired' }
export type Session =
  | OpenSession
  | PayingSession
  | CancelPendingSession
  | CompletedSession
  | CanceledSession
  | ExpiredSession
export type SessionStatus = Session['status']

/** Commands of shoppers and installations, and updates of the payment. */
export const SESSION_COMMANDS = [
  'update_quote',
  'pay',
  'require_action',
  'process',
  'succeed',
  'decline',
  'cancel',
  'expire',
] as const
export type SessionCommand = (typeof SESSION_COMMANDS)[number]

/**
 * While a payment is processing its outcome is unknown, so only that outcome can end the session.
 *
 * @see docs/reference/rules.md#checkout-session
 */
export const sessionMachine = machine<SessionStatus, SessionCommand>({
  initial: 'open',
  finals: ['completed', 'canceled', 'expired'],
  transitions: {
    open: { update_quote: 'open', pay: 'processing', cancel: 'canceled', expire: 'expired' },
    requires_action: {
      require_action: 'requires_action',
      process: 'processing',
      succeed: 'completed',
      decline: 'open',
      cancel: 'canceled',
      expire: 'expired',
    },
    processing: {
      require_action: 'requires_action',
      process: 'processing',
      succeed: 'completed',
      decline: 'open',
      cancel: 'cancel_pending',
    },
    cancel_pending: {
      require_action: 'cancel_pending',
      process: 'cancel_pending',
      succeed: 'completed',
      decline: 'canceled',
    },
    completed: {},
    canceled: {},
    expired: {},
  },
})

/** Input of `beginSession`. */
type NewSession = Omit<
  SessionContent,
  'version' | 'acceptedDocuments' | 'chargeId' | 'paymentStatus' | 'createdAt' | 'updatedAt' | 'expiresAt'
> & { readonly now: Date }

export function beginSession({ now, ...content }: NewSession): OpenSession {
  return {
    ...content,
    status: 'open',
    version: 1,
    acceptedDocuments: [],
    chargeId: null,
    paymentStatus: 'not_started',
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + SESSION_MS),
  }
}

/** The session at a point in time. An overdue session reads as expired even before the worker has saved its expiry. */
export function asOf(session: Session, now: Date): Session {
  const due = overdue(session, now)
  return due ? expire(due) : session
}

/** The session if it is overdue and its expiry is not saved yet, else `null`. */
export function overdue(session: Session, now: Date): OpenSession | PayingSession | null {
  if (session.status !== 'open' && session.status !== 'requires_action') return null
  return now >= session.expiresAt ? session : null
}

/** Expire an overdue session, as of its `expiresAt`. */
export function expire(session: OpenSession | PayingSession): ExpiredSession {
  const endedAt = session.expiresAt
  return { ...changed(session, endedAt), status: 'expired', endedAt }
}

export interface CommandContext {
  readonly now: Date
  /** The version the caller last saw, for optimistic locking. */
  readonly expectedVersion?: number | undefined
}

/** Replace the quote, contact and addresses. The items stay the same. */
export function updateQuote(
  session: Session,
  changes: Pick<SessionContent, 'quoteId' | 'contact' | 'shippingAddress' | 'billingAddress'>,
  context: CommandContext,
): OpenSession {
  assertAllowed(session, 'update_quote', context)
  return { ...changed(session, context.now), ...changes, status: 'open' }
}

/** Check that the session can be paid now, as shown. Refusals: `session_expired`, `version_conflict`. */
export function assertPayable(session: Session, context: CommandContext): void {
  assertAllowed(session, 'pay', context)
}

/** Start a payment. Its outcome is unknown until the provider reports it. */
export function startPayment(
  session: Session,
  payment: { readonly chargeId: string; readonly acceptedDocuments: SessionContent['acceptedDocuments'] },
  context: CommandContext,
): PayingSession {
  assertAllowed(session, 'pay', context)
  return { ...changed(session, context.now), ...payment, paymentStatus: 'pending', status: 'processing' }
}

/** Complete a session with nothing to pay. */
export function completeFree(
  session: Session,
  payment: { readonly orderId: string; readonly acceptedDocuments: SessionContent['acceptedDocuments'] },
  context: CommandContext,
): CompletedSession {
  assertAllowed(session, 'pay', context)
  return {
    ...changed(session, context.now),
    ...payment,
    paymentStatus: 'succeeded',
    status: 'completed',
    endedAt: context.now,
  }
}

/**
 * Cancel a session. While its payment is processing, the cancellation waits for the outcome.
 *
 * Refusals: `session_expired`, `session_not_cancelable`, `version_conflict`, `payment_outcome_unknown`.
 */
export function cancel(
  session: Session,
  cancellation: Cancellation,
  { now, expectedVersion }: CommandContext,
): CancelPendingSession | CanceledSession {
  if (session.status === 'expired') refuse('session_expired', conflictOf(session))
  const step = transition(sessionMachine, session.status, 'cancel')
  if (!step.moved) refuse('session_not_cancelable', conflictOf(session))
  refuseStale(session.version, expectedVersion, conflictOf(session).conflict)
  if (session.paymentStatus === 'unknown') refuse('payment_outcome_unknown', conflictOf(session))
  const content = { ...changed(session, now), ...cancellation }
  return step.to === 'canceled'
    ? { ...content, status: 'canceled', endedAt: now }
    : { ...content, status: 'cancel_pending' }
}

/** A payment update: what the provider reported, or that the outcome is unknown (`process`). */
export type PaymentUpdate =
  | { readonly type: 'require_action'; readonly transferMs: number | null }
  | { readonly type: 'process' }
  | { readonly type: 'decline' }
  /** `pending`: the order is placed, and its payment is pending or authorized. */
  | { readonly type: 'succeed'; readonly orderId: string; readonly paymentStatus: 'succeeded' | 'pending' }

/**
 * Apply a payment update. A session that waits for the shopper gets the time they need; one that waits for a bank
 * transfer gets days.
 */
export function applyPaymentOutcome(session: Session, update: PaymentUpdate, now: Date): Session {
  const step = transition(sessionMachine, session.status, update.type)
  assert(step.moved, `payment update ${update.type} in status ${session.status}`)
  const content = changed(session, now)
  switch (update.type) {
    case 'succeed': {
      const { orderId, paymentStatus } = update
      return { ...content, status: 'completed', paymentStatus, orderId, endedAt: now }
    }
    case 'decline': {
      const declined = { ...content, paymentStatus: 'failed' } as const
      if (session.status !== 'cancel_pending') return { ...declined, status: 'open' }
      return { ...declined, ...cancellationOf(session), status: 'canceled', endedAt: now }
    }
    case 'process':
      return pending(session, { ...content, paymentStatus: 'unknown' }, 'processing')
    case 'require_action': {
      const until = new Date(now.getTime() + (update.transferMs ?? SESSION_MS))
      const waiting = { ...content, paymentStatus: 'pending', expiresAt: latest(session.expiresAt, until) } as const
      return pending(session, waiting, 'requires_action')
    }
    default:
      return unreachable(update)
  }
}

/** Extend the stock hold of a session that waits for the shopper. */
export function extendHold(session: Session, until: Date, now: Date): Session {
  assert(session.status === 'requires_action', 'the session waits for the shopper')
  return { ...changed(session, now), status: session.status, expiresAt: latest(session.expiresAt, until) }
}

/** The session while it waits for the outcome. A session to be canceled stays `cancel_pending`. */
function pending(session: Session, content: SessionContent, status: PayingSession['status']): Session {
  if (session.status === 'cancel_pending') return { ...content, ...cancellationOf(session), status: 'cancel_pending' }
  return { ...content, status }
}

function cancellationOf({ cancelReason, cancelNote }: Cancellation): Cancellation {
  return { cancelReason, cancelNote }
}

/** Record the outcome of a payment after its session has ended. */
export function recordLatePayment(session: Session, paymentStatus: PaymentStatus, now: Date): Session {
  assert(sessionMachine.finals.includes(session.status), 'the session has ended')
  return { ...session, version: session.version + 1, updatedAt: latest(session.updatedAt, now), paymentStatus }
}

/** The checks of every change on the page. */
function assertAllowed(session: Session, command: 'update_quote' | 'pay', { expectedVersion }: CommandContext): void {
  if (session.status === 'expired') refuse('session_expired', conflictOf(session))
  if (!transition(sessionMachine, session.status, command).moved) refuse('version_conflict', conflictOf(session))
  refuseStale(session.version, expectedVersion, conflictOf(session).conflict)
}

/** The current state, and the operations an installation may call. */
function conflictOf({ status, version }: Session) {
  const mayCancel = transition(sessionMachine, status, 'cancel').moved
  const allowed = ['getHostedCheckoutSession', ...(mayCancel ? ['cancelHostedCheckoutSession'] : [])]
  return { conflict: { currentState: status, currentVersion: version, allowed } }
}

/** The shared fields with the next version. */
function changed(session: Session, now: Date): SessionContent {
  return {
    id: session.id,
    installationId: session.installationId,
    environment: session.environment,
    storeId: session.storeId,
    cartId: session.cartId,
    quoteId: session.quoteId,
    version: session.version + 1,
    returnUrl: session.returnUrl,
    cancelUrl: session.cancelUrl,
    clientReferenceId: session.clientReferenceId,
    metadata: session.metadata,
    contact: session.contact,
    shippingAddress: session.shippingAddress,
    billingAddress: session.billingAddress,
    acceptedDocuments: session.acceptedDocuments,
    chargeId: session.chargeId,
    paymentStatus: session.paymentStatus,
    createdAt: session.createdAt,
    updatedAt: latest(session.updatedAt, now),
    expiresAt: session.expiresAt,
  }
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other
}

/**
 * The URL that the shopper leaves our pages to: the return URL after success or while a payment is in progress, else the
 * cancel URL, with `sessionId` and `status` added to the query.
 */
export function exitUrl({ id, status, returnUrl, cancelUrl }: Session): string {
  const mayBePaid = status === 'completed' || status === 'processing' || status === 'requires_action'
  const url = new URL(mayBePaid ? returnUrl : cancelUrl)
  url.searchParams.set('sessionId', id)
  url.searchParams.set('status', status)
  return url.href
}
