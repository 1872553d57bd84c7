import { assert } from './assert.ts'
import { refuse } from './refusal.ts'

/**
 * Money is an integer of minor units in a bigint; amounts and rates are never floating point numbers. Only the functions of this
 * file round, always half away from zero.
 *
 * @see docs/reference/rules.md#money and docs/decisions/0004-money-and-rounding.md
 */

/** The largest amount that JSON represents exactly everywhere: 2^53 − 1. */
export const MONEY_MAX = 2n ** 53n - 1n

/** A decimal number as text, such as `'0.19'`: exact, which a float is not. */
export type Decimal = string

/** A fraction whose denominator is positive. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Money on the wire. */
export interface WireMoney {
  readonly amount: number
  readonly currency: string
}

/** Returns the amount, or refuses `money_overflow` if JSON cannot represent it. */
export function withinMoney(amount: bigint): bigint {
  if (amount > MONEY_MAX || amount < -MONEY_MAX) refuse('money_overflow')
  return amount
}

/** An amount on the wire. Refuses `money_overflow`. */
export function wireMoney(amount: bigint, currency: string): WireMoney {
  return { amount: Number(withinMoney(amount)), currency }
}

/** The sum; 0n for no amounts. */
export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

export function smallest(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** `numerator / denominator` to the nearest integer, halves away from zero. The denominator is positive. */
export function divideRoundHalfUp(numerator: bigint, denominator: bigint): bigint {
  assert(denominator > 0n, 'a positive denominator')
  if (numerator < 0n) return -divideRoundHalfUp(-numerator, denominator)
  return (2n * numerator + denominator) / (2n * denominator)
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/** Parses a decimal exactly: `'0.19'` is 19/100. */
export function rationalOf(decimal: Decimal): Rational {
  const match = DECIMAL.exec(decimal)
  assert(match, `a decimal number: ${decimal}`)
  const [, sign, whole, fraction = ''] = match
  const digits = BigInt(`${whole}${fraction}`)
  return { numerator: sign === '-' ? -digits : digits, denominator: 10n ** BigInt(fraction.length) }
}

/** Removes trailing zeros: `'0.190000'` is `'0.19'`. PostgreSQL pads a numeric to its scale. */
export function shortestDecimal(decimal: Decimal): Decimal {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}

/** The portion of an amount at a rate, rounded once. */
export function portion(amount: bigint, rate: Rational): bigint {
  return divideRoundHalfUp(amount * rate.numerator, rate.denominator)
}

/**
 * Splits an amount by weights without losing a unit: each share is rounded down, and the remaining units go one each to the
 * largest remainders. Ties go to the larger weight, then to the earlier one. No share exceeds its weight unless the amount
 * exceeds the sum of the weights.
 */
export function allocate(amount: bigint, weights: readonly bigint[]): bigint[] {
  if (amount < 0n) return allocate(-amount, weights).map((share) => -share)
  if (amount === 0n) return weights.map(() => 0n)
  const whole = sum(weights)
  assert(whole > 0n, 'something to allocate over')

  const shares: bigint[] = []
  const remainders: bigint[] = []
  let left = amount
  for (const weight of weights) {
    assert(weight >= 0n, 'no negative weight')
    const exact = amount * weight
    const share = exact / whole
    shares.push(share)
    remainders.push(exact - share * whole)
    left -= share
  }
  if (left === 0n) return shares

  const byRemainder = weights
    .map((_, index) => index)
    .sort((a, b) => descending(remainders[a]!, remainders[b]!) || descending(weights[a]!, weights[b]!) || a - b)
  for (const index of byRemainder.slice(0, Number(left))) shares[index]! += 1n
  return shares
}

function descending(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a > b ? -1 : 1
}

/**
 * The tax inside a price that includes it, for each rate: `round(gross · r / (1 + r))` with `r` the rates together,
 * extracted once and allocated over them. @see docs/reference/rules.md#tax
 */
export function taxFromGross(gross: bigint, rates: readonly Rational[]): bigint[] {
  const { numerators, denominator } = overOneDenominator(rates)
  const together = sum(numerators)
  return allocate(divideRoundHalfUp(gross * together, denominator + together), numerators)
}

/** The tax on top of a price that does not include it, for each rate: `round(net · r)`, computed once and allocated. */
export function taxFromNet(net: bigint, rates: readonly Rational[]): bigint[] {
  const { numerators, denominator } = overOneDenominator(rates)
  return allocate(divideRoundHalfUp(net * sum(numerators), denominator), numerators)
}

function overOneDenominator(rates: readonly Rational[]) {
  const denominator = rates.reduce((product, rate) => product * rate.denominator, 1n)
  return { denominator, numerators: rates.map((rate) => (rate.numerator * denominator) / rate.denominator) }
}

/**
 * The refund of `units` units of a line, when `before` of its `quantity` are refunded already:
 * `round(A(f+k)/n) − round(A·f/n)`. However the units are split, all refunds add up to exactly `charged`.
 *
 * @see docs/reference/rules.md#refunds
 */
export function refundOfUnits(line: { charged: bigint; quantity: number; before: number; units: number }): bigint {
  const { charged, quantity, before, units } = line
  assert(before >= 0 && units >= 0 && before + units <= quantity, 'no more units than were sold')
  const upTo = (count: number) => divideRoundHalfUp(charged * BigInt(count), BigInt(quantity))
  return upTo(before + units) - upTo(before)
}
