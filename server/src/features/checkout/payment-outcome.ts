import { assert, present } from '../../kernel/assert.ts'
import { transition } from '../../kernel/state-machine.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { completeRequestsOfUnpaid } from '../cancellations/index.ts'
import { type Cart, convertCart, destinationOf, findCartOfSession } from '../carts/index.ts'
import { consumeStock } from '../inventory/index.ts'
import {
  type CommandContext,
  chargeAuthorized,
  chargeCaptured,
  chargeDisputed,
  chargeFailed,
  chargeVoided,
  findOrderOfSession,
  fulfillableUnits,
  isUnpaid,
  lockOrderOfSession,
  type Order,
  type OrderMoney,
  placeOrder,
  recordCanceled,
  release,
  releaseHeld,
  saveOrder,
} from '../orders/index.ts'
import {
  amountTaken,
  beginRefund,
  type Dispute,
  type DisputeChange,
  disputedOf,
  type Intent,
  isPlaced,
  type OrderToPay,
  type PaymentOutcome,
  requestVoid,
} from '../payments/index.ts'
import { firstHold } from './confirm-transfer.ts'
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
import { type LoadedSession, loadStoredSession, lockRemainingSession, saveSession } from './session-store.ts'
import { mailTransferDetails } from './transfer-mail.ts'

/**
 * Apply the outcome of a checkout payment: place the order, allow another attempt, or wait. Runs in the transaction that saves the
 * provider's answer.
 *
 * @see docs/decisions/0060-from-cart-to-order.md
 */
export function checkoutOutcome(deps: OrderingDeps): PaymentOutcome {
  return {
    // Not awaited: the intent is locked in the same round trip.
    async lock(tx, { subjectId, expiresAt }) {
      const locking = Promise.all([lockRemainingSession(tx, subjectId), findCartOfSession(tx, subjectId)])
      locking.catch(() => {})
      // A charge that was never pending or authorized has no order yet.
      if (expiresAt !== null) lockOrderOfSession(tx, subjectId)
      return async (intent, context) => settle(tx, deps, { locked: await locking, intent }, context)
    },
    committed({ status }) {
      if (status === 'succeeded') crashPoint('order.committed')
    },
    async disputed(tx, { subjectId }, change, { ids, now }) {
      // Not by the session, which is deleted with its cart when the customer is erased.
      const before = await findOrderOfSession(tx, subjectId)
      if (before) await saveOrder(tx, before, afterDisputes(before, change, now), { ids, now })
    },
    orderOf: async (reader, { subjectId }) => orderToPay(await loadStoredSession(reader, subjectId)),
  }
}

/** A payment result with its session and cart, which were locked before the intent. */
interface Settling {
  readonly locked: readonly [LoadedSession | null, Cart | null]
  readonly intent: Intent
}

async function settle(
  tx: Transaction,
  deps: OrderingDeps,
  { locked: [stored, cart], intent }: Settling,
  context: EventContext,
): Promise<void> {
  if (!stored) return settleLatePayment(tx, null, intent, context)
  const type = updateTypeOf(intent)
  const loaded = await asOfNow(tx, stored, context)
  const { session } = loaded
  if (!type) return
  if (session.chargeId === intent.id && session.status === 'completed') {
    return settlePlacedOrder(tx, loaded, intent, { ...deps, ...context })
  }
  if (session.chargeId !== intent.id || isFinal(session)) return settleLatePayment(tx, session, intent, context)
  if (!isChange(session, type, intent)) return
  if (type !== 'succeed') {
    const waits = type === 'require_action' && intent.nextActionUrl === null
    const transferMs = waits ? await firstHold(tx, session, deps.transfer, context.now) : null
    const after = await settlePending(tx, loaded, updateOf(type, transferMs), context)
    if (waits && after.session.status === 'requires_action') {
      await mailTransferDetails(tx, after, intent, deps, context)
    }
    return
  }
  await completeSession(tx, deps, { loaded, cart: present(cart, 'a session has a cart'), intent }, context)
}

