import { exponentOf, isCurrency, minorOf } from '../../../../kernel/currencies.ts'
import { MONEY_MAX } from '../../../../kernel/money.ts'

/** A cell that cannot be used. The message gives the reason. */
export class CellFault extends Error {
  override readonly name = 'CellFault'
}

type DecimalMark = 'point' | 'comma'

interface Digits {
  readonly whole: string
  readonly fraction: string
}

const GROUPED_BY_COMMA = /^(-?(?:\d{1,3}(?:,\d{3})+|\d+))(?:\.(\d*))?$/
const GROUPED_BY_POINT = /^(-?(?:\d{1,3}(?:\.\d{3})+|\d+))(?:,(\d*))?$/

/**
 * The digits before and after the decimal mark, or `null` if it is no number. Thousands are in groups of three: with a decimal point,
 * `19,90` is refused and not read as 1990.
 */
function digitsOf(text: string, decimal: DecimalMark): Digits | null {
  const [, signed = '', fraction = ''] = (decimal === 'comma' ? GROUPED_BY_POINT : GROUPED_BY_COMMA).exec(text) ?? []
  return signed === '' ? null : { whole: signed.replaceAll(/[.,]/g, ''), fraction }
}

/** The decimal mark may be a guess: `1.300` is 1300 in a German table, and none of its other numbers may show that. */
function refuseThousands(cell: string, { whole, fraction }: Digits): void {
  if (fraction.length !== 3 || !/^-?[1-9]\d{0,2}$/.test(whole)) return
  const [one, thousands] = [Number(`${whole}.${fraction}`), `${whole}${fraction}`]
  throw new CellFault(
    `"${cell}" may be ${one} or ${thousands}. Choose the other decimal mark, or do not write three decimals.`,
  )
}

/** Whether a cell contains the code or the sign of another currency. Only the euro has a sign of its own. */
function namesOther(cell: string, currency: string): boolean {
  const code = /[A-Z]{3}/.exec(cell)?.[0]
  if (code !== undefined && code !== currency && isCurrency(code)) return true
  const sign = /[$€£¥]/.exec(cell)?.[0]
  return sign !== undefined && (sign === '€') !== (currency === 'EUR')
}

/** `1,299.00`, `1.299,00 €` or `19.9` in minor units. */
export function amountOf(cell: string, currency: string, decimal: DecimalMark): number {
  const bare = cell.replaceAll(/[\s\u00a0'’]|[A-Z]{3}|[$€£¥]/g, '')
  const parts = digitsOf(bare, decimal)
  if (parts === null || namesOther(cell, currency)) throw new CellFault(`"${cell}" is not an amount in ${currency}.`)
  const { whole, fraction } = parts
  const exponent = exponentOf(currency)
  if (exponent !== 3) refuseThousands(cell, parts)
  const digits = fraction.slice(0, exponent) + fraction.slice(exponent).replace(/0+$/, '')
  const amount = minorOf(digits === '' ? whole : `${whole}.${digits}`, currency)
  if (amount === null) throw new CellFault(`"${cell}" is not an amount in ${currency}.`)
  if (amount < 0n || amount > MONEY_MAX) throw new CellFault(`${cell} is below 0 or too large.`)
  return Number(amount)
}

/** Units in stock. A negative number, of an oversold SKU, becomes 0. */
export function unitsOf(cell: string, decimal: DecimalMark): number {
  const parts = digitsOf(cell, decimal)
  if (parts === null || !/^0*$/.test(parts.fraction)) throw new CellFault(`"${cell}" is not a whole number.`)
  refuseThousands(cell, parts)
  const units = Number(parts.whole)
  if (units > 2_000_000_000) throw new CellFault(`${cell} is more than 2,000,000,000.`)
  return Math.max(0, units)
}

export function gramsOf(cell: string, factor: 1 | 1000, decimal: DecimalMark): number {
  const parts = digitsOf(cell, decimal)
  if (parts !== null && factor === 1) refuseThousands(cell, parts)
  const grams = parts === null ? Number.NaN : Math.round(Number(`${parts.whole}.${parts.fraction}`) * factor)
  if (!Number.isSafeInteger(grams) || grams < 0 || grams > 100_000_000)
    throw new CellFault(`"${cell}" is not a weight.`)
  return grams
}

const TRUE = new Set(['true', 'yes', '1', 'ja', 'y', 'wahr'])
const FALSE = new Set(['false', 'no', '0', 'nein', 'n', 'falsch'])

/** Also in capital letters and in German, as spreadsheets write it. */
export function isTruth(cell: string): boolean {
  return TRUE.has(cell.toLowerCase()) || FALSE.has(cell.toLowerCase())
}

export function truthOf(cell: string): boolean {
  if (!isTruth(cell)) throw new CellFault(`"${cell}" is neither true nor false.`)
  return TRUE.has(cell.toLowerCase())
}

const STATUSES: Readonly<Record<string, 'published' | 'draft' | 'archived'>> = {
  active: 'published',
  published: 'published',
  publish: 'published',
  draft: 'draft',
  unlisted: 'draft',
  private: 'draft',
  archived: 'archived',
}

export function statusOf(cell: string): 'published' | 'draft' | 'archived' {
  const status = STATUSES[cell.toLowerCase()]
  if (status === undefined) throw new CellFault(`"${cell}" is none of active, draft, archived.`)
  return status
}

/** Shopify exports `deny` or `continue`, or true or false for whether to continue selling. */
export function whenOutOf(cell: string): 'deny' | 'backorder' | 'preorder' {
  const text = cell.toLowerCase()
  if (text === 'deny' || text === 'backorder' || text === 'preorder') return text
  return text === 'continue' || truthOf(cell) ? 'backorder' : 'deny'
}

/** A web address, or a path on the public URL. */
export function addressOf(cell: string): string {
  const isPath = cell.startsWith('/') && !cell.startsWith('//')
  const url = cell.startsWith('//') ? `https:${cell}` : cell
  if (url.length > 2048 || (!isPath && (!/^https?:\/\//.test(url) || !URL.canParse(url)))) {
    throw new CellFault(`"${cell.slice(0, 100)}" is not a web address.`)
  }
  return url
}

/** Spreadsheets round long numbers: `4.00638E+12`. The message, or `null` if the cell is no such number. */
export function roundingOf(cell: string): string | null {
  if (!/^\d(?:[.,]\d+)?E\+\d+$/.test(cell)) return null
  return `"${cell}" was rounded by a spreadsheet. Format the column as text, and enter all digits.`
}

/** An identifier. An apostrophe keeps spreadsheets from changing long numbers. */
export function exactOf(cell: string): string {
  const message = roundingOf(cell)
  if (message !== null) throw new CellFault(message)
  return cell.replace(/^'/, '')
}

export function barcodeOf(cell: string): string {
  const code = exactOf(cell)
  if (!/^[!-~]{1,64}$/.test(code)) throw new CellFault(`"${cell.slice(0, 100)}" is not a barcode.`)
  return code
}

/** A text of at most `lengthMax` characters. */
export function textOf(cell: string, lengthMax: number): string {
  if (cell.length > lengthMax)
    throw new CellFault(`It has ${cell.length} characters, and at most ${lengthMax} are allowed.`)
  return cell
}
