import { CURRENCY_DIGITS } from '@vitrine/contract'
import { assert } from './assert.ts'

const EXPONENTS: ReadonlyMap<string, number> = new Map(Object.entries(CURRENCY_DIGITS))

/** Every currency that prices support, sorted. */
export const CURRENCIES: readonly string[] = [...EXPONENTS.keys()].sort()

export function isCurrency(code: string): boolean {
  return EXPONENTS.has(code)
}

/** How many decimal digits the currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
export function exponentOf(currency: string): number {
  const exponent = EXPONENTS.get(currency)
  assert(exponent !== undefined, `a currency of ISO 4217: ${currency}`)
  return exponent
}

/** Minor units as a decimal: 1364 in EUR is `13.64`, in JPY `1364`, in KWD `1.364`. */
export function majorOf(amount: bigint, currency: string): string {
  const exponent = exponentOf(currency)
  const digits = (amount < 0n ? -amount : amount).toString().padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const fraction = digits.slice(digits.length - exponent)
  return `${amount < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** A decimal as minor units; `null` if it is not a number or has more digits than the currency. */
export function minorOf(major: string, currency: string): bigint | null {
  const exponent = exponentOf(currency)
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(major)
  if (!match) return null
  const [, sign, whole, fraction = ''] = match
  if (fraction.length > exponent) return null
  const amount = BigInt(`${whole}${fraction.padEnd(exponent, '0')}`)
  return sign ? -amount : amount
}
