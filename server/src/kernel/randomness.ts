import { randomFillSync } from 'node:crypto'

/** The source of random bytes. Tests use a seed that they print. */
export interface Randomness {
  bytes(length: number): Buffer
}

/** Random bytes are read 4 KiB at a time: one system call for about 400 ids. */
const POOL_BYTES = 4096

export function systemRandomness(): Randomness {
  const pool = Buffer.allocUnsafe(POOL_BYTES)
  let used = POOL_BYTES
  return {
    bytes(length) {
      if (length > POOL_BYTES) return randomFillSync(Buffer.alloc(length))
      if (used + length > POOL_BYTES) {
        randomFillSync(pool)
        used = 0
      }
      const bytes = Buffer.from(pool.subarray(used, used + length))
      pool.fill(0, used, used + length)
      used += length
      return bytes
    },
  }
}
