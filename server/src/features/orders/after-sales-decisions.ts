import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { type AfterSales, approve, decline, expire, review, withdraw } from './after-sales.ts'
import { approvalOf } from './after-sales-approval.ts'
import { type AfterSalesOfOrder, changeAfterSales } from './after-sales-change.ts'
import { DECLINE_REASON, refuseWordless } from './eligibility-guards.ts'
import type { Actor, Occasion } from './order.ts'
import { policiesNamed } from './policy-store.ts'

/*
 * What becomes of a request as such. Each function refuses `not_found`, `validation_failed` for words that cannot be shown,
 * and `version_conflict` with where the request stands and what it allows: of two who decide at once, one does.
 */

/** Somebody looks at it. */
export function reviewAfterSales(tx: Transaction, id: string, context: EventContext): Promise<AfterSalesOfOrder> {
  return changeAfterSales(tx, id, ({ order, request }) => ({ order, request: review(request, by(context)) }), context)
}

/** What an operator tells with an approval; what is absent comes from the stores' policies. */
export interface ApprovalWords {
  /** 1 to 2,000 characters. */
  readonly instructions?: string | undefined
  /** Of goods that come back. */
  readonly returnBy?: Date | undefined
}

/** Approves it, after a look where nobody has looked yet. Goods that are to come back are waited for. */
export function approveAfterSales(
  tx: Transaction,
  id: string,
  { instructions, returnBy }: ApprovalWords,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const decide = async ({ order, request }: AfterSalesOfOrder) => {
    refuseWordless(instructions, { pointer: '/instructions', max: 2000 })
    if (returnBy && returnBy <= context.now) refuse('validation_failed', IN_THE_PAST)
    const policies = await policiesNamed(tx, request.policyVersions)
    const usual = approvalOf(order, request, { policies, now: context.now })
    const approval = {
      instructions: instructions ?? usual.instructions,
      returnBy: usual.returnBy && (returnBy ?? usual.returnBy),
    }
    return { order, request: approve(lookedAt(request, by(context)), approval, by(context)) }
  }
  return changeAfterSales(tx, id, decide, context)
}

/** Declines it, after a look where nobody has looked yet. The reason is shown: 1 to 500 characters. */
export function declineAfterSales(
  tx: Transaction,
  id: string,
  declineReason: string,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const decide = ({ order, request }: AfterSalesOfOrder) => {
    refuseWordless(declineReason, DECLINE_REASON)
    return { order, request: decline(lookedAt(request, by(context)), declineReason, by(context)) }
  }
  return changeAfterSales(tx, id, decide, context)
}

/** The buyer does not want it any more, as long as the goods have not left them. */
export function withdrawAfterSales(
  tx: Transaction,
  id: string,
  actor: Actor,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const occasion = { now: context.now, actor }
  return changeAfterSales(tx, id, ({ order, request }) => ({ order, request: withdraw(request, occasion) }), context)
}

/** The goods have not come in time. */
export function expireAfterSales(tx: Transaction, id: string, context: EventContext): Promise<AfterSalesOfOrder> {
  const occasion = { now: context.now, actor: 'system' } as const
  return changeAfterSales(tx, id, ({ order, request }) => ({ order, request: expire(request, occasion) }), context)
}

const IN_THE_PAST = {
  details: [{ in: 'body', pointer: '/returnBy', code: 'in_the_past', message: 'It must be later than now.' }],
} as const

function lookedAt(request: AfterSales, occasion: Occasion): AfterSales {
  return request.status === 'requested' ? review(request, occasion) : request
}

function by({ now }: EventContext): Occasion {
  return { now, actor: 'operator' }
}
