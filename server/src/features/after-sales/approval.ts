import { type AfterSalesRules, lineOf, type Order, type Policies, storesOf } from '../orders/index.ts'
import type { AfterSales, Approval } from './after-sales.ts'

const DAY_MS = 86_400_000
const INSTRUCTIONS_MAX = 2000
const RETURN_ADDRESS_MAX = 500

/** The deadline for a decision: the earliest of the order's stores. */
export function decideBy(policies: Policies, now: Date): Date {
  return inDays(now, Math.min(...rulesOf(policies).map(({ decideWithinDays }) => decideWithinDays)))
}

/** The default approval: instructions, addresses and the longest period of the stores of the request's lines. */
export function approvalOf(
  order: Order,
  { kind, lines }: Pick<AfterSales, 'kind' | 'lines'>,
  { policies, now }: { readonly policies: Policies; readonly now: Date },
): Approval {
  const storeIds = storesOf({ lines: lines.map(({ lineId }) => lineOf(order, lineId)) })
  const rules = storeIds.flatMap((storeId) => policies.get(storeId)?.policy.afterSales ?? [])
  const texts = [...new Set(rules.flatMap(({ instructions }) => instructions ?? []))]
  const addresses = kind === 'refund_only' ? [] : rules.flatMap(({ returnAddress }) => returnAddress ?? [])
  const returnBy = inDays(now, Math.max(...rules.map(({ returnWithinDays }) => returnWithinDays)))
  return {
    instructions: texts.length === 0 ? null : texts.join('\n\n').slice(0, INSTRUCTIONS_MAX),
    returnAddress: [...new Set(addresses)].join('\n\n').slice(0, RETURN_ADDRESS_MAX) || null,
    returnBy: kind === 'refund_only' ? null : returnBy,
  }
}

function rulesOf(policies: Policies): readonly AfterSalesRules[] {
  return [...policies.values()].map(({ policy }) => policy.afterSales)
}

function inDays(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}
