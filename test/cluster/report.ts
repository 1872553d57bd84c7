import type { Recorder } from '../faults/load.ts'
import type { CatalogReader } from './catalog-reader.ts'

/** A round with its fault. Times are in milliseconds since a fixed moment. */
export interface Round {
  readonly name: string
  readonly begunAt: number
  /** When the fault had taken effect. */
  readonly struckAt: number
  /** `null` if the primary stayed. */
  readonly promotedAt: number | null
  /** When the cluster was complete again. */
  readonly endedAt: number
}

const HEADINGS = [
  'fault',
  'promoted after',
  'back after',
  'no write for',
  'no catalog read for',
  '503 not_applied',
  '503 unknown',
  'no answer',
] as const

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** When the first write that began after a moment was acknowledged. */
export function firstDoneAfter({ writes }: Recorder, moment: number): number {
  const done = writes.flatMap(({ attempts }) => attempts.filter(({ outcome }) => outcome === 'done'))
  return Math.min(...done.filter(({ startedAt }) => startedAt > moment).map(({ endedAt }) => endedAt))
}

export const backAfterMs = (recorder: Recorder, { struckAt, promotedAt }: Round): number => {
  const from = promotedAt ?? struckAt
  return firstDoneAfter(recorder, from) - from
}

/** The longest time between two consecutive moments that overlaps a round. */
function longestGap(moments: readonly number[], { begunAt, endedAt }: Round): number {
  const sorted = moments.toSorted((one, other) => one - other)
  let longest = 0
  for (const [at, moment] of sorted.entries()) {
    const before = sorted[at - 1] ?? moment
    if (moment > begunAt && before < endedAt) longest = Math.max(longest, moment - before)
  }
  return longest
}

/** A table as text, with a line for each round. */
export function reportOf(rounds: readonly Round[], recorder: Recorder, reader: CatalogReader): string[] {
  const attempts = recorder.writes.flatMap((write) => write.attempts)
  const doneAt = attempts.filter(({ outcome }) => outcome === 'done').map(({ endedAt }) => endedAt)
  const lines = rounds.map((round) => {
    const { name, begunAt, promotedAt, endedAt } = round
    const own = attempts.filter((attempt) => attempt.endedAt > begunAt && attempt.endedAt <= endedAt)
    const failed = (outcome: string) =>
      own.filter((attempt) => attempt.status === 503 && attempt.outcome === outcome).length
    return [
      name,
      promotedAt === null ? '–' : seconds(promotedAt - begunAt),
      seconds(backAfterMs(recorder, round)),
      seconds(longestGap(doneAt, round)),
      seconds(longestGap(reader.answeredAt, round)),
      String(failed('not_applied')),
      String(failed('unknown')),
      String(own.filter(({ status }) => status === 0).length),
    ]
  })
  return [HEADINGS, ...lines].map((cells) => cells.join(' | '))
}
