import { assert, present } from '../../kernel/assert.ts'
import { transition } from '../../kernel/state-machine.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { type Cart, convertCart, destinationOf, findCartOfSession } from '../carts/index.ts'
import { consumeStock } from '../inventory/index.ts'
import { type Order, placeOrder } from '../orders/index.ts'
import { beginRefund, type Intent, type OrderToPay, type PaymentOutcome } from '../payments/index.ts'
import type { OrderingDeps } from './deps.ts'
import { expireSession } from './end-session.ts'
import { releaseSession } from './release.ts'
import {
  applyPaymentOutcome,
  overdue,
  type PaymentStatus,
  type PaymentUpdate,
  recordLatePayment,
  type Session,
  sessionMachine,
} from './session.ts'
import { publishSessionEvent } from './session-events.ts'
import { type LoadedSession, loadStoredSession, lockSessionRows, saveSession } from './session-store.ts'
import { mailTransferDetails } from './transfer.ts'

/**
 * What follows from a checkout payment: an order, another attempt or a wait. Runs in the transaction that saves the
 * provider's answer.
 *
 * @see docs/decisions/0060-from-cart-to-order.md
 */
export function checkoutOutcome(deps: OrderingDeps): PaymentOutcome {
  return {
    lock: async (tx, intent) => lockSessionRows(tx, intent.subjectId),
    async settle(tx, intent, context) {
      const type = UPDATE_TYPES[intent.status]
      const [loaded, cart] = await Promise.all([
        loadAsOf(tx, intent.subjectId, context),
        type === 'succeed' ? findCartOfSession(tx, intent.subjectId) : null,
      ])
      const { session } = loaded
      if (!type) return
      if (session.chargeId !== intent.id || isFinal(session)) return settleLatePayment(tx, loaded, intent, context)
      if (!isChange(session, type, intent)) return
      if (type !== 'succeed') {
        const waits = type === 'require_action' && intent.nextActionUrl === null
        const update = updateOf(type, waits ? deps.transfer.holdMs : null)
        const after = await settlePending(tx, loaded, update, context)
        if (waits && after.session.status === 'requires_action') {
          await mailTransferDetails(tx, after, intent, deps.transfer, context)
        }
        return
      }
      const paid = { loaded, cart: present(cart, 'a session has a cart'), chargeId: intent.id, deps }
      const order = await createOrderFromSession(tx, paid, context)
      const completed = applyPaymentOutcome(session, { type: 'succeed', orderId: order.id }, context.now)
      saveSession(tx, completed)
      publishSessionEvent(tx, 'checkout.session.completed', { ...loaded, session: completed }, context)
      crashPoint('order.placed')
    },
    committed({ status }) {
      if (status === 'succeeded') crashPoint('order.committed')
    },
    orderOf: async (reader, { subjectId }) => orderToPay(await loadStoredSession(reader, subjectId)),
  }
}

/** What the charge of a session pays for. Session and quote do not change while it is open. */
function orderToPay({ session, quote }: LoadedSession): OrderToPay {
  const { contact, shippingAddress, billingAddress } = session
  return {
    sessionId: session.id,
    locale: quote.locale,
    email: contact?.email ?? null,
    phone: contact?.phone ?? null,
    shippingAddress,
    billingAddress: billingAddress ?? shippingAddress,
    lines: quote.lines.map(({ name, optionLabels, quantity, total }) => ({
      name: [name, ...optionLabels.map(({ value }) => value)].join(', '),
      quantity,
      amount: BigInt(total.amount),
    })),
    stores: quote.totals.byStore.map(({ storeId, shipping, shippingDiscount, total }) => ({
      storeId,
      shipping: BigInt((shipping?.amount ?? 0) - (shippingDiscount?.amount ?? 0)),
      total: BigInt(total.amount),
    })),
  }
}

/** The update that each settled status of an intent means for its session. */
const UPDATE_TYPES: Readonly<Partial<Record<Intent['status'], PaymentUpdate['type']>>> = {
  requires_action: 'require_action',
  unknown: 'process',
  failed: 'decline',
  canceled: 'decline',
  succeeded: 'succeed',
}

/** Load the session. If it was overdue before the answer came, save its expiry. */
async function loadAsOf(tx: Transaction, sessionId: string, context: EventContext): Promise<LoadedSession> {
  const loaded = await loadStoredSession(tx, sessionId)
  const due = overdue(loaded.session, context.now)
  return due ? expireSession(tx, due, loaded.quote, context) : loaded
}

