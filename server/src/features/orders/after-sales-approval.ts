import type { AfterSales, Approval } from './after-sales.ts'
import { listVisibleStores } from './eligibility.ts'
import type { Order } from './order.ts'
import type { AfterSalesRules } from './policy.ts'
import type { Policies } from './policy-store.ts'

const DAY_MS = 86_400_000
const INSTRUCTIONS_MAX = 2000

/** By when an operator is to decide: the soonest that a store of the order promises. */
export function decideBy(policies: Policies, now: Date): Date {
  return inDays(now, Math.min(...rulesOf(policies).map(({ decideWithinDays }) => decideWithinDays)))
}

/** What is told with an approval, where the operator says nothing else: each store's instructions, the longest time. */
export function approvalOf(
  order: Order,
  { kind }: Pick<AfterSales, 'kind'>,
  { policies, now }: { readonly policies: Policies; readonly now: Date },
): Approval {
  const rules = listVisibleStores(order).flatMap((storeId) => policies.get(storeId)?.policy.afterSales ?? [])
  const texts = [...new Set(rules.flatMap(({ instructions }) => instructions ?? []))]
  const returnBy = inDays(now, Math.max(...rules.map(({ returnWithinDays }) => returnWithinDays)))
  return {
    instructions: texts.length === 0 ? null : texts.join('\n\n').slice(0, INSTRUCTIONS_MAX),
    returnBy: kind === 'refund_only' ? null : returnBy,
  }
}

function rulesOf(policies: Policies): readonly AfterSalesRules[] {
  return [...policies.values()].map(({ policy }) => policy.afterSales)
}

function inDays(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}
