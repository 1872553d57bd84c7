import type { Io } from './io.ts'
import { type Progress, progressOn, silent } from './progress.ts'

/** Where a command writes: the result to standard output, everything else to standard error. */
export interface Output {
  readonly io: Io
  readonly json: boolean
  /** The result: as JSON with `--json`, otherwise as lines for a person. */
  result(value: unknown, lines: readonly string[]): void
  /** A list: as JSON, as a table with a header row, or as a sentence if it is empty. */
  table(value: unknown, heads: readonly string[], rows: readonly (readonly string[])[], ifEmpty: string): void
  /** A message about the state of the work. Silent with `--json`. */
  note(sentence: string): void
  /** The progress of long work. Silent with `--json`. */
  progress(what: string): Progress
}

export function output(json: boolean, io: Io): Output {
  function result(value: unknown, lines: readonly string[]): void {
    io.stdout.write(json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`)
  }
  return {
    io,
    json,
    result,
    table: (value, heads, rows, ifEmpty) => result(value, rows.length > 0 ? columns([heads, ...rows]) : [ifEmpty]),
    note(sentence) {
      if (!json) io.stderr.write(`${sentence}\n`)
    },
    progress: (what) => (json ? silent : progressOn(io.stderr, what)),
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
