import { type Address, type Contact, type HostedCheckoutCancelRequest, limits, type Order } from '@vitrine/contract'
import type { Static } from 'typebox'
import { assert, unreachable } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { refuse } from '../../kernel/refusal.ts'
import { machine, transition } from '../../kernel/state-machine.ts'

const SESSION_MS = limits.checkout.sessionSeconds * 1000
const TRANSFER_MS = limits.checkout.transferSeconds * 1000

/** What a session holds in each of its states. */
interface SessionContent {
  readonly id: string
  readonly installationId: string
  readonly environment: Environment
  /** The installation's store, or `null` for the whole marketplace. */
  readonly storeId: string | null
  readonly cartId: string
  /** The signed price that is charged. */
  readonly quoteId: string
  /** Grows by one with each change. */
  readonly version: number
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly clientReferenceId: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly contact: Static<typeof Contact> | null
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly acceptedDocuments: Order['acceptedDocuments']
  /** The charge of the last try to pay; `null` before the first. */
  readonly chargeId: string | null
  readonly paymentStatus: PaymentStatus
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date
}

export type PaymentStatus = 'not_started' | 'pending' | 'unknown' | 'succeeded' | 'failed'
export type CancelReason = NonNullable<HostedCheckoutCancelRequest['reason']>

/** Why a session is given up. */
export interface Cancellation {
  readonly cancelReason: CancelReason | null
  readonly cancelNote: string | null
}
type Ended = { readonly endedAt: Date }

export type OpenSession = SessionContent & { readonly status: 'open' }
/** What is being paid, or may be. */
export type PayingSession = SessionContent & { readonly status: 'requires_action' | 'processing' }
export type CancelPendingSession = SessionContent & Cancellation & { readonly status: 'cancel_pending' }
export type CompletedSession = SessionContent & Ended & { readonly status: 'completed'; readonly orderId: string }
export type CanceledSession = SessionContent & Ended & Cancellation & { readonly status: 'canceled' }
export type ExpiredSession = SessionContent & Ended & { readonly status: 'expired' }
export type Session =
  | OpenSession
  | PayingSession
  | CancelPendingSession
  | CompletedSession
  | CanceledSession
  | ExpiredSession
export type SessionStatus = Session['status']