function isFinal({ status }: Session): boolean {
  return sessionMachine.finals.includes(status)
}

/** Providers may report the same status several times. */
function isChange(session: Session, type: PaymentUpdate['type'], { status }: Intent): boolean {
  const step = transition(sessionMachine, session.status, type)
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

/** Without a page of the provider to visit, the shopper pays by bank transfer. */
function updateOf(type: Exclude<PaymentUpdate['type'], 'succeed'>, transferMs: number | null): PaymentUpdate {
  return type === 'require_action' ? { type, transferMs } : { type }
}

async function settlePending(
  tx: Transaction,
  { session, quote }: LoadedSession,
  update: PaymentUpdate,
  context: EventContext,
): Promise<LoadedSession> {
  const after = { session: applyPaymentOutcome(session, update, context.now), quote }
  saveSession(tx, after.session)
  if (after.session.status !== 'canceled') return after
  await releaseSession(tx, after, context)
  publishSessionEvent(tx, 'checkout.session.canceled', after, context)
  return after
}

/** Refund money for a session that has ended: its goods are no longer held. */
async function settleLatePayment(
  tx: Transaction,
  { session }: LoadedSession,
  intent: Intent,
  context: EventContext,
): Promise<void> {
  const isLatestCharge = session.chargeId === intent.id
  if (isLatestCharge && session.status === 'completed') return
  const paymentStatus = PAYMENT_STATUSES[intent.status]
  if (isLatestCharge && paymentStatus && paymentStatus !== session.paymentStatus) {
    saveSession(tx, recordLatePayment(session, paymentStatus, context.now))
  }
  if (intent.status !== 'succeeded') return
  const refund = { chargeId: intent.id, subjectId: session.id, purpose: 'late_success', amount: intent.amount } as const
  await beginRefund(tx, refund, context)
}

/** A provider may decline a refund for a temporary reason. */
const REFUND_RETRY_MS = 3_600_000

/**
 * The refund of a late payment. The session does not change. No order would show an operator that the money is still here,
 * so a failed refund is retried until it succeeds.
 */
export const lateSuccessOutcome: PaymentOutcome = {
  lock: async () => undefined,
  async settle(tx, { status, chargeId, subjectId, amount }, context) {
    if (status !== 'failed') return
    const sendAt = new Date(context.now.getTime() + REFUND_RETRY_MS)
    const charge = present(chargeId, 'a refund has a charge')
    await beginRefund(tx, { chargeId: charge, subjectId, purpose: 'late_success', amount, sendAt }, context)
  },
}

/** A paid session. `chargeId` is `null` if there was nothing to pay. */
export interface PaidSession {
  readonly loaded: LoadedSession
  readonly cart: Cart
  readonly chargeId: string | null
  readonly deps: OrderingDeps
}

/** Place the order of a locked, paid session: convert the cart, start fulfillment, consume stock. The caller saves the session. */
export async function createOrderFromSession(
  tx: Transaction,
  { loaded, cart, chargeId, deps: { prepareFulfillment, pagesUrl } }: PaidSession,
  context: EventContext,
): Promise<Order> {
  const { session, quote } = loaded
  const { shippingAddress, billingAddress } = session
  assert(
    cart.status === 'locked' && cart.checkoutSessionId === session.id,
    'the cart of an active session is locked by it',
  )
  const placing = placeOrder(
    tx,
    {
      environment: session.environment,
      installationId: session.installationId,
      cartId: session.cartId,
      sessionId: session.id,
      chargeId,
      clientReferenceId: session.clientReferenceId,
      metadata: session.metadata,
      source: 'hosted_checkout',
      currency: quote.currency,
      country: destinationOf(session, quote.lines).address?.countryCode ?? quote.country,
      locale: quote.locale,
      customerId: cart.customerId,
      email: present(session.contact?.email, 'a paid session has an email address'),
      phone: session.contact?.phone ?? null,
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
  // Together, so that what they read is one round trip, and what follows is sent with the COMMIT.
  const [beginFulfillment, order] = await Promise.all([
    prepareFulfillment(
      tx,
      quote.lines.map(({ skuId }) => skuId),
    ),
    placing,
  ])
  convertCart(tx, cart, order.id, context)
  beginFulfillment(order, context)
  consumeStock(tx, session.id)
  return order
}
