import { CURRENCY_DIGITS } from '@vitrine/contract'
import { decimalSeparator } from '../../language.ts'

/** Parses an amount such as `12.50` or `12,5` to minor units; NaN if it is not an amount. */
export function parseAmount(typed: string, currency: string): number {
  const digits = digitsOf(currency)
  const [, whole = '', part = ''] = /^\s*(\d+)(?:[.,](\d*))?\s*$/.exec(typed) ?? []
  if (whole === '' || part.length > digits) return Number.NaN
  return Number(whole) * 10 ** digits + Number(part.padEnd(digits, '0') || 0)
}

/** Formats minor units as the decimal number of an input, such as `12.50`, or `12,50` in German. */
export function formatDecimal(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  return (amount / 10 ** digits).toFixed(digits).replace('.', decimalSeparator)
}

/** The number of decimals of a currency: 2 of EUR, 0 of JPY. */
export function digitsOf(currency: string): number {
  return CURRENCY_DIGITS[currency] ?? 2
}
