import { createHash } from 'node:crypto'
import type { Randomness } from '@vitrine/server'

export interface TestRandomness extends Randomness {
  readonly seed: string
  /** A number below `count`; 0 if that is 0. */
  pick(count: number): number
}

/** Pseudorandom bytes, the same for the same seed. Print the seed; `SEED=…` repeats a run. */
export function testRandomness(seed = process.env.SEED ?? String(Date.now())): TestRandomness {
  let block = 0
  let pool = Buffer.alloc(0)
  const bytes = (length: number) => {
    while (pool.length < length) {
      pool = Buffer.concat([pool, createHash('sha512').update(`${seed} ${block}`).digest()])
      block += 1
    }
    const taken = Buffer.from(pool.subarray(0, length))
    pool = pool.subarray(length)
    return taken
  }
  return { seed, bytes, pick: (count) => (count <= 0 ? 0 : bytes(4).readUInt32BE() % count) }
}
