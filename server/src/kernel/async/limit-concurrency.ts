import { refuse } from '../refusal.ts'

/**
 * Runs at most `count` pieces of work at once. Others wait in order, at most `waitingMax` of them.
 *
 * Refusals: `unavailable` if too many are waiting.
 */
export function limitConcurrency(
  count: number,
  waitingMax: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < count) running += 1
    else if (waiting.length >= waitingMax) refuse('unavailable', { reason: `${waitingMax} are already waiting` })
    else await new Promise<void>((turn) => waiting.push(turn))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The next one takes over the slot.
      if (next) next()
      else running -= 1
    }
  }
}
