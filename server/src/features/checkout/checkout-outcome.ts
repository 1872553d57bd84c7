import { assert, present } from '../../kernel/assert.ts'
import { transition } from '../../kernel/state-machine.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { convertCart, readCart } from '../carts/index.ts'
import { consumeStock } from '../inventory/index.ts'
import { type Order, placeOrder } from '../orders/index.ts'
import { beginRefund, type Intent, type PaymentOutcome } from '../payments/index.ts'
import { endOverdue } from './end-session.ts'
import { giveBack } from './give-back.ts'
import type { OrderingDeps } from './parts.ts'
import { noted, overdue, type PaymentNews, type PaymentStatus, type Session, sessionMachine, told } from './session.ts'
import { tellSession } from './session-events.ts'
import { holdSession, type LoadedSession, readStored, saveSession } from './session-store.ts'

/**
 * What becomes of a checkout's payment: an order, another try, or a wait; in the transaction that writes the answer down.
 *
 * @see docs/decisions/0060-from-cart-to-order.md
 */
export function checkoutOutcome(parts: OrderingDeps): PaymentOutcome {
  return {
    lock: async (tx, intent) => holdSession(tx, intent.subjectId),
    async settle(tx, intent, context) {
      const loaded = await upToDate(tx, intent.subjectId, context)
      const { session } = loaded
      const command = COMMANDS[intent.status]
      if (!command) return
      if (session.chargeId !== intent.id || isOver(session)) return settleLate(tx, loaded, intent, context)
      if (!isNews(session, command, intent)) return
      if (command !== 'succeed') return settleMeanwhile(tx, loaded, newsOf(command, intent), context)
      const order = await becomeOrder(tx, { loaded, chargeId: intent.id, parts }, context)
      const completed = told(session, { news: 'succeed', orderId: order.id }, context.now)
      saveSession(tx, completed)
      tellSession(tx, 'checkout.session.completed', { ...loaded, session: completed }, context)
      crashPoint('order.placed')
    },
    committed({ status }) {
      if (status === 'succeeded') crashPoint('order.committed')
    },
  }
}

/** What the statuses of an intent that is at rest tell its session. */
const COMMANDS: Readonly<Partial<Record<Intent['status'], PaymentNews['news']>>> = {
  requires_action: 'require_action',
  unknown: 'process',
  failed: 'decline',
  canceled: 'decline',
  succeeded: 'succeed',
}

/** A session whose time was over before the answer came has expired, as its readers have seen. */
async function upToDate(tx: Transaction, sessionId: string, context: EventContext): Promise<LoadedSession> {
  const loaded = await readStored(tx, sessionId)
  const due = overdue(loaded.session, context.now)
  return due ? endOverdue(tx, due, loaded.quote, context) : loaded
}

function isOver({ status }: Session): boolean {
  return sessionMachine.finals.includes(status)
}

/** Providers tell some things more than once. */
function isNews(session: Session, command: PaymentNews['news'], { status }: Intent): boolean {
  const step = transition(sessionMachine, session.status, command)
  if (!step.moved) return false
  return step.to !== session.status || session.paymentStatus !== PAYMENT_STATUSES[status]
}

const PAYMENT_STATUSES: Readonly<Partial<Record<Intent['status'], PaymentStatus>>> = {
  requires_action: 'pending',
  unknown: 'unknown',
  failed: 'failed',
  canceled: 'failed',
  succeeded: 'succeeded',
}

function newsOf(command: Exclude<PaymentNews['news'], 'succeed'>, { nextActionUrl }: Intent): PaymentNews {
  // Where no page of a provider waits for the shopper, they take their time with their bank.
  return command === 'require_action' ? { news: command, waitsForTransfer: nextActionUrl === null } : { news: command }
}

async function settleMeanwhile(
  tx: Transaction,
  { session, quote }: LoadedSession,
  news: PaymentNews,
  context: EventContext,
) {
  const after = { session: told(session, news, context.now), quote }
  saveSession(tx, after.session)
  if (after.session.status !== 'canceled') return
  await giveBack(tx, after, context)
  tellSession(tx, 'checkout.session.canceled', after, context)
}

/** Money for a session that is over is given back: nobody holds its goods any more. */
async function settleLate(
  tx: Transaction,
  { session }: LoadedSession,
  intent: Intent,
  context: EventContext,
): Promise<void> {
  const isItsOwn = session.chargeId === intent.id
  if (isItsOwn && session.status === 'completed') return
  const paymentStatus = PAYMENT_STATUSES[intent.status]
  if (isItsOwn && paymentStatus && paymentStatus !== session.paymentStatus) {
    saveSession(tx, noted(session, paymentStatus, context.now))
  }
  if (intent.status !== 'succeeded') return
  const refund = { chargeId: intent.id, subjectId: session.id, purpose: 'late_success', amount: intent.amount } as const
  await beginRefund(tx, refund, context)
}

/** Providers that refuse to give money back may have a reason that passes. */
const ASK_AGAIN_MS = 3_600_000

/**
 * Money that came too late goes back by an intent of its own. The session stays as it ended. There is no order by which
 * somebody would see that the money is still here, so a refund that was refused is asked for again until it is not.
 */
export const lateSuccessOutcome: PaymentOutcome = {
  lock: async () => undefined,
  async settle(tx, { status, chargeId, subjectId, amount }, context) {
    if (status !== 'failed') return
    const askAt = new Date(context.now.getTime() + ASK_AGAIN_MS)
    const charge = present(chargeId, 'a refund is of a charge')
    await beginRefund(tx, { chargeId: charge, subjectId, purpose: 'late_success', amount, askAt }, context)
  },
}

/** A session that has been paid for, by which charge; by none where there was nothing to pay. */
export interface PaidSession {
  readonly loaded: LoadedSession
  readonly chargeId: string | null
  readonly parts: OrderingDeps
}

/** Makes the order of a session, and all that follows from it but the session's own end. The locks are held. */
export async function becomeOrder(tx: Transaction, paid: PaidSession, context: EventContext): Promise<Order> {
  const { loaded, chargeId } = paid
  const { beginFulfilment, pagesUrl } = paid.parts
  const { session, quote } = loaded
  const { shippingAddress, billingAddress } = session
  const cart = await readCart(tx, session.cartId)
  assert(
    cart.status === 'locked' && cart.checkoutSessionId === session.id,
    'a session that is under way holds its cart',
  )
  const order = await placeOrder(
    tx,
    {
      environment: session.environment,
      installationId: session.installationId,
      storeId: session.storeId,
      sessionId: session.id,
      chargeId,
      source: 'hosted_checkout',
      currency: quote.currency,
      country: shippingAddress?.countryCode ?? quote.country,
      locale: quote.locale,
      customerId: cart.customerId,
      email: present(session.contact?.email, 'nobody pays without an e-mail address'),
      lines: quote.lines,
      selectedShipping: quote.selectedShipping,
      totals: quote.totals,
      shippingAddress,
      billingAddress: billingAddress ?? shippingAddress,
      acceptedDocuments: session.acceptedDocuments,
      charge: 'captured',
      placedAt: context.now,
    },
    { ...context, pagesUrl },
  )
  convertCart(tx, cart, order.id, context)
  await beginFulfilment(tx, order, context)
  consumeStock(tx, session.id)
  return order
}
