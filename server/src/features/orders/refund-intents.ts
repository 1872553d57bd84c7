import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { beginRefund, type Intent, type PaymentOutcome, type RefundPurpose } from '../payments/index.ts'
import { complete } from './after-sales.ts'
import { announceAfterSales } from './after-sales-events.ts'
import { findAfterSales, saveAfterSales } from './after-sales-store.ts'
import { completeCancellation } from './cancellation.ts'
import { findCancellation, saveCancellation } from './cancellation-store.ts'
import { type Actor, type Adjustment, moneyLeft, type Order, type RefundOutcome } from './order.ts'
import { refundBegun, refundSettled, refundTriedAgain } from './order-money.ts'
import { lockOrderById, saveOrder } from './order-store.ts'

const orderOf = statement<{ order_id: string }>(
  'orders.order_of_reference',
  'select order_id from order_adjustments where reference = $1',
)

/** Why an order gives money back of its own: a cancellation, something after the sale, or an operator's own decision. */
type OrderRefundPurpose = Exclude<RefundPurpose, 'late_success'>

/** What a refund came of says its purpose. */
function purposeOf(reference: string): OrderRefundPurpose {
  if (reference.startsWith('can_')) return 'cancellation'
  return reference.startsWith('asr_') ? 'after_sales' : 'operator'
}

/** Asks money back of the charge. Money that came in elsewhere goes back elsewhere, and an operator says when it has. */
export async function askBack(
  tx: Transaction,
  { chargeId }: Order,
  { reference: subjectId, amount }: Pick<Adjustment, 'reference' | 'amount'>,
  context: EventContext,
): Promise<void> {
  if (chargeId === null || amount === 0n) return
  await beginRefund(tx, { chargeId, subjectId, purpose: purposeOf(subjectId), amount }, context)
}

/** What an operator gives back beside all rules. */
export interface OperatorRefund {
  readonly orderId: string
  /** Minor units, above zero. */
  readonly amount: bigint
}

/**
 * Gives money back that no unit stands for. What it takes is missing from what units give back later.
 *
 * Refusals: `not_found`, `payment_outcome_unknown`, `validation_failed` where there is not so much left.
 *
 * @returns the order, and by which reference the refund stands in its adjustments
 */
export async function refundByOperator(
  tx: Transaction,
  { orderId, amount }: OperatorRefund,
  context: EventContext,
): Promise<{ readonly order: Order; readonly reference: string }> {
  const before = await lockOrderById(tx, orderId)
  if (before.money.unknown > 0n) refuse('payment_outcome_unknown')
  const left = moneyLeft(before.money)
  if (amount < 1n || amount > left) {
    const params = { min: 1, max: Number(left) }
    const message = `1 to ${left}`
    refuse('validation_failed', {
      details: [{ in: 'body', pointer: '/amount', code: 'out_of_range', message, params }],
    })
  }
  const reference = context.ids.next('rfd')
  const refund = { amount, lines: [], shipping: [] }
  const order = refundBegun(before, { reference, kind: 'correction', refund }, { now: context.now, actor: 'operator' })
  await saveOrder(tx, before, order, context)
  await askBack(tx, order, { reference, amount }, context)
  return { order, reference }
}

/** Asks again for a refund that was refused. Refuses `not_found`, and `version_conflict` where it was not. */
export async function retryRefund(tx: Transaction, reference: string, context: EventContext): Promise<Order> {
  const { before, adjustment } = await lockOrderOf(tx, reference)
  if (adjustment.state !== 'failed') refuse('version_conflict', { conflict: { currentState: adjustment.state } })
  const order = refundTriedAgain(before, reference, { now: context.now, actor: 'operator' })
  await saveOrder(tx, before, order, context)
  await askBack(tx, order, adjustment, context)
  return order
}

/**
 * Says that money went back by another way than the charge's provider: one that has refused it, or none that we know.
 * Refuses `not_found`, and `version_conflict` where a provider may still give it back.
 */
export async function recordRefundPaid(tx: Transaction, reference: string, context: EventContext): Promise<Order> {
  const { before, adjustment } = await lockOrderOf(tx, reference)
  const isOurs = before.chargeId === null && adjustment.state === 'pending'
  if (adjustment.state !== 'failed' && !isOurs) {
    refuse('version_conflict', { conflict: { currentState: adjustment.state } })
  }
  return settle(tx, before, { reference, outcome: 'succeeded', actor: 'operator' }, context)
}

/** What becomes of a provider's answer to the refunds of orders. @see docs/decisions/0060 */
const refundOutcome: PaymentOutcome = {
  async lock(tx, { subjectId }) {
    await lockOrderOf(tx, subjectId)
  },
  async settle(tx, intent, context) {
    const outcome = outcomeOf(intent)
    if (outcome === null) return
    const { before, adjustment } = await lockOrderOf(tx, intent.subjectId)
    // What has gone back another way meanwhile stays so.
    if (adjustment.state === 'succeeded') return
    await settle(tx, before, { reference: intent.subjectId, outcome, actor: 'system' }, context)
  },
}

/** The refunds of orders, by the purposes that they have. */
export const refundOutcomes: Readonly<Record<OrderRefundPurpose, PaymentOutcome>> = {
  cancellation: refundOutcome,
  after_sales: refundOutcome,
  operator: refundOutcome,
}

/** What an intent at rest says of the money; `null` while somebody still has to act. */
function outcomeOf({ status }: Intent): RefundOutcome | null {
  switch (status) {
    case 'succeeded':
    case 'unknown':
      return status
    case 'failed':
    case 'canceled':
      return 'failed'
    default:
      return null
  }
}

async function settle(
  tx: Transaction,
  before: Order,
  { reference, outcome, actor }: { readonly reference: string; readonly outcome: RefundOutcome; readonly actor: Actor },
  context: EventContext,
): Promise<Order> {
  const order = refundSettled(before, { reference, outcome }, { now: context.now, actor })
  await saveOrder(tx, before, order, context)
  if (outcome === 'succeeded') await completeWhatItCameOf(tx, { order, reference, actor }, context)
  return order
}

/** What waited for the money alone is done. */
async function completeWhatItCameOf(
  tx: Transaction,
  { order, reference, actor }: { readonly order: Order; readonly reference: string; readonly actor: Actor },
  context: EventContext,
): Promise<void> {
  const { now } = context
  const [cancellation, request] = await Promise.all([findCancellation(tx, reference), findAfterSales(tx, reference)])
  if (cancellation?.status === 'approved') {
    saveCancellation(tx, cancellation, completeCancellation(cancellation, now))
  }
  if (request?.status === 'resolving') {
    const completed = complete(request, { now, actor })
    saveAfterSales(tx, request, completed)
    announceAfterSales(tx, 'after_sales.updated', { order, request: completed }, context)
  }
}

/** The order that gives something back by a reference, locked. Refuses `not_found`. */
async function lockOrderOf(tx: Transaction, reference: string) {
  const orderId = (await orderIdOfReference(tx, reference)) ?? refuse('not_found')
  const before = await lockOrderById(tx, orderId)
  const adjustment = before.adjustments.find((each) => each.reference === reference) ?? refuse('not_found')
  return { before, adjustment }
}

async function orderIdOfReference(reader: Reader, reference: string): Promise<string | null> {
  return (await reader.row(orderOf, [reference]))?.order_id ?? null
}
