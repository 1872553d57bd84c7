import { sum } from '../../kernel/money.ts'
import type { InapplicableReason, LineSelection, Promotion, PromotionUsage } from './promotion.ts'

/** What a promotion sees of a line. */
export interface PromotableLine {
  readonly storeId: string
  readonly productId: string
  /** With their ancestors. */
  readonly categoryIds: readonly string[]
  readonly quantity: number
  readonly unitPrice: bigint
  /** Before any discount. */
  readonly subtotal: bigint
}

/** Who buys what, where and when. */
export interface Occasion {
  readonly currency: string
  readonly now: Date
  readonly customerId: string | null
  readonly usage: ReadonlyMap<string, PromotionUsage>
  readonly lines: readonly PromotableLine[]
}

export type Judgement =
  | { readonly eligible: true }
  | { readonly eligible: false; readonly reason: InapplicableReason; readonly missing: bigint | null }

const ELIGIBLE: Judgement = { eligible: true }

/**
 * Whether a promotion may take something off this cart, all by itself. Whether it may stand beside the others is
 * decided later, by `mayStandTogether`. The guards stand in the order of `INAPPLICABLE_REASONS`; the first one counts.
 */
export function judgePromotion(promotion: Promotion, occasion: Occasion): Judgement {
  const { audience } = promotion
  if (promotion.status !== 'active') return because('invalid')
  if (!isOfferedIn(promotion, occasion.currency)) return because('invalid')
  if (promotion.startsAt && occasion.now < promotion.startsAt) return because('not_started')
  if (promotion.endsAt && occasion.now >= promotion.endsAt) return because('expired')
  if (needsCustomer(promotion) && occasion.customerId === null) return because('customer_required')
  if (audience.kind === 'listed_customers' && !audience.customerIds.includes(occasion.customerId!)) {
    return because('customer_ineligible')
  }
  if (isUsedUp(promotion, occasion.usage.get(promotion.id))) return because('usage_limit_reached')
  return judgeLines(promotion, occasion)
}

function because(reason: InapplicableReason, missing: bigint | null = null): Judgement {
  return { eligible: false, reason, missing }
}

/** A promotion that names amounts is offered in the currencies that it names, and in no other. */
function isOfferedIn(promotion: Promotion, currency: string): boolean {
  const { effect, minimumSubtotal } = promotion
  const named = [minimumSubtotal, ...(effect.kind === 'fixed_amount' ? [effect.amounts] : [])]
  return named.every((amounts) => Object.keys(amounts).length === 0 || amounts[currency] !== undefined)
}

function needsCustomer(promotion: Promotion): boolean {
  return promotion.audience.kind !== 'anyone' || promotion.usageLimitPerCustomer !== null
}

function isUsedUp(promotion: Promotion, usage: PromotionUsage | undefined): boolean {
  const { usageLimit, usageLimitPerCustomer } = promotion
  const { total, byCustomer } = usage ?? { total: 0, byCustomer: 0 }
  if (usageLimit !== null && total >= usageLimit) return true
  return usageLimitPerCustomer !== null && byCustomer >= usageLimitPerCustomer
}

/** The lines must be there, reach the minimum, and be enough units where units are bought to get others. */
function judgeLines(promotion: Promotion, occasion: Occasion): Judgement {
  const eligible = occasion.lines.filter((line) => concerns(promotion, line))
  const minimum = promotion.minimumSubtotal[occasion.currency] ?? 0n
  const subtotal = sum(eligible.map((line) => line.subtotal))
  if (subtotal < minimum) return because('minimum_not_met', minimum - subtotal)
  if (eligible.length === 0 || unitsToGet(promotion, occasion.lines) === 0) return because('minimum_not_met')
  return ELIGIBLE
}

/** Whether the line is one that the promotion is about. */
export function concerns(promotion: Promotion, line: PromotableLine): boolean {
  return takesPart(promotion, line.storeId) && selects(promotion.lines, line)
}

/** Whether the line is one that a `buy_x_get_y` gives away. */
export function isGot(promotion: Promotion, line: PromotableLine): boolean {
  if (promotion.effect.kind !== 'buy_x_get_y') return false
  return takesPart(promotion, line.storeId) && selects(promotion.effect.gets ?? promotion.lines, line)
}

/** Whether the promotion reaches into that store. */
function takesPart(promotion: Promotion, storeId: string): boolean {
  if (promotion.storeId !== null) return promotion.storeId === storeId
  return promotion.storeIds.length === 0 || promotion.storeIds.includes(storeId)
}

function selects({ productIds, categoryIds }: LineSelection, line: PromotableLine): boolean {
  if (productIds.length === 0 && categoryIds.length === 0) return true
  return productIds.includes(line.productId) || line.categoryIds.some((id) => categoryIds.includes(id))
}

/** How many units a `buy_x_get_y` gives at its rate; 1 for every other kind, which counts no units. */
export function unitsToGet(promotion: Promotion, lines: readonly PromotableLine[]): number {
  const { effect } = promotion
  if (effect.kind !== 'buy_x_get_y') return 1
  const { buyQuantity, getQuantity, gets, setsMax } = effect
  const gotUnits = countUnits(lines.filter((line) => isGot(promotion, line)))
  const boughtUnits = countUnits(lines.filter((line) => concerns(promotion, line) && !isGot(promotion, line)))
  const sets = gets ? Math.floor(boughtUnits / buyQuantity) : Math.floor(gotUnits / (buyQuantity + getQuantity))
  return Math.min(Math.min(sets, setsMax ?? sets) * getQuantity, gotUnits)
}

function countUnits(lines: readonly PromotableLine[]): number {
  return lines.reduce((units, line) => units + line.quantity, 0)
}
