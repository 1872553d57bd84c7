import { refuseField } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import {
  type Actor,
  type CommandContext,
  DECLINE_REASON,
  deductStock,
  lineOf,
  policiesNamed,
  recordReturnDeclined,
  refuseInvalidText,
} from '../orders/index.ts'
import { type AfterSales, type Approval, approve, decline, expire, review, withdraw } from './after-sales.ts'
import { approvalOf } from './approval.ts'
import { type AfterSalesOfOrder, changeAfterSales, lockAfterSales, saveChange } from './change.ts'
import { unitsOf } from './goods.ts'

/*
 * Decisions on a request. Each function refuses `not_found`, `validation_failed` for invalid texts, and `version_conflict` with
 * the current state and what it allows: of two concurrent decisions, one wins.
 */

/** Moves a request from `requested` to `under_review`. */
export function reviewAfterSales(tx: Transaction, id: string, context: EventContext): Promise<AfterSalesOfOrder> {
  return changeAfterSales(tx, id, ({ order, request }) => ({ order, request: review(request, by(context)) }), context)
}

/** An operator's texts for an approval. Absent members come from the stores' policies. */
interface ApprovalTexts {
  /** 1 to 2,000 characters. */
  readonly instructions?: string | undefined
  /** For returned goods: 1 to 500 characters. */
  readonly returnAddress?: string | undefined
  /** For returned goods. */
  readonly returnBy?: Date | undefined
}

/** Approves a request, reviewing it first if needed. */
export function approveAfterSales(
  tx: Transaction,
  id: string,
  { instructions, returnAddress, returnBy }: ApprovalTexts,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const decide = async ({ order, request }: AfterSalesOfOrder) => {
    refuseInvalidText(instructions, { field: 'instructions', max: 2000 })
    refuseInvalidText(returnAddress, { field: 'returnAddress', max: 500 })
    if (returnBy && returnBy <= context.now) refuseField('returnBy', 'in_the_past', 'Must be in the future.')
    const usual = await usualApproval(tx, { order, request }, context.now)
    const approval = {
      instructions: instructions ?? usual.instructions,
      returnAddress: request.kind === 'refund_only' ? null : (returnAddress ?? usual.returnAddress),
      returnBy: usual.returnBy && (returnBy ?? usual.returnBy),
    }
    return { order, request: approve(reviewed(request, by(context)), approval, by(context)) }
  }
  return changeAfterSales(tx, id, decide, context)
}

/** The default approval of a request, under its policy versions. */
export async function usualApproval(
  reader: Reader,
  { order, request }: AfterSalesOfOrder,
  now: Date,
): Promise<Approval> {
  return approvalOf(order, request, { policies: await policiesNamed(reader, request.policyVersions), now })
}

/**
 * Declines a request, reviewing it first if needed. The reason is shown to the shopper: 1 to 500 characters. Goods that an inspection has
 * accepted go back to the shopper: they are no longer returned, and are taken from stock again.
 *
 * Refusals: also `out_of_stock`, if restocked goods are sold by now.
 */
export async function declineAfterSales(
  tx: Transaction,
  id: string,
  declineReason: string,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const before = await lockAfterSales(tx, id)
  refuseInvalidText(declineReason, DECLINE_REASON)
  const { kind, inspection } = before.request
  const request = decline(reviewed(before.request, by(context)), declineReason, by(context))
  const isReturned = kind === 'return' && inspection?.accepted === true
  const order = isReturned ? recordReturnDeclined(before.order, unitsOf(request), by(context)) : before.order
  const after = { order, request }
  await saveChange(tx, before, after, context)
  if (inspection?.restocks === true) {
    const units = unitsOf(request).map(({ lineId, quantity }) => {
      const { skuId, storeId } = lineOf(order, lineId)
      return { skuId, storeId, quantity }
    })
    await deductStock(tx, order, units, id)
  }
  return after
}

/** Withdraws a request for the shopper, as long as the goods have not been sent. */
export function withdrawAfterSales(
  tx: Transaction,
  id: string,
  actor: Actor,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const commandContext = { now: context.now, actor }
  return changeAfterSales(
    tx,
    id,
    ({ order, request }) => ({ order, request: withdraw(request, commandContext) }),
    context,
  )
}

/** Expires a request whose goods were not sent in time. */
export function expireAfterSales(tx: Transaction, id: string, context: EventContext): Promise<AfterSalesOfOrder> {
  const commandContext = { now: context.now, actor: 'system' } as const
  return changeAfterSales(
    tx,
    id,
    ({ order, request }) => ({ order, request: expire(request, commandContext) }),
    context,
  )
}

function reviewed(request: AfterSales, commandContext: CommandContext): AfterSales {
  return request.status === 'requested' ? review(request, commandContext) : request
}

function by({ now }: EventContext): CommandContext {
  return { now, actor: 'operator' }
}
