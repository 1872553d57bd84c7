import type { Environment } from '../../kernel/environment.ts'
import { sum } from '../../kernel/money.ts'
import { refuse, refuseField } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import {
  beginRefund,
  type Intent,
  type PaymentOutcome,
  type RefundPurpose,
  refundOfSubject,
} from '../payments/index.ts'
import { refundBegun, refundSettled, refundTriedAgain } from './order/money.ts'
import { type Adjustment, isRelease, moneyLeft, type Order, type RefundOutcome } from './order/order.ts'
import type { Refund } from './order/refund-amounts.ts'
import { lockOrderById, saveOrder } from './order/store.ts'
import type { Actor } from './order/timeline.ts'

const orderOf = statement<{ order_id: string }>(
  'orders.order_of_reference',
  'select order_id from order_adjustments where reference = $1',
)
const countFailed = statement<{ count: number }>(
  'orders.count_failed_refunds',
  `select count(*)::integer as count from (
     select from order_adjustments refund join orders on orders.id = refund.order_id
     where refund.state = 'failed' and environment = $1 and ($3::text is null or store_id = $3) limit $2) as failed`,
)

/** Counts the refunds that failed, which an operator has to retry or pay another way, up to a limit. */
export async function countFailedRefunds(
  reader: Reader,
  environment: Environment,
  most: number,
  storeId: string | null,
): Promise<number> {
  return (await reader.row(countFailed, [environment, most, storeId]))?.count ?? 0
}

/** Why an order is refunded: a cancellation, an after-sales request, or an operator's decision. */
type OrderRefundPurpose = Exclude<RefundPurpose, 'late_success'>

/** The prefix of a refund's reference gives its purpose. */
function purposeOf(reference: string): OrderRefundPurpose {
  if (reference.startsWith('can_')) return 'cancellation'
  return reference.startsWith('asr_') ? 'after_sales' : 'operator'
}

/** A refund that was paid out. */
interface PaidRefund {
  readonly order: Order
  readonly reference: string
  readonly actor: Actor
}

/** Completes the cancellation or the after-sales request that a paid refund belongs to, in the same transaction. */
export type RefundCompletion = (tx: Transaction, refund: PaidRefund, context: EventContext) => Promise<void>

/** Completions by purpose. Callers pass them in, because orders may not import cancellations and after-sales. */
type RefundCompletions = Readonly<Partial<Record<OrderRefundPurpose, RefundCompletion>>>

/** Requests a refund of the charge. An order that was paid elsewhere is refunded elsewhere, and an operator records it. */
export async function requestRefund(
  tx: Transaction,
  { chargeId }: Order,
  { reference: subjectId, amount }: Pick<Adjustment, 'reference' | 'amount'>,
  context: EventContext,
): Promise<void> {
  if (chargeId === null || amount === 0n) return
  await beginRefund(tx, { chargeId, subjectId, purpose: purposeOf(subjectId), amount }, context)
}

/** The amounts of a refund that is not requested yet. Minor units. */
export interface RefundPreview {
  readonly refund: bigint
  /** Part of `refund`. */
  readonly shipping: bigint
  /** Part of `refund`. */
  readonly tax: bigint
  /** The amount that can still be refunded afterwards. */
  readonly left: bigint
}

/** Previews a refund of an order: decides it without saving. */
export function refundPreviewOf(order: Order, refund: Refund, shipping: bigint, now: Date): RefundPreview {
  const begun = { reference: 'preview', kind: 'correction', refund } as const
  const after = refundBegun(order, begun, { now, actor: 'operator' })
  const taxes = after.adjustments.find(({ reference }) => reference === begun.reference)?.taxes ?? []
  return { refund: refund.amount, shipping, tax: sum(taxes.map(({ amount }) => amount)), left: moneyLeft(after.money) }
}

/** Previews a manual refund. Same refusals as the refund itself. */
export function previewRefundOfOperator(order: Order, amount: bigint, now: Date): RefundPreview {
  refuseManualRefund(order, amount)
  return refundPreviewOf(order, { amount, lines: [], shipping: [] }, 0n, now)
}

/** A manual refund by an operator. */
interface OperatorRefund {
  readonly orderId: string
  /** Minor units, above zero. */
  readonly amount: bigint
}

/**
 * Refunds an amount without units. It lowers what later refunds of units can pay.
 *
 * Refusals: `not_found`, `payment_outcome_unknown`, `validation_failed` for an amount above what can be refunded.
 *
 * @returns the order, and the reference of the refund among its adjustments
 */
export async function refundByOperator(
  tx: Transaction,
  { orderId, amount }: OperatorRefund,
  context: EventContext,
): Promise<{ readonly order: Order; readonly reference: string }> {
  const before = await lockOrderById(tx, orderId)
  refuseManualRefund(before, amount)
  const reference = context.ids.next('rfd')
  const refund = { amount, lines: [], shipping: [] }
  const order = refundBegun(before, { reference, kind: 'correction', refund }, { now: context.now, actor: 'operator' })
  await saveOrder(tx, before, order, context)
  await requestRefund(tx, order, { reference, amount }, context)
  return { order, reference }
}

