import { sum } from '../../kernel/money.ts'
import type { InapplicableReason, LineSelection, Promotion, PromotionUsage } from './promotion.ts'

/** The facts of a line that promotions depend on. */
export interface PromotableLine {
  readonly storeId: string
  readonly productId: string
  /** Including ancestors. */
  readonly categoryIds: readonly string[]
  readonly quantity: number
  readonly unitPrice: bigint
  /** Before discounts. */
  readonly subtotal: bigint
}

/** The cart, the customer and the time that a promotion is evaluated for. */
export interface PromotionContext {
  readonly currency: string
  readonly now: Date
  readonly customerId: string | null
  readonly usage: ReadonlyMap<string, PromotionUsage>
  readonly lines: readonly PromotableLine[]
}

export type Eligibility =
  | { readonly eligible: true }
  | { readonly eligible: false; readonly reason: InapplicableReason; readonly missing: bigint | null }

const ELIGIBLE: Eligibility = { eligible: true }

/**
 * Whether a promotion applies to a cart, regardless of other promotions (see `canCombine`). Checks are in the order of
 * `INAPPLICABLE_REASONS`; the first that fails is the reason.
 */
export function evaluatePromotion(promotion: Promotion, context: PromotionContext): Eligibility {
  const { audience } = promotion
  if (promotion.status !== 'active') return because('invalid')
  if (!isAvailableIn(promotion, context.currency)) return because('invalid')
  if (promotion.startsAt && context.now < promotion.startsAt) return because('not_started')
  if (promotion.endsAt && context.now >= promotion.endsAt) return because('expired')
  if (needsCustomer(promotion) && context.customerId === null) return because('customer_required')
  if (audience.kind === 'listed_customers' && !audience.customerIds.includes(context.customerId!)) {
    return because('customer_ineligible')
  }
  if (isUsedUp(promotion, context.usage.get(promotion.id))) return because('usage_limit_reached')
  return evaluateLines(promotion, context)
}

function because(reason: InapplicableReason, missing: bigint | null = null): Eligibility {
  return { eligible: false, reason, missing }
}

/** A promotion with amounts is available only in their currencies. */
function isAvailableIn(promotion: Promotion, currency: string): boolean {
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

/** Eligible lines must exist, reach the minimum, and for buy X get Y have enough units. */
function evaluateLines(promotion: Promotion, context: PromotionContext): Eligibility {
  const eligible = context.lines.filter((line) => appliesToLine(promotion, line))
  const minimum = promotion.minimumSubtotal[context.currency] ?? 0n
  const subtotal = sum(eligible.map((line) => line.subtotal))
  if (subtotal < minimum) return because('minimum_not_met', minimum - subtotal)
  if (eligible.length === 0 || discountedUnits(promotion, context.lines) === 0) return because('minimum_not_met')
  return ELIGIBLE
}

/** Whether the promotion covers the line. */
export function appliesToLine(promotion: Promotion, line: PromotableLine): boolean {
  return includesStore(promotion, line.storeId) && selects(promotion.lines, line)
}

/** Whether the line can be discounted by a `buy_x_get_y`. */
export function isGetLine(promotion: Promotion, line: PromotableLine): boolean {
  if (promotion.effect.kind !== 'buy_x_get_y') return false
  return includesStore(promotion, line.storeId) && selects(promotion.effect.gets ?? promotion.lines, line)
}

/** Whether the store participates in the promotion. */
function includesStore(promotion: Promotion, storeId: string): boolean {
  if (promotion.storeId !== null) return promotion.storeId === storeId
  return promotion.storeIds.length === 0 || promotion.storeIds.includes(storeId)
}

function selects({ productIds, categoryIds }: LineSelection, line: PromotableLine): boolean {
  if (productIds.length === 0 && categoryIds.length === 0) return true
  return productIds.includes(line.productId) || line.categoryIds.some((id) => categoryIds.includes(id))
}

/** The number of units that a `buy_x_get_y` discounts; 1 for other kinds. */
export function discountedUnits(promotion: Promotion, lines: readonly PromotableLine[]): number {
  const { effect } = promotion
  if (effect.kind !== 'buy_x_get_y') return 1
  const { buyQuantity, getQuantity, gets, setsMax } = effect
  const getUnits = countUnits(lines.filter((line) => isGetLine(promotion, line)))
  const boughtUnits = countUnits(lines.filter((line) => appliesToLine(promotion, line) && !isGetLine(promotion, line)))
  const sets = gets ? Math.floor(boughtUnits / buyQuantity) : Math.floor(getUnits / (buyQuantity + getQuantity))
  return Math.min(Math.min(sets, setsMax ?? sets) * getQuantity, getUnits)
}

function countUnits(lines: readonly PromotableLine[]): number {
  return lines.reduce((units, line) => units + line.quantity, 0)
}
