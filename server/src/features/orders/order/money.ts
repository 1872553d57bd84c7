import { assert, present } from '../../../kernel/assert.ts'
import { smallest, sum } from '../../../kernel/money.ts'
import { changed, withUnits } from './change.ts'
import {
  type Adjustment,
  type AdjustmentKind,
  type CommandContext,
  isUnpaid,
  moneyLeft,
  type Order,
  type OrderMoney,
  type RefundOutcome,
  refundableUnits,
} from './order.ts'
import { type Refund, refundByStore } from './refund-amounts.ts'
import { taxesOfRefund } from './refund-taxes.ts'

/**
 * Reserves a refund that `refundFor` computed, under its reference. Units whose refund rounds to zero, such as two of three units
 * for 1 minor unit, are recorded too, so that all units together refund the whole amount. A refund of zero has no adjustment and is
 * not requested from a provider. A failed refund is retried with `refundTriedAgain`.
 */
export function refundBegun(
  order: Order,
  begun: { readonly reference: string; readonly kind: AdjustmentKind; readonly refund: Refund },
  context: CommandContext,
): Order {
  const { reference, kind, refund } = begun
  assert(!order.adjustments.some((each) => each.reference === reference), `${reference} is refunded once`)
  assert(refund.amount <= moneyLeft(order.money), 'no more is refunded than was charged')
  const lines = withUnits(order, refund.lines, (held, quantity) => {
    assert(quantity <= refundableUnits(held), 'no unit is refunded twice')
    return { ...held, refunded: held.refunded + quantity }
  })
  const shipping = order.shipping.map((each) => {
    const given = sum(refund.shipping.filter(({ storeId }) => storeId === each.storeId).map(({ total }) => total))
    return given === 0n ? each : { ...each, refunded: each.refunded + given }
  })
  if (refund.amount === 0n) {
    return changed(order, context, { lines, shipping }, { code: 'refund_not_needed' })
  }
  const money = { ...order.money, refundPending: order.money.refundPending + refund.amount }
  const { amount } = refund
  const byStore = refundByStore(order, refund)
  const taxes = taxesOfRefund(order, refund)
  const adjustment: Adjustment = { reference, kind, amount, byStore, taxes, state: 'pending', at: context.now }
  const adjustments = [...order.adjustments, adjustment]
  const note = { code: 'refund_begun', facts: { isRetry: false } } as const
  return changed(order, context, { lines, shipping, money, adjustments }, note)
}

/**
 * Records the provider's answer to a refund. `unknown` reserves the amount until the outcome is known. A paid refund can still fail: its
 * bank has returned the money.
 */
export function refundSettled(
  order: Order,
  settled: { readonly reference: string; readonly outcome: RefundOutcome },
  context: CommandContext,
): Order {
  const adjustment = adjustmentOf(order, settled.reference)
  if (adjustment.state === settled.outcome) return order
  assert(adjustment.state !== 'succeeded' || settled.outcome === 'failed', 'a paid refund can only be reversed')
  const change = withState(order, adjustment, settled.outcome)
  return changed(order, context, change, { code: SETTLED[settled.outcome] })
}

/** Retries a failed refund: the same amount for the same units. */
export function refundTriedAgain(order: Order, reference: string, context: CommandContext): Order {
  const adjustment = adjustmentOf(order, reference)
  assert(adjustment.state === 'failed', 'only a failed refund is retried')
  const note = { code: 'refund_begun', facts: { isRetry: true } } as const
  return changed(order, context, withState(order, adjustment, 'pending'), note)
}

/** Records that the provider voided the authorization, or that a delayed payment is no longer waited for. */
export function chargeVoided(order: Order, context: CommandContext): Order {
  assert(isUnpaid(order), 'only what was not charged is voided')
  const money: OrderMoney = { ...order.money, charge: 'voided' }
  return changed(order, context, { money }, { code: 'payment_voided' })
}

/** Records that a delayed payment was not paid, or that an authorization cannot be captured. */
export function chargeFailed(order: Order, context: CommandContext): Order {
  assert(isUnpaid(order), 'only what was not charged fails')
  const money: OrderMoney = { ...order.money, charge: 'failed' }
  return changed(order, context, { money }, { code: 'payment_failed' })
}

/** Records that a delayed payment was authorized, and can be captured. */
export function chargeAuthorized(order: Order, context: CommandContext): Order {
  assert(order.money.charge === 'pending', 'only a pending charge is authorized')
  const money: OrderMoney = { ...order.money, charge: 'authorized' }
  return changed(order, context, { money }, { code: 'payment_authorized' })
}

/**
 * Records that a delayed payment has arrived, or that an authorization was captured. An uncaptured rest lowers the amount owed: it
 * becomes an adjustment with a reference.
 */
export function chargeCaptured(
  order: Order,
  captured: { readonly amount: bigint; readonly releaseReference: string },
  context: CommandContext,
): Order {
  assert(isUnpaid(order), 'an order is charged once')
  const owed = BigInt(order.totals.total.amount)
  const { amount: charged, releaseReference: reference } = captured
  assert(charged > 0n && charged <= owed, 'no more is charged than is owed')
  const money: OrderMoney = { ...order.money, charge: 'captured', charged }
  const note = { code: 'payment_captured' } as const
  if (charged === owed) return changed(order, context, { money }, note)
  const released = { amount: owed - charged, lines: [], shipping: [] }
  const whole = { ...order, money: { ...money, charged: owed } }
  const taxes = taxesOfRefund(whole, released)
  const release = { reference, kind: 'release', amount: released.amount, byStore: null, taxes } as const
  const adjustments = [...order.adjustments, { ...release, state: 'succeeded' as const, at: context.now }]
  return changed(order, context, { money, adjustments }, note)
}

/** Records that a dispute was opened or decided. `disputed` is the sum of all disputes that are not won, in minor units. */
export function chargeDisputed(
  order: Order,
  { disputed, code }: { readonly disputed: bigint; readonly code: 'payment_disputed' | 'dispute_won' | 'dispute_lost' },
  context: CommandContext,
): Order {
  const money = { ...order.money, disputed: smallest(disputed, order.money.charged) }
  return changed(order, context, { money }, { code })
}

const SETTLED = { succeeded: 'refunded', failed: 'refund_failed', unknown: 'refund_unknown' } as const

/** The amount that a refund counts toward, by its state. A failed refund is still owed, so it stays reserved. */
const SUM_OF_STATE = {
  pending: 'refundPending',
  failed: 'refundPending',
  unknown: 'unknown',
  succeeded: 'refunded',
} as const

function withState(order: Order, adjustment: Adjustment, state: Adjustment['state']) {
  const from = SUM_OF_STATE[adjustment.state]
  const to = SUM_OF_STATE[state]
  const left = { ...order.money, [from]: order.money[from] - adjustment.amount }
  const money: OrderMoney = { ...left, [to]: left[to] + adjustment.amount }
  const adjustments = order.adjustments.map((each) => (each === adjustment ? { ...adjustment, state } : each))
  return { money, adjustments }
}

function adjustmentOf(order: Order, reference: string): Adjustment {
  return present(
    order.adjustments.find((each) => each.reference === reference),
    `a refund of ${reference}`,
  )
}
