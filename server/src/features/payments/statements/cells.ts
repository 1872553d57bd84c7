import { exponentOf, minorOf } from '../../../kernel/currencies.ts'

/** The order of day, month and year. */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]
export const DECIMAL_MARKS = ['comma', 'point'] as const
export type DecimalMark = (typeof DECIMAL_MARKS)[number]

/**
 * The decimal mark of a column of amounts. Three digits after a mark can be thousands; other amounts of the column decide then.
 *
 * @returns `null` if no amount decides, or they contradict each other
 */
export function decimalMarkOf(cells: readonly string[]): DecimalMark | null {
  const marks = new Set(cells.map(markOf).filter((mark) => mark !== null))
  const [mark = null] = marks
  if (marks.size > 1) return null
  // Whole numbers without marks are the same either way.
  return mark ?? (cells.some((cell) => /[.,]/.test(cell)) ? null : 'point')
}

function markOf(cell: string): DecimalMark | null {
  const last = cell.match(/[.,](?=[^.,]*$)/)?.[0]
  if (last === undefined) return null
  const after = cell.slice(cell.lastIndexOf(last) + 1).replaceAll(/\D/g, '').length
  const nameOf = (mark: string) => (mark === ',' ? 'comma' : 'point')
  if (cell.includes(last === ',' ? '.' : ',')) return nameOf(last)
  const count = cell.split(last).length - 1
  if (count > 1) return nameOf(last === ',' ? '.' : ',')
  return after === 3 ? null : nameOf(last)
}

/**
 * The signs and digits of an amount without spaces at its ends. No two repetitions can match the same character next to each other, so
 * that a long cell takes no longer than its length.
 */
export const AMOUNT =
  /^(?:([+\-−])\s*)?(?:(?:[A-Z]{3}|[€$£])\s*)?(?:([+\-−])\s*)?(\d(?:[\d.,'’\s]*[\d.,'’])?)(?:\s*([+\-−]))?(?:\s*(?:[A-Z]{3}|[€$£]))?$/

/** No amount has more. */
const DIGITS_MAX = 50

/** Read an amount as banks write it: `1.234,56`, `1,234.56`, `1'234.56`, `+12,00`, `12,00-`, `EUR 12,00`. `null` if it is none. */
export function amountIn(cell: string, mark: DecimalMark, currency: string): bigint | null {
  const match = AMOUNT.exec(cell.trim())
  if (!match) return null
  const [, before = '', within = '', digits = '', after = ''] = match
  if (digits.length > DIGITS_MAX) return null
  const [decimal, thousands] = mark === 'comma' ? [',', '.'] : ['.', ',']
  const [whole = '', fraction, ...more] = digits.split(decimal)
  if (more.length > 0 || fraction?.includes(thousands)) return null
  const groups = whole.split(/[.,'’\s]/)
  if (groups.slice(1).some((group) => group.length !== 3)) return null
  // Some banks write two decimals for every currency: 1000.00 JPY.
  const isWhole = fraction === undefined || (exponentOf(currency) === 0 && /^0{1,2}$/.test(fraction))
  const major = `${groups.join('')}${isWhole ? '' : `.${fraction}`}`
  const amount = minorOf(major, currency)
  if (amount === null) return null
  const isNegative = [before, within, after].some((sign) => sign === '-' || sign === '−')
  return isNegative ? -amount : amount
}

/**
 * The order of day and month in a column of dates. A number above 12 is a day, and points are only written between a day and a month
 * in this order.
 *
 * @returns `null` if every date can be read either way, as two different days
 */
export function dateOrderOf(cells: readonly string[]): DateOrder | null {
  const dates = cells.map((cell) => ({ cell, parts: cell.match(/\d+/g) ?? [] })).filter(({ parts }) => parts.length > 2)
  if (cells.some((cell) => /^\D*\d{4}/.test(cell))) return 'ymd'
  if (dates.some(({ parts: [, second] }) => Number(second) > 12)) return 'mdy'
  const isDecided = ({ cell, parts: [first] }: (typeof dates)[number]) =>
    Number(first) > 12 || /^\s*\d{1,2}\.\d/.test(cell)
  if (dates.some(isDecided)) return 'dmy'
  return dates.every(({ parts: [first, second] }) => Number(first) === Number(second)) ? 'dmy' : null
}

/** Convert `30.11.2026`, `30.11.26`, `11/30/2026`, `2026-11-30` or `20261130` to `2026-11-30`. `null` if it is no date. */
export function dateIn(cell: string, order: DateOrder): string | null {
  const match =
    /^\s*(\d{1,4})[./\-\s]+(\d{1,2})[./\-\s]+(\d{1,4})\b/.exec(cell) ?? /^\s*(\d{4})(\d\d)(\d\d)\s*$/.exec(cell)
  if (!match) return null
  const [one = '', two = '', three = ''] = match.slice(1)
  const [year, month, day] =
    order === 'ymd' || one.length === 4 ? [one, two, three] : order === 'dmy' ? [three, two, one] : [three, one, two]
  const date = `${year.length === 2 ? `20${year}` : year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) ? date : null
}

/** Whether there is a day. `Date.parse` takes some that do not exist, such as February 30. */
export function isDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}
