import { allocate, divideRoundHalfUp, portion, type Rational, rationalOf, smallest, sum } from '../../kernel/money.ts'
import { appliesToLine, discountedUnits, isGetLine, type PromotableLine } from './eligibility.ts'
import type { DiscountPhase, Promotion, PromotionEffect } from './promotion.ts'

/** A line with what remains after earlier discounts. */
interface DiscountableLine extends PromotableLine {
  readonly remaining: bigint
}

/** A store's shipping with what remains after earlier discounts. */
interface DiscountableShipping {
  readonly storeId: string
  readonly remaining: bigint
}

/** The phase an effect applies in. @see docs/reference/rules.md#discounts */
export function phaseOf(effect: PromotionEffect): DiscountPhase {
  if (effect.kind === 'free_shipping') return 'shipping'
  if (effect.kind === 'buy_x_get_y') return 'line'
  return effect.target
}

/** Whether two promotions can apply to one cart: each must allow the other's phase. */
export function canCombine(one: Promotion, other: Promotion): boolean {
  return one.combinesWith.includes(phaseOf(other.effect)) && other.combinesWith.includes(phaseOf(one.effect))
}

/** The order within a phase: priority, then id. */
export function byPriority(one: Promotion, other: Promotion): number {
  if (one.priority !== other.priority) return one.priority - other.priority
  return one.id < other.id ? -1 : 1
}

/** The discount of each line by an eligible line or order promotion; at most what remains. */
export function discountLines(promotion: Promotion, lines: readonly DiscountableLine[], currency: string): bigint[] {
  const { effect } = promotion
  if (effect.kind === 'buy_x_get_y') return discountGetUnits(promotion, lines, rationalOf(effect.rate))

  const bases = lines.map((line) => (appliesToLine(promotion, line) ? line.remaining : 0n))
  if (phaseOf(effect) === 'order') return discountTogether(effect, bases, currency)
  if (effect.kind === 'percentage') return bases.map(withRate(rationalOf(effect.rate)))
  const perUnit = amountIn(effect, currency)
  return bases.map((base, index) => smallest(base, perUnit * BigInt(lines[index]!.quantity)))
}

/** The discount of each store's shipping by an eligible shipping promotion: where a line is shipped that the promotion covers. */
export function discountShipping(
  promotion: Promotion,
  shipping: readonly DiscountableShipping[],
  lines: readonly (PromotableLine & { readonly requiresShipping: boolean })[],
  currency: string,
): bigint[] {
  const shipped = lines.filter((line) => line.requiresShipping && appliesToLine(promotion, line))
  const stores = new Set(shipped.map((line) => line.storeId))
  const bases = shipping.map(({ storeId, remaining }) => (stores.has(storeId) ? remaining : 0n))
  return discountTogether(promotion.effect, bases, currency)
}

/** Compute the discount once on the sum of all bases, then allocate it. */
function discountTogether(effect: PromotionEffect, bases: readonly bigint[], currency: string): bigint[] {
  const whole = sum(bases)
  if (effect.kind === 'free_shipping') return [...bases]
  if (effect.kind === 'percentage') return allocate(portion(whole, rationalOf(effect.rate)), bases)
  return allocate(smallest(whole, amountIn(effect, currency)), bases)
}

/** Cheapest units first, then by line order. A unit's share of its line is `1/quantity`. */
function discountGetUnits(promotion: Promotion, lines: readonly DiscountableLine[], rate: Rational): bigint[] {
  const discounts = lines.map(() => 0n)
  let left = discountedUnits(promotion, lines)
  const cheapestFirst = lines
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => isGetLine(promotion, line))
    .sort((a, b) => ascending(a.line.unitPrice, b.line.unitPrice))
  for (const { line, index } of cheapestFirst) {
    const units = Math.min(left, line.quantity)
    left -= units
    discounts[index] = divideRoundHalfUp(
      line.remaining * BigInt(units) * rate.numerator,
      BigInt(line.quantity) * rate.denominator,
    )
  }
  return discounts
}

function withRate(rate: Rational) {
  return (amount: bigint) => portion(amount, rate)
}

/** Always has an amount: a promotion without one in the currency is not eligible. */
function amountIn(effect: PromotionEffect, currency: string): bigint {
  return (effect.kind === 'fixed_amount' && effect.amounts[currency]) || 0n
}

function ascending(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
