import { type AfterSalesRules, type Order, type Policies, storesOf } from '../orders/index.ts'
import type { AfterSales, Approval } from './after-sales.ts'

const DAY_MS = 86_400_000
const INSTRUCTIONS_MAX = 2000

/** The deadline for a decision: the earliest of the order's stores. */
export function decideBy(policies: Policies, now: Date): Date {
  return inDays(now, Math.min(...rulesOf(policies).map(({ decideWithinDays }) => decideWithinDays)))
}

/** The default approval: the instructions of each store, and the longest return period. */
export function approvalOf(
  order: Order,
  { kind }: Pick<AfterSales, 'kind'>,
  { policies, now }: { readonly policies: Policies; readonly now: Date },
): Approval {
  const rules = storesOf(order).flatMap((storeId) => policies.get(storeId)?.policy.afterSales ?? [])
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
