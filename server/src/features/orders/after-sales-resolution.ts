import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { type Carriage, complete, resolve } from './after-sales.ts'
import { type AfterSalesOfOrder, changeAfterSales, lockAfterSales, saveChange } from './after-sales-change.ts'
import { isRefunded, refundOfRequest } from './after-sales-money.ts'
import { refuseUnknownOutcome } from './eligibility-guards.ts'
import { lineOf, type Occasion } from './order.ts'
import { refundBegun } from './order-money.ts'
import { policiesNamed } from './policy-store.ts'
import { askBack } from './refund-intents.ts'
import { takeOffShelf } from './restock.ts'
import { tellShopper } from './tell-shopper.ts'

/**
 * Does what was promised. A refund or a return asks the money back, and is completed by the provider's answer; where
 * nothing is to go back, at once. An exchange takes the units that leave instead; it and a repair are completed by
 * `completeAfterSales`, when the goods have left.
 *
 * Refusals: `not_found`, `validation_failed` (`amount` beyond what the units give back), `version_conflict`,
 * `payment_outcome_unknown`, `out_of_stock`.
 *
 * @param amount of the money, where it is not all that the units give back. Minor units.
 */
export async function resolveAfterSales(
  tx: Transaction,
  id: string,
  { amount }: { readonly amount?: bigint | undefined },
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const before = await lockAfterSales(tx, id)
  if (isRefunded(before.request.kind)) return moneyAskedBack(tx, before, amount, context)
  if (amount !== undefined) refuse('validation_failed', NO_MONEY)
  const after = { order: before.order, request: resolve(before.request, 0n, by(context)) }
  await saveChange(tx, before, after, context)
  await takeInstead(tx, after)
  return after
}

/**
 * What was promised is done: the goods of an exchange or a repair have left, and their buyer is told with whom. A refund
 * completes itself.
 */
export async function completeAfterSales(
  tx: Transaction,
  id: string,
  carriage: Carriage,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const decide = ({ order, request }: AfterSalesOfOrder) => {
    if (isRefunded(request.kind))
      refuse('version_conflict', { conflict: { currentState: request.status, allowed: [] } })
    return { order, request: complete(request, by(context), carriage) }
  }
  const after = await changeAfterSales(tx, id, decide, context)
  await tellShopper(tx, after.order, [{ kind: 'sent', request: after.request, carriage }], context)
  return after
}

async function moneyAskedBack(
  tx: Transaction,
  before: AfterSalesOfOrder,
  amount: bigint | undefined,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  refuseUnknownOutcome(before.order)
  const policies = await policiesNamed(tx, before.request.policyVersions)
  const refund = refundOfRequest(before.order, before.request, { policies, amount })
  const resolving = resolve(before.request, refund.amount, by(context))
  const request = refund.amount === 0n ? complete(resolving, by(context)) : resolving
  const kind = request.kind === 'return' ? 'return' : 'refund'
  const order = refundBegun(before.order, { reference: request.id, kind, refund }, by(context))
  await saveChange(tx, before, { order, request }, context)
  await askBack(tx, order, { reference: request.id, amount: refund.amount }, context)
  return { order, request }
}

/** Takes the units of an exchange off the shelf. Refuses `out_of_stock`. */
async function takeInstead(tx: Transaction, { order, request }: AfterSalesOfOrder): Promise<void> {
  const units = request.lines.flatMap(({ lineId, exchangeSkuId, quantity }) => {
    return exchangeSkuId === undefined
      ? []
      : [{ skuId: exchangeSkuId, storeId: lineOf(order, lineId).storeId, quantity }]
  })
  await takeOffShelf(tx, order, units, request.id)
}

const NO_MONEY = {
  details: [
    { in: 'body', pointer: '/amount', code: 'not_allowed', message: 'No money goes back by an exchange or a repair.' },
  ],
} as const

function by({ now }: EventContext): Occasion {
  return { now, actor: 'operator' }
}
