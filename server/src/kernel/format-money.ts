import { exponentOf, majorOf } from './currencies.ts'

// Creating a format takes about a hundred times as long as using it, and a page formats a dozen amounts: 6 % of a checkout's time.
const formats = new Map<string, Intl.NumberFormat>()
const FORMATS_MAX = 200

/** Formats minor units: 38,88 € or €38.88. Uses decimal text, because a float is not exact. */
export function formatMoney(locale: string, amount: bigint, currency: string): string {
  const text = majorOf(amount, currency) as Intl.StringNumericLiteral
  return numberFormat(locale, currency).format(text).replace('-', '−')
}

function numberFormat(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size >= FORMATS_MAX) formats.clear()
  // By default, Intl rounds 4990.50 forints to 4991.
  const digits = exponentOf(currency)
  const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...exact })
  formats.set(key, format)
  return format
}
