import type { OperatorLineReport } from '@vitrine/contract/operator'
import { type LineReport, REFUSED_LINES_MAX } from '../../../platform/line-files/invalid-line.ts'

const REASON_MAX = 4000

/** Presents the result of a file import. */
export function presentLineReport({ read, created, unchanged, refused }: LineReport): OperatorLineReport {
  const refusals = refused
    .slice(0, REFUSED_LINES_MAX)
    .map(({ line, reason }) => ({ line, reason: reason.slice(0, REASON_MAX) }))
  return { read, created, unchanged, refused: read - created - unchanged, refusals }
}

/** The figures of a report, for the audit log. */
export function figuresOf({ read, created, unchanged, refused }: OperatorLineReport) {
  return { read, created, unchanged, refused }
}