/** What happens to a session: what a shopper or an installation asks for, and what its payment tells. */
export const SESSION_COMMANDS = [
  'complete_quote',
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
 * While a payment is processed nobody knows whether it was made, so nothing ends a session then but its outcome.
 *
 * @see CONTRACT, State machines, Checkout session
 */
export const sessionMachine = machine<SessionStatus, SessionCommand>({
  initial: 'open',
  finals: ['completed', 'canceled', 'expired'],
  transitions: {
    open: { complete_quote: 'open', pay: 'processing', cancel: 'canceled', expire: 'expired' },
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

/** A session as it begins. */
export type Beginning = Omit<
  SessionContent,
  'version' | 'acceptedDocuments' | 'chargeId' | 'paymentStatus' | 'createdAt' | 'updatedAt' | 'expiresAt'
> & { readonly now: Date }

export function beginSession({ now, ...beginning }: Beginning): OpenSession {
  return {
    ...beginning,
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

/** The session as it stands at a moment: one whose time is over has expired, worker or no worker. */
export function asOf(session: Session, now: Date): Session {
  const due = overdue(session, now)
  return due ? expired(due) : session
}

/** The session where it is still to be written down that it has expired. */
export function overdue(session: Session, now: Date): OpenSession | PayingSession | null {
  if (session.status !== 'open' && session.status !== 'requires_action') return null
  return now >= session.expiresAt ? session : null
}

/** Ends a session whose time is over, at the moment at which it was. */
export function expired(session: OpenSession | PayingSession): ExpiredSession {
  const endedAt = session.expiresAt
  return { ...changed(session, endedAt), status: 'expired', endedAt }
}

/** When a command comes, and which version its caller has seen. */
export interface Occasion {
  readonly now: Date
  readonly expectedVersion?: number | undefined
}

/** Takes another quote for the same items, with what was learned of who buys and where it goes. */
export function withQuote(
  session: Session,
  known: Pick<SessionContent, 'quoteId' | 'contact' | 'shippingAddress' | 'billingAddress'>,
  occasion: Occasion,
): OpenSession {
  admitOnPage(session, 'complete_quote', occasion)
  return { ...changed(session, occasion.now), ...known, status: 'open' }
}

/** Whether the shopper may pay now, at what they were shown. Refusals: `session_expired`, `version_conflict`. */
export function refuseUnlessPayable(session: Session, occasion: Occasion): void {
  admitOnPage(session, 'pay', occasion)
}

/** The shopper pays: from now on nobody knows the outcome until the provider has told it. */
export function paying(
  session: Session,
  wish: { readonly chargeId: string; readonly acceptedDocuments: SessionContent['acceptedDocuments'] },
  occasion: Occasion,
): PayingSession {
  admitOnPage(session, 'pay', occasion)
  return { ...changed(session, occasion.now), ...wish, paymentStatus: 'pending', status: 'processing' }
}

/** The shopper pays nothing, because nothing is to be paid: the order exists. */
export function completedForNothing(
  session: Session,
  wish: { readonly orderId: string; readonly acceptedDocuments: SessionContent['acceptedDocuments'] },
  occasion: Occasion,
): CompletedSession {
  admitOnPage(session, 'pay', occasion)
  return {
    ...changed(session, occasion.now),
    ...wish,
    paymentStatus: 'succeeded',
    status: 'completed',
    endedAt: occasion.now,
  }
}

/**
 * Gives a session up. While its payment is processed that waits for the outcome.
 *
 * Refusals: `session_expired`, `session_not_cancelable`, `version_conflict`, `payment_outcome_unknown`.
 */
export function canceled(
  session: Session,
  why: Cancellation,
  { now, expectedVersion }: Occasion,
): CancelPendingSession | CanceledSession {
  if (session.status === 'expired') refuse('session_expired', conflictOf(session))
  const step = transition(sessionMachine, session.status, 'cancel')
  if (!step.moved) refuse('session_not_cancelable', conflictOf(session))
  refuseStale(session, expectedVersion)
  if (session.paymentStatus === 'unknown') refuse('payment_outcome_unknown', conflictOf(session))
  const content = { ...changed(session, now), ...why }
  return step.to === 'canceled'
    ? { ...content, status: 'canceled', endedAt: now }
    : { ...content, status: 'cancel_pending' }
}

/** What a payment has told: what the provider said of it, or that nobody knows. */
export type PaymentNews =
  | { readonly news: 'require_action'; readonly waitsForTransfer: boolean }
  | { readonly news: 'process' }
  | { readonly news: 'decline' }
  | { readonly news: 'succeed'; readonly orderId: string }

/**
 * Takes what a payment has told. Who waits for the shopper is kept for as long as they may need; who waits for a transfer
 * of money between banks, for days.
 */
export function told(session: Session, message: PaymentNews, now: Date): Session {
  const step = transition(sessionMachine, session.status, message.news)
  assert(step.moved, `a session that is ${session.status} is told ${message.news}`)
  const content = changed(session, now)
  switch (message.news) {
    case 'succeed': {
      const { orderId } = message
      return { ...content, status: 'completed', paymentStatus: 'succeeded', orderId, endedAt: now }
    }
    case 'decline': {
      const declined = { ...content, paymentStatus: 'failed' } as const
      if (session.status !== 'cancel_pending') return { ...declined, status: 'open' }
      return { ...declined, ...whyOf(session), status: 'canceled', endedAt: now }
    }
    case 'process':
      return underWay(session, { ...content, paymentStatus: 'unknown' }, 'processing')
    case 'require_action': {
      const until = new Date(now.getTime() + (message.waitsForTransfer ? TRANSFER_MS : SESSION_MS))
      const waiting = { ...content, paymentStatus: 'pending', expiresAt: latest(session.expiresAt, until) } as const
      return underWay(session, waiting, 'requires_action')
    }
    default:
      return unreachable(message)
  }
}

/** A session that somebody wants to cancel waits for the outcome, whatever the payment does until then. */
function underWay(session: Session, content: SessionContent, status: PayingSession['status']): Session {
  if (session.status === 'cancel_pending') return { ...content, ...whyOf(session), status: 'cancel_pending' }
  return { ...content, status }
}

function whyOf({ cancelReason, cancelNote }: Cancellation): Cancellation {
  return { cancelReason, cancelNote }
}

/** Writes down what became of the payment of a session that has ended before it was known. */
export function noted(session: Session, paymentStatus: PaymentStatus, now: Date): Session {
  assert(sessionMachine.finals.includes(session.status), 'only an end comes before the outcome')
  return { ...session, version: session.version + 1, updatedAt: latest(session.updatedAt, now), paymentStatus }
}

/** The guards of whatever the page does, besides its own. */
function admitOnPage(session: Session, command: 'complete_quote' | 'pay', { expectedVersion }: Occasion): void {
  if (session.status === 'expired') refuse('session_expired', conflictOf(session))
  if (!transition(sessionMachine, session.status, command).moved) refuse('version_conflict', conflictOf(session))
  refuseStale(session, expectedVersion)
}

function refuseStale(session: Session, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === session.version) return
  refuse('version_conflict', { conflict: { expectedVersion, ...conflictOf(session).conflict } })
}

/** Where it stands, and what an installation may do with it now. */
function conflictOf({ status, version }: Session) {
  const mayCancel = transition(sessionMachine, status, 'cancel').moved
  const allowed = ['getHostedCheckoutSession', ...(mayCancel ? ['cancelHostedCheckoutSession'] : [])]
  return { conflict: { currentState: status, currentVersion: version, allowed } }
}

/** What all states share, one version further. */
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
 * Where the shopper goes from our pages: the return URL once something came of it or still may, else the cancel URL. What
 * these already carry stays, except under our own names.
 */
export function wayBack({ id, status, returnUrl, cancelUrl }: Session): string {
  const mayBePaid = status === 'completed' || status === 'processing' || status === 'requires_action'
  const url = new URL(mayBePaid ? returnUrl : cancelUrl)
  url.searchParams.set('sessionId', id)
  url.searchParams.set('status', status)
  return url.href
}
