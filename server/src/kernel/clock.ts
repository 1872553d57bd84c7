/** Where time comes from. The core is told the time; only the composition root owns a clock. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
