import type { Money } from '@vitrine/contract'
import { locale } from '../../language.ts'
import { digitsOf } from '../form/amount-input.ts'
import { sentenceCase } from './text.ts'

const withYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const withoutYear = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })
const number = new Intl.NumberFormat(locale)

/** Date and time in the browser's time zone; with the year if it is not this year. */
export function formatDateTime(at: string): string {
  const date = new Date(at)
  return (date.getFullYear() === new Date().getFullYear() ? withoutYear : withYear).format(date)
}

/** Date and time, with the exact time as a tooltip. */
export function DateTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {formatDateTime(at)}
    </time>
  )
}

/** An amount with its currency. */
export function formatAmount({ amount, currency }: Money): string {
  const digits = digitsOf(currency)
  const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...exact }).format(amount / 10 ** digits)
}

export function Amount(money: Money) {
  return <span class="amount">{formatAmount(money)}</span>
}

/** A number with thousands separators. */
export function formatNumber(value: number): string {
  return number.format(value)
}

export function Count({ value }: { readonly value: number }) {
  return <span class="amount">{formatNumber(value)}</span>
}

/** The tone of each status. Color is never the only signal: the text is shown as well. */
const TONES: Readonly<Record<string, 'good' | 'bad' | 'waiting'>> = {
  active: 'good',
  enabled: 'good',
  succeeded: 'good',
  won: 'good',
  completed: 'good',
  confirmed: 'good',
  paid: 'good',
  fulfilled: 'good',
  delivered: 'good',
  published: 'good',
  approved: 'good',
  ready: 'good',
  in_force: 'good',
  pass: 'good',
  failed: 'bad',
  lost: 'bad',
  declined: 'bad',
  canceled: 'bad',
  revoked: 'bad',
  suspended: 'bad',
  disabled: 'bad',
  dead: 'bad',
  fail: 'bad',
  blocked: 'bad',
  interrupted: 'bad',
  unknown: 'waiting',
  uploading: 'waiting',
  waiting: 'waiting',
  pending: 'waiting',
  authorized: 'waiting',
  open: 'waiting',
  requested: 'waiting',
  requires_action: 'waiting',
  submitted: 'waiting',
  reconciling: 'waiting',
  processing: 'waiting',
  retrying: 'waiting',
  draft: 'waiting',
  paused: 'waiting',
  on_hold: 'waiting',
  unfulfilled: 'waiting',
  partially_fulfilled: 'waiting',
  action_required: 'waiting',
  under_review: 'waiting',
}

/** A status badge. */
export function Status({ value }: { readonly value: string }) {
  return <span class={`status ${TONES[value] ?? 'plain'}`}>{sentenceCase(value)}</span>
}
