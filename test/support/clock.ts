import type { Clock } from '@vitrine/server'

/** A clock that moves only with `advance`. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void
}

export function testClock(start = '2026-05-04T12:00:00.000Z'): TestClock {
  let time = Date.parse(start)
  return {
    now: () => new Date(time),
    advance(milliseconds) {
      time += milliseconds
    },
  }
}
