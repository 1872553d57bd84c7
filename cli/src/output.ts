import type { Asked } from './asked.ts'
import { type Progress, progressOn, silent } from './progress.ts'

/** Where a command says what it did: the result on standard output, everything else on standard error. */
export interface Output {
  readonly json: boolean
  /** What was called; `null`: nothing that an operator decides. */
  readonly asked: Asked | null
  /** The result: as JSON with `--json`, else as lines for a person. */
  result(value: unknown, lines: readonly string[]): void
  /** A sentence about what is going on. Silent with `--json`. */
  note(sentence: string): void
  /** How far a long work is. Silent with `--json`. */
  progress(what: string): Progress
}

export function output(json: boolean, asked: Asked | null): Output {
  return {
    json,
    asked,
    result(value, lines) {
      process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`)
    },
    note(sentence) {
      if (!json) process.stderr.write(`${sentence}\n`)
    },
    progress: (what) => (json ? silent : progressOn(process.stderr, what)),
  }
}

/** A table whose columns are as wide as their longest value. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((value, column) => value.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
