/** Lets at most so many works run at once; the others wait, first come, first served. */
export function limitConcurrency(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < count) running += 1
    else await new Promise<void>((turn) => waiting.push(turn))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Whoever waits takes over the place.
      if (next) next()
      else running -= 1
    }
  }
}
