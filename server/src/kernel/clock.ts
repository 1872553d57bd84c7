/** The source of time. Decisions receive the time as a value; only the composition root has a clock. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Runs work at an interval until the returned function is called. */
export type Repeat = (work: () => void, everyMs: number) => () => void

/** Repeats on a timer that does not keep the process alive. */
export const repeatOnTimer: Repeat = (work, everyMs) => {
  const timer = setInterval(work, everyMs).unref()
  return () => clearInterval(timer)
}
