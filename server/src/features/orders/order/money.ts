import { assert, present } from '../../../kernel/assert.ts'
import { sum } from '../../../kernel/money.ts'
import { changed, withUnits } from './change.ts'
import {
  type Adjustment,
  type AdjustmentKind,
  type CommandContext,
  moneyLeft,
  type Order,
  type OrderMoney,
  type RefundOutcome,
  refundableUnits,
} from './order.ts'
import type { Refund } from './refund-amounts.ts'

/**
 * Money is about to be given back: what `refundFor` worked out, under the reference of what it came of. Units that come to
 * nothing, as the third of three for 1 minor unit may, are noted all the same, so that the others come to all of it; the
 * provider is then not to be asked. Where the refund of a reference has failed, it begins again with `refundTriedAgain`.
 */
export function refundBegun(
  order: Order,
  begun: { readonly reference: string; readonly kind: AdjustmentKind; readonly refund: Refund },
  context: CommandContext,
): Order {
  const { reference, kind, refund } = begun
  assert(!order.adjustments.some((each) => each.reference === reference), `${reference} is refunded once`)
  assert(refund.amount <= moneyLeft(order.money), 'no more is given back than was charged')
  const lines = withUnits(order, refund.lines, (held, quantity) => {
    assert(quantity <= refundableUnits(held), 'no unit is refunded twice')
    return { ...held, refunded: held.refunded + quantity }
  })
  const shipping = order.shipping.map((each) => {
    const parts = refund.shipping.filter(({ storeId }) => storeId === each.storeId)
    return { ...each, refunded: each.refunded + sum(parts.map(({ total }) => total)) }
  })
  if (refund.amount === 0n) {
    return changed(order, context, { lines, shipping }, 'refund_not_needed', 'There was nothing to be given back.')
  }
  const money = { ...order.money, refundPending: order.money.refundPending + refund.amount }
  const adjustment: Adjustment = { reference, kind, amount: refund.amount, state: 'pending', at: context.now }
  const adjustments = [...order.adjustments, adjustment]
  return changed(order, context, { lines, shipping, money, adjustments }, 'refund_begun', 'A refund was asked for.')
}

/** The provider said what became of a refund. `unknown` holds the money back until somebody knows. */
export function refundSettled(
  order: Order,
  settled: { readonly reference: string; readonly outcome: RefundOutcome },
  context: CommandContext,
): Order {
  const adjustment = adjustmentOf(order, settled.reference)
  if (adjustment.state === settled.outcome) return order
  assert(adjustment.state !== 'succeeded', 'money that was given back stays so')
  const [code, text] = SETTLED[settled.outcome]
  return changed(order, context, withState(order, adjustment, settled.outcome), code, text)
}

/** A refund that failed is asked for again: the same money for the same units. */
export function refundTriedAgain(order: Order, reference: string, context: CommandContext): Order {
  const adjustment = adjustmentOf(order, reference)
  assert(adjustment.state === 'failed', 'only what has failed is tried again')
  return changed(
    order,
    context,
    withState(order, adjustment, 'pending'),
    'refund_begun',
    'The refund was asked for again.',
  )
}

/** The provider let go of money that it had only reserved. */
export function chargeVoided(order: Order, context: CommandContext): Order {
  assert(order.money.charge === 'authorized', 'only a reservation is voided')
  const money: OrderMoney = { ...order.money, charge: 'voided' }
  return changed(order, context, { money }, 'payment_voided', 'The reserved money was let go.')
}

const SETTLED = {
  succeeded: ['refunded', 'The refund was paid out.'],
  failed: ['refund_failed', 'The refund was not taken. It will be asked for again.'],
  unknown: ['refund_unknown', 'What became of the refund is being looked up.'],
} as const

/** Which sum the money of a refund stands in. What failed is still owed, so it stays reserved. */
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
