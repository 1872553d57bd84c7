/** The source of time. Decisions receive the time as a value; only the composition root has a clock. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