function refuseManualRefund({ money }: Order, amount: bigint): void {
  if (money.unknown > 0n) refuse('payment_outcome_unknown')
  const left = moneyLeft(money)
  if (amount >= 1n && amount <= left) return
  refuseField('amount', 'out_of_range', `1 to ${left}`, { min: 1, max: Number(left) })
}

/** Requests a failed refund again. Refuses `not_found`, and `version_conflict` if it has not failed. */
export async function retryRefund(tx: Transaction, reference: string, context: EventContext): Promise<Order> {
  const { before, adjustment } = await lockOrderOf(tx, reference)
  if (adjustment.state !== 'failed') refuse('version_conflict', { conflict: { currentState: adjustment.state } })
  const order = refundTriedAgain(before, reference, { now: context.now, actor: 'operator' })
  await saveOrder(tx, before, order, context)
  await requestRefund(tx, order, adjustment, context)
  return order
}

/**
 * Records that a refund was paid outside the charge's provider: because the provider declined it, or because there is none.
 * Refuses `not_found`, and `version_conflict` while a provider may still pay it.
 */
export async function recordRefundPaid(
  tx: Transaction,
  reference: string,
  completions: RefundCompletions,
  context: EventContext,
): Promise<Order> {
  const { before, adjustment } = await lockOrderOf(tx, reference)
  const isManual = before.chargeId === null && adjustment.state === 'pending'
  if (adjustment.state !== 'failed' && !isManual) {
    refuse('version_conflict', { conflict: { currentState: adjustment.state } })
  }
  const complete = completions[purposeOf(reference)]
  return settle(tx, before, { reference, outcome: 'succeeded', actor: 'operator', complete }, context)
}

/**
 * Records that a refund that was paid outside the charge's provider has come back, such as because the account of the buyer is
 * closed: it is owed again. Refuses `not_found`, and `version_conflict` if it is not paid, or was paid by the provider.
 */
export async function recordRefundReturned(tx: Transaction, reference: string, context: EventContext): Promise<Order> {
  const { before, adjustment } = await lockOrderOf(tx, reference)
  if (!(await refundsPaidOutside(tx, [adjustment])).includes(reference)) {
    refuse('version_conflict', { conflict: { currentState: adjustment.state } })
  }
  return settle(tx, before, { reference, outcome: 'failed', actor: 'operator', complete: undefined }, context)
}

/** The references of the refunds that were paid outside the charge's provider, as an operator or an import has recorded. */
export async function refundsPaidOutside(
  reader: Reader,
  adjustments: readonly Adjustment[],
): Promise<readonly string[]> {
  const paid = adjustments.filter((each) => each.state === 'succeeded' && !isRelease(each))
  const found = await Promise.all(
    paid.map(async ({ reference }) => {
      const byProvider = await refundOfSubject(reader, reference, purposeOf(reference))
      return byProvider === null ? [reference] : []
    }),
  )
  return found.flat()
}

/** Applies a provider's answer to a refund of an order. @see docs/decisions/0060 */
export function refundOutcome(complete?: RefundCompletion): PaymentOutcome {
  return {
    async lock(tx, { subjectId: reference, status }) {
      const { before, adjustment } = await lockOrderOf(tx, reference)
      const isReversal = status === 'succeeded'
      return async (intent, context) => {
        const outcome = outcomeOf(intent)
        // A refund that was paid another way in the meantime stays paid.
        if (outcome === null || (adjustment.state === 'succeeded' && !isReversal)) return
        await settle(tx, before, { reference, outcome, actor: 'system', complete }, context)
      }
    },
  }
}

/** The outcome of an operator's refund: there is nothing to complete. */
export const operatorRefundOutcome: PaymentOutcome = refundOutcome()

/** The outcome of an intent; `null` while the shopper or an operator still has to act. */
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

interface Settlement {
  readonly reference: string
  readonly outcome: RefundOutcome
  readonly actor: Actor
  readonly complete: RefundCompletion | undefined
}

async function settle(
  tx: Transaction,
  before: Order,
  { reference, outcome, actor, complete }: Settlement,
  context: EventContext,
): Promise<Order> {
  const order = refundSettled(before, { reference, outcome }, { now: context.now, actor })
  await saveOrder(tx, before, order, context)
  if (outcome === 'succeeded') await complete?.(tx, { order, reference, actor }, context)
  return order
}

/** Locks the order of a refund. Refuses `not_found`. */
async function lockOrderOf(tx: Transaction, reference: string) {
  const orderId = (await orderIdOfReference(tx, reference)) ?? refuse('not_found')
  const before = await lockOrderById(tx, orderId)
  const adjustment = before.adjustments.find((each) => each.reference === reference) ?? refuse('not_found')
  return { before, adjustment }
}

async function orderIdOfReference(reader: Reader, reference: string): Promise<string | null> {
  return (await reader.row(orderOf, [reference]))?.order_id ?? null
}
