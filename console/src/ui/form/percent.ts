import { decimalSeparator, translate } from '../../language.ts'
import { FieldError } from './field-error.ts'

/** Converts `19` or `7,25` percent to the decimal that the server stores, digit by digit: `0.19`, `0.0725`. */
export function parsePercent(typed: string, pointer: string): string {
  const [, whole = '', part = ''] = /^\s*(\d{1,3})(?:[.,](\d{1,6}))?\s*%?\s*$/.exec(typed) ?? []
  if (whole === '') throw new FieldError(pointer, translate('Enter a number, such as 19 or 7.25.'))
  const digits = whole.padStart(3, '0')
  const rate = `${digits.slice(0, -2)}.${digits.slice(-2)}${part}`
  return rate.replace(/\.?0+$/, '')
}

/** Converts `0.0725` and `0.07250` to `7.25`, or to `7,25` in German. */
export function formatPercent(rate: string): string {
  const [whole = '', part = ''] = rate.split('.')
  const digits = part.padEnd(2, '0')
  const percent = `${whole}${digits.slice(0, 2)}.${digits.slice(2)}`
  return percent
    .replace(/^0+(?=\d)/, '')
    .replace(/\.?0*$/, '')
    .replace('.', decimalSeparator)
}
