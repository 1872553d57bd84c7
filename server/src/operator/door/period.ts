import { refuseField } from '../../kernel/refusal.ts'

const DAY_MS = 86_400_000

/** A period of days, both included: `2026-03-31`. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** The days of a query. Refuses `validation_failed` for an invalid day and for an empty period. */
export function daysOf({ from, to }: Days): Days {
  if (beginningOf(to, 'to') < beginningOf(from, 'from')) refuseField('to', 'not_possible', 'Must not be before from.')
  return { from, to }
}

/** The period of a query, in UTC. An absent day is `null`: no limit. Refusals: as for `daysOf`. */
export function dayPeriodOf({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): {
  from: Date | null
  until: Date | null
} {
  if (from !== undefined && to !== undefined) daysOf({ from, to })
  return {
    from: from === undefined ? null : beginningOf(from, 'from'),
    until: to === undefined ? null : new Date(beginningOf(to, 'to').getTime() + DAY_MS),
  }
}

function beginningOf(day: string, field: string): Date {
  const begin = new Date(`${day}T00:00:00Z`)
  // 30 February is invalid, or parsed as another day.
  if (Number.isNaN(begin.getTime()) || !begin.toISOString().startsWith(day))
    refuseField(field, 'not_possible', 'Must be a day.')
  return begin
}

/** The time at which a credential is to expire; `null`: never. Refusals: `validation_failed` if it has passed. */
export function expiryOf(expiresAt: string | undefined, now: Date): Date | null {
  if (expiresAt === undefined) return null
  const expiry = new Date(expiresAt)
  return expiry > now ? expiry : refuseField('expiresAt', 'in_the_past', 'Must be in the future.')
}
