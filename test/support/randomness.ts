import { createHash } from 'node:crypto'
import type { Randomness } from '@vitrine/server'

/** Pseudorandom bytes, the same for the same seed. Print the seed; `SEED=…` repeats a run. */
export function testRandomness(seed = process.env.SEED ?? String(Date.now())): Randomness & { readonly seed: string } {
  let block = 0
  let pool = Buffer.alloc(0)
  return {
    seed,
    bytes(length) {
      while (pool.length < length) {
        pool = Buffer.concat([pool, createHash('sha512').update(`${seed} ${block}`).digest()])
        block += 1
      }
      const bytes = Buffer.from(pool.subarray(0, length))
      pool = pool.subarray(length)
      return bytes
    },
  }
}
