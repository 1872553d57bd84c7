import { refuse } from '../../kernel/refusal.ts'

const DAY_MS = 86_400_000

/** The days of a query, both included, in UTC. Refuses `validation_failed` for a day that is none and for an empty period. */
export function periodOf({ from, to }: { readonly from: string; readonly to: string }): { from: Date; until: Date } {
  const [begin, last] = [beginningOf(from, '/from'), beginningOf(to, '/to')]
  if (last < begin) refuseQuery('/to', 'Must not be before from.')
  return { from: begin, until: new Date(last.getTime() + DAY_MS) }
}

/** The same where a day may be left out: `null` is without a limit. */
export function dayPeriodOf({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): {
  from: Date | null
  until: Date | null
} {
  if (from !== undefined && to !== undefined) return periodOf({ from, to })
  return {
    from: from === undefined ? null : beginningOf(from, '/from'),
    until: to === undefined ? null : new Date(beginningOf(to, '/to').getTime() + DAY_MS),
  }
}

function beginningOf(day: string, pointer: string): Date {
  const begin = new Date(`${day}T00:00:00Z`)
  // 30 February is none, or another day.
  if (Number.isNaN(begin.getTime()) || !begin.toISOString().startsWith(day)) refuseQuery(pointer, 'Must be a day.')
  return begin
}

function refuseQuery(pointer: string, message: string): never {
  refuse('validation_failed', { details: [{ in: 'query', pointer, code: 'not_possible', message }] })
}
