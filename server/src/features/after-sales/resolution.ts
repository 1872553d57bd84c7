import { refuse, refuseField } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { settleShipped } from '../inventory/index.ts'
import {
  type Carriage,
  type CommandContext,
  deductStock,
  lineOf,
  notifyShopper,
  policiesNamed,
  recordReturned,
  refundBegun,
  refundByStore,
  refuseUnknownOutcome,
  requestRefund,
} from '../orders/index.ts'
import { complete, isCompletedByRefund, resolve } from './after-sales.ts'
import { type AfterSalesOfOrder, changeAfterSales, lockAfterSales, saveChange } from './change.ts'
import { replacementsOf } from './exchange.ts'
import { unitsOf } from './goods.ts'
import { shippedMail } from './mails.ts'
import { isRefunded, refundOfRequest } from './money.ts'

/**
 * Resolves a request. A refund or a return requests the refund and is completed by the provider's answer, or at once if
 * nothing is to be refunded. An exchange deducts the new units from stock; it and a repair are completed by
 * `completeAfterSales`, once the goods have shipped. If they cannot be, the operator refunds them instead.
 *
 * Refusals: `not_found`, `validation_failed` (`amount` above the refund of the units), `version_conflict`,
 * `payment_outcome_unknown`, `out_of_stock`.
 *
 * @param amount a partial refund. Minor units.
 * @param refund whether an exchange or a repair is refunded instead, as a return is
 */
export async function resolveAfterSales(
  tx: Transaction,
  id: string,
  { amount, refund = false }: { readonly amount?: bigint | undefined; readonly refund?: boolean | undefined },
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const before = await lockAfterSales(tx, id)
  if (refund || isRefunded(before.request.kind)) return resolveWithRefund(tx, before, amount, context)
  if (amount !== undefined) {
    refuseField(
      'amount',
      'not_allowed',
      'An exchange or a repair refunds nothing, unless it is resolved with a refund.',
    )
  }
  const after = { order: before.order, request: resolve(before.request, NOTHING_REFUNDED, by(context)) }
  await saveChange(tx, before, after, context)
  await deductExchange(tx, after)
  return after
}

/**
 * Completes an exchange or a repair: the goods have shipped, and the shopper is notified with the carrier. A refund is completed by
 * its payment.
 */
export async function completeAfterSales(
  tx: Transaction,
  id: string,
  carriage: Carriage,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const decide = ({ order, request }: AfterSalesOfOrder) => {
    if (isCompletedByRefund(request))
      refuse('version_conflict', { conflict: { currentState: request.status, allowed: [] } })
    return { order, request: complete(request, by(context), carriage) }
  }
  const after = await changeAfterSales(tx, id, decide, context)
  settleShipped(tx, id, [])
  const replacements = await replacementsOf(tx, after.order, after.request.lines)
  await notifyShopper(tx, after.order, [shippedMail(after.request, carriage, replacements)], context)
  return after
}

async function resolveWithRefund(
  tx: Transaction,
  before: AfterSalesOfOrder,
  amount: bigint | undefined,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  refuseUnknownOutcome(before.order)
  const policies = await policiesNamed(tx, before.request.policyVersions)
  const refund = refundOfRequest(before.order, before.request, { policies, amount })
  const resolution = { refundAmount: refund.amount, refundByStore: refundByStore(before.order, refund) }
  const resolving = resolve(before.request, resolution, by(context))
  const request = refund.amount === 0n ? complete(resolving, by(context)) : resolving
  const kind = request.kind === 'refund_only' ? 'refund' : 'return'
  // The units of a return were recorded with its inspection.
  const returned = isRefunded(request.kind) ? before.order : recordReturned(before.order, unitsOf(request), by(context))
  const order = refundBegun(returned, { reference: request.id, kind, refund }, by(context))
  await saveChange(tx, before, { order, request }, context)
  await requestRefund(tx, order, { reference: request.id, amount: refund.amount }, context)
  return { order, request }
}

/** Deducts the units of an exchange from stock. Refuses `out_of_stock`. */
async function deductExchange(tx: Transaction, { order, request }: AfterSalesOfOrder): Promise<void> {
  const units = request.lines.flatMap(({ lineId, exchangeSkuId, quantity }) => {
    return exchangeSkuId === undefined
      ? []
      : [{ skuId: exchangeSkuId, storeId: lineOf(order, lineId).storeId, quantity }]
  })
  await deductStock(tx, order, units, request.id)
}

const NOTHING_REFUNDED = { refundAmount: 0n, refundByStore: null }

function by({ now }: EventContext): CommandContext {
  return { now, actor: 'operator' }
}
