import type { OperatorLineReport } from '@vitrine/contract/operator'

interface LineReport {
  readonly read: number
  readonly created: number
  readonly unchanged: number
  readonly refused: readonly { readonly line: number; readonly reason: string }[]
}

/** Of those that could not be taken, so many are shown; the others are counted. */
const REFUSALS_SHOWN = 100_000
const REASON_MAX = 4000

/** What became of the lines of a file, as the console shows it. */
export function presentLineReport({ read, created, unchanged, refused }: LineReport): OperatorLineReport {
  const refusals = refused
    .slice(0, REFUSALS_SHOWN)
    .map(({ line, reason }) => ({ line, reason: reason.slice(0, REASON_MAX) }))
  return { read, created, unchanged, refused: refused.length, refusals }
}

/** The same in figures, as the audit log keeps it. */
export function figuresOf({ read, created, unchanged, refused }: OperatorLineReport) {
  return { read, created, unchanged, refused }
}
