import type { Writable } from 'node:stream'
import { Presets, SingleBar } from 'cli-progress'

/** Shows the progress of a long task. */
export interface Progress {
  /** @param note an additional text, such as the number of lines read */
  update(done: number, total: number, note?: string): void
  stop(): void
}

export const silent: Progress = { update() {}, stop() {} }

/** Often enough to see progress, seldom enough to keep a log readable. */
const LINE_EVERY_MS = 3000

type Stream = Writable & { readonly isTTY?: boolean }

/** A progress bar on a terminal; otherwise, as in a log, a line every few seconds. */
export function progressOn(stream: Stream, what: string, nowMs = () => performance.now()): Progress {
  return stream.isTTY ? bar(stream, what) : lines(stream, what, nowMs)
}

function bar(stream: Stream, what: string): Progress {
  const shown = new SingleBar(
    { format: `${what} {bar} {percentage} % · {eta_formatted} left{note}`, hideCursor: true, stream },
    Presets.shades_classic,
  )
  let started = false
  return {
    update(done, total, note) {
      const payload = { note: note === undefined ? '' : ` · ${note}` }
      if (!started) shown.start(total, done, payload)
      started = true
      shown.update(done, payload)
    },
    stop() {
      if (started) shown.stop()
    },
  }
}

function lines(stream: Stream, what: string, nowMs: () => number): Progress {
  let writtenAtMs: number | null = null
  return {
    update(done, total, note) {
      writtenAtMs ??= nowMs()
      if (nowMs() - writtenAtMs < LINE_EVERY_MS) return
      writtenAtMs = nowMs()
      const percentage = Math.floor((100 * done) / Math.max(1, total))
      stream.write(`${what}: ${percentage} %${note === undefined ? '' : `, ${note}`}\n`)
    },
    stop() {},
  }
}