/** Place the order of a session whose charge succeeded, or was accepted as pending or authorized. */
async function completeSession(
  tx: Transaction,
  deps: OrderingDeps,
  { loaded, cart, intent }: { readonly loaded: LoadedSession; readonly cart: Cart; readonly intent: Intent },
  context: EventContext,
): Promise<void> {
  const charge = isPlaced(intent) ? intent.status : 'captured'
  const paymentStatus = isPlaced(intent) ? 'pending' : 'succeeded'
  const order = await createOrderFromSession(tx, { loaded, cart, chargeId: intent.id, deps, charge }, context)
  const update = { type: 'succeed', orderId: order.id, paymentStatus } as const
  const completed = applyPaymentOutcome(loaded.session, update, context.now)
  saveSession(tx, completed)
  publishSessionEvent(tx, 'checkout.session.completed', { ...loaded, session: completed }, context)
  crashPoint('order.placed')
}

const DISPUTE_CODES = { open: 'payment_disputed', won: 'dispute_won', lost: 'dispute_lost' } as const

/** Record each new or decided dispute on the order. A review by the bank changes nothing. */
function afterDisputes(order: Order, { before, after }: DisputeChange, now: Date): Order {
  const disputed = disputedOf(after, order.currency)
  const context = { now, actor: 'system' } as const
  const stageOf = (status: Dispute['status']) => (status === 'under_review' ? 'open' : status)
  return after.reduce((current, { reference, status }) => {
    const known = before.find((each) => each.reference === reference)
    if (known && stageOf(known.status) === stageOf(status)) return current
    return chargeDisputed(current, { disputed, code: DISPUTE_CODES[stageOf(status)] }, context)
  }, order)
}

/** The purchase that a session's charge pays for. Session and quote do not change while the charge is open. */
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

/** The session update for an intent. A pending or authorized payment places the order, unless a void was requested. */
function updateTypeOf(intent: Intent): PaymentUpdate['type'] | undefined {
  if (!isPlaced(intent)) return UPDATE_TYPES[intent.status]
  return intent.voidRequested ? 'process' : 'succeed'
}

const UPDATE_TYPES: Readonly<Partial<Record<Intent['status'], PaymentUpdate['type']>>> = {
  requires_action: 'require_action',
  unknown: 'process',
  failed: 'decline',
  canceled: 'decline',
  succeeded: 'succeed',
}

/** Save the expiry of a session that was overdue before the answer arrived. */
async function asOfNow(tx: Transaction, loaded: LoadedSession, context: EventContext): Promise<LoadedSession> {
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
  pending: 'pending',
  authorized: 'pending',
  unknown: 'unknown',
  failed: 'failed',
  canceled: 'failed',
  succeeded: 'succeeded',
}

/** `transferMs`: how long to wait for a bank transfer; `null` if the shopper acts on a page of the provider. */
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

/** Apply the outcome of a payment to its placed order. Money for an order that was canceled in the meantime is refunded. */
async function settlePlacedOrder(
  tx: Transaction,
  loaded: LoadedSession,
  intent: Intent,
  { prepareFulfillment, ids, now }: OrderingDeps & EventContext,
): Promise<void> {
  const context = { ids, now }
  const before = present(await findOrderOfSession(tx, loaded.session.id), 'a completed session has an order')
  const command = { now, actor: 'system' } as const
  if (before.money.charge === 'captured') return
  if (!isUnpaid(before)) return settleLatePayment(tx, loaded.session, intent, context)
  if (intent.status === 'succeeded') {
    const skuIds = before.lines.map(({ skuId }) => skuId)
    const beginFulfillment = await prepareFulfillment(tx, skuIds)
    const captured = { amount: amountTaken(intent), releaseReference: ids.next('rel') }
    const order = chargeCaptured(before, captured, command)
    await saveOrder(tx, before, order, context)
    beginFulfillment(order, context)
    consumeStock(tx, loaded.session.id)
  } else if (intent.status === 'authorized' && before.money.charge === 'pending') {
    await saveOrder(tx, before, chargeAuthorized(before, command), context)
  } else if (intent.status === 'failed' || intent.status === 'canceled') {
    await cancelUnpaidOrder(tx, before, intent.status === 'failed' ? chargeFailed : chargeVoided, context)
  } else if (intent.status === 'pending' && intent.expiresAt !== null && intent.expiresAt <= now) {
    // The time to wait for the money is over. Money that arrives later is refunded.
    await cancelUnpaidOrder(tx, before, chargeFailed, context)
    await requestVoid(tx, intent.id, context)
  }
  recordPaymentStatus(tx, loaded.session, intent, now)
}

