import type { OperatorLineReport } from '@vitrine/contract/operator'

interface LineReport {
  readonly read: number
  readonly created: number
  readonly unchanged: number
  readonly refused: readonly { readonly line: number; readonly reason: string }[]
}

/** The most refused lines in a report. Further ones are only counted. */
const REFUSALS_SHOWN = 100_000
const REASON_MAX = 4000

/** Presents the result of a file import. */
export function presentLineReport({ read, created, unchanged, refused }: LineReport): OperatorLineReport {
  const refusals = refused
    .slice(0, REFUSALS_SHOWN)
    .map(({ line, reason }) => ({ line, reason: reason.slice(0, REASON_MAX) }))
  return { read, created, unchanged, refused: refused.length, refusals }
}

/** The figures of a report, for the audit log. */
export function figuresOf({ read, created, unchanged, refused }: OperatorLineReport) {
  return { read, created, unchanged, refused }
}
