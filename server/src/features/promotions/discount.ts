import { allocate, divideRoundHalfUp, portion, type Rational, rationalOf, smallest, sum } from '../../kernel/money.ts'
import { concerns, isGot, type PromotableLine, unitsToGet } from './eligibility.ts'
import type { DiscountPhase, Promotion, PromotionEffect } from './promotion.ts'

/** A line with what earlier discounts left of it. */
export interface DiscountableLine extends PromotableLine {
  readonly remaining: bigint
}

/** What a store's shipping costs, and what earlier discounts left of it. */
export interface DiscountableShipping {
  readonly storeId: string
  readonly remaining: bigint
}

/** When the effect is taken off. @see CONTRACT, Money 3 */
export function phaseOf(effect: PromotionEffect): DiscountPhase {
  if (effect.kind === 'free_shipping') return 'shipping'
  if (effect.kind === 'buy_x_get_y') return 'line'
  return effect.target
}

/** Whether two promotions may take something off the same cart: each must allow the phase of the other. */
export function mayStandTogether(one: Promotion, other: Promotion): boolean {
  return one.combinesWith.includes(phaseOf(other.effect)) && other.combinesWith.includes(phaseOf(one.effect))
}

/** The order inside a phase: priority, then id. */
export function byPriority(one: Promotion, other: Promotion): number {
  if (one.priority !== other.priority) return one.priority - other.priority
  return one.id < other.id ? -1 : 1
}

/** What an eligible promotion of the line or order phase takes off each line; never more than is left of it. */
export function discountLines(promotion: Promotion, lines: readonly DiscountableLine[], currency: string): bigint[] {
  const { effect } = promotion
  if (effect.kind === 'buy_x_get_y') return discountGotUnits(promotion, lines, rationalOf(effect.rate))

  const bases = lines.map((line) => (concerns(promotion, line) ? line.remaining : 0n))
  if (phaseOf(effect) === 'order') return takeOffTogether(effect, bases, currency)
  if (effect.kind === 'percentage') return bases.map(withRate(rationalOf(effect.rate)))
  const perUnit = amountIn(effect, currency)
  return bases.map((base, index) => smallest(base, perUnit * BigInt(lines[index]!.quantity)))
}

/** What an eligible promotion of the shipping phase takes off the shipping of each store that it concerns. */
export function discountShipping(
  promotion: Promotion,
  shipping: readonly DiscountableShipping[],
  lines: readonly PromotableLine[],
  currency: string,
): bigint[] {
  const stores = new Set(lines.filter((line) => concerns(promotion, line)).map((line) => line.storeId))
  const bases = shipping.map(({ storeId, remaining }) => (stores.has(storeId) ? remaining : 0n))
  return takeOffTogether(promotion.effect, bases, currency)
}

/** Computed once on all bases, then allocated over them. */
function takeOffTogether(effect: PromotionEffect, bases: readonly bigint[], currency: string): bigint[] {
  const whole = sum(bases)
  if (effect.kind === 'free_shipping') return [...bases]
  if (effect.kind === 'percentage') return allocate(portion(whole, rationalOf(effect.rate)), bases)
  return allocate(smallest(whole, amountIn(effect, currency)), bases)
}

/** The cheapest units first; of equally cheap ones those of the earlier line. A unit's part of its line is `1/quantity`. */
function discountGotUnits(promotion: Promotion, lines: readonly DiscountableLine[], rate: Rational): bigint[] {
  const discounts = lines.map(() => 0n)
  let left = unitsToGet(promotion, lines)
  const cheapestFirst = lines
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => isGot(promotion, line))
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

/** A promotion that does not name the currency is not eligible in it, so there is always an amount here. */
function amountIn(effect: PromotionEffect, currency: string): bigint {
  return (effect.kind === 'fixed_amount' && effect.amounts[currency]) || 0n
}

function ascending(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