/** Cancel an order whose payment failed or was voided, even if the order is on hold, and release its stock. */
async function cancelUnpaidOrder(
  tx: Transaction,
  before: Order,
  settle: (order: Order, context: CommandContext) => Order,
  context: EventContext,
): Promise<void> {
  const command = { now: context.now, actor: 'system' } as const
  const released = before.status === 'on_hold' ? release(before, command) : before
  const units = released.lines.map(({ id, units: own }) => ({ lineId: id, quantity: fulfillableUnits(own) }))
  const order = recordCanceled(settle(released, command), units, command)
  await saveOrder(tx, before, order, context)
  await completeRequestsOfUnpaid(tx, order, context)
  await releaseHeld(tx, order)
}

function recordPaymentStatus(tx: Transaction, session: Session, { status }: Intent, now: Date): void {
  const paymentStatus = PAYMENT_STATUSES[status]
  if (paymentStatus && paymentStatus !== session.paymentStatus) {
    saveSession(tx, recordLatePayment(session, paymentStatus, now))
  }
}

/** Refund money for a session or an order that has ended: its stock is no longer held. `null`: the session was deleted. */
async function settleLatePayment(
  tx: Transaction,
  session: Session | null,
  intent: Intent,
  context: EventContext,
): Promise<void> {
  if (session?.chargeId === intent.id) recordPaymentStatus(tx, session, intent, context.now)
  if (intent.status !== 'succeeded') return
  const amount = amountTaken(intent)
  const refund = { chargeId: intent.id, subjectId: intent.subjectId, purpose: 'late_success', amount } as const
  await beginRefund(tx, refund, context)
}

/** A provider may decline a refund for a temporary reason. */
const REFUND_RETRY_MS = 3_600_000

/**
 * Apply the outcome of a late payment's refund. The session does not change. There is no order that would show operators the
 * unreturned money, so a failed refund is retried until it succeeds.
 */
export const lateSuccessOutcome: PaymentOutcome = {
  lock:
    async (tx) =>
    async ({ status, chargeId, subjectId, amount }, context) => {
      if (status !== 'failed') return
      const sendAt = new Date(context.now.getTime() + REFUND_RETRY_MS)
      const charge = present(chargeId, 'a refund has a charge')
      await beginRefund(tx, { chargeId: charge, subjectId, purpose: 'late_success', amount, sendAt }, context)
    },
}

/** A session with its payment. `chargeId` is `null` if there was nothing to pay. */
interface PaidSession {
  readonly loaded: LoadedSession
  readonly cart: Cart
  readonly chargeId: string | null
  readonly charge: Extract<OrderMoney['charge'], 'pending' | 'authorized' | 'captured'>
  readonly deps: OrderingDeps
}

/**
 * Place the order of a locked session and convert its cart. A paid order starts fulfillment and consumes stock; an order whose
 * payment is pending or authorized keeps its stock held. The caller saves the session.
 */
export async function createOrderFromSession(
  tx: Transaction,
  { loaded, cart, chargeId, charge, deps: { prepareFulfillment, pagesUrl } }: PaidSession,
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
      charge,
      placedAt: context.now,
    },
    { ...context, pagesUrl },
  )
  // In parallel, so that their reads share one round trip and the writes after them are sent with the COMMIT.
  const [beginFulfillment, order] = await Promise.all([
    prepareFulfillment(
      tx,
      quote.lines.map(({ skuId }) => skuId),
    ),
    placing,
  ])
  convertCart(tx, cart, order.id, context)
  if (charge !== 'captured') return order
  beginFulfillment(order, context)
  consumeStock(tx, session.id)
  return order
}
