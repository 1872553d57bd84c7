import type { Money } from '@vitrine/contract'

const locale = navigator.language
const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })
const number = new Intl.NumberFormat(locale)

/** A moment, in the reader's own time; exactly where the pointer rests. */
export function When({ at }: { readonly at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)}>
      {whole.format(date)}
    </time>
  )
}

/** An amount as people of its currency write it. */
export function amountText({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const { maximumFractionDigits = 2 } = format.resolvedOptions()
  return format.format(amount / 10 ** maximumFractionDigits)
}

export function Amount(money: Money) {
  return <span class="amount">{amountText(money)}</span>
}

export function Count({ value }: { readonly value: number }) {
  return <span class="amount">{number.format(value)}</span>
}

/** How a state is to be taken. Colour never says it alone: the word stands there as well. */
const moods: Readonly<Record<string, 'good' | 'bad' | 'waiting'>> = {
  active: 'good',
  enabled: 'good',
  succeeded: 'good',
  completed: 'good',
  confirmed: 'good',
  paid: 'good',
  fulfilled: 'good',
  delivered: 'good',
  published: 'good',
  approved: 'good',
  ready: 'good',
  pass: 'good',
  failed: 'bad',
  declined: 'bad',
  canceled: 'bad',
  revoked: 'bad',
  suspended: 'bad',
  disabled: 'bad',
  dead: 'bad',
  fail: 'bad',
  blocked: 'bad',
  unknown: 'waiting',
  pending: 'waiting',
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
  under_review: 'waiting',
}

/** A state as a word with its mood. */
export function Status({ value }: { readonly value: string }) {
  return <span class={`status ${moods[value] ?? 'plain'}`}>{value.replaceAll('_', ' ')}</span>
}
