import { majorOf } from './currencies.ts'

// Making one costs some hundred times what formatting does, and a page writes a dozen amounts: 6 % of a checkout's time.
const formats = new Map<string, Intl.NumberFormat>()
const FORMATS_MAX = 200

/** An amount of minor units as people write it: 38,88 € or €38.88. Decimal text keeps exact what a float does not hold. */
export function formatMoney(locale: string, amount: bigint, currency: string): string {
  const text = majorOf(amount, currency) as Intl.StringNumericLiteral
  return formatOfMoney(locale, currency).format(text).replace('-', '−')
}

function formatOfMoney(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size >= FORMATS_MAX) formats.clear()
  const made = new Intl.NumberFormat(locale, { style: 'currency', currency })
  formats.set(key, made)
  return made
}
