import { Presets, SingleBar } from 'cli-progress'

/** Where a command says what it did: the result on standard output, everything else on standard error. */
export interface Output {
  readonly json: boolean
  /** The result: as JSON with `--json`, else as lines for a person. */
  result(value: unknown, lines: readonly string[]): void
  /** A sentence about what is going on. Silent with `--json`. */
  note(sentence: string): void
  /** A bar for work whose length may only become known on the way. */
  progress(what: string): Progress
}

export interface Progress {
  update(done: number, total: number | null): void
  stop(): void
}

const silent: Progress = { update() {}, stop() {} }

export function output(json: boolean): Output {
  return {
    json,
    result(value, lines) {
      process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`)
    },
    note(sentence) {
      if (!json) process.stderr.write(`${sentence}\n`)
    },
    progress: (what) => (json ? silent : bar(what)),
  }
}

function bar(what: string): Progress {
  const shown = new SingleBar(
    {
      format: `${what} {bar} {value}/{total} · {eta_formatted} left`,
      hideCursor: true,
      stream: process.stderr,
      noTTYOutput: false,
    },
    Presets.shades_classic,
  )
  let started = false
  return {
    update(done, total) {
      if (!started) shown.start(total ?? Math.max(1, done), done)
      started = true
      if (total !== null) shown.setTotal(total)
      else if (done > shown.getTotal()) shown.setTotal(done)
      shown.update(done)
    },
    stop() {
      if (started) shown.stop()
    },
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
