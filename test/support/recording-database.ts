import type { Database } from '../../server/src/platform/postgres/index.ts'

/** A database that records the values of each write. The first transactions fail, or are repeated, as `endings` say. */
export function recordingDatabase(...endings: readonly ('fails' | 'repeats')[]) {
  const written: unknown[][] = []
  const left = [...endings]
  const database = {
    async transaction(work: (tx: object) => Promise<unknown>) {
      const ending = left.shift()
      if (ending === 'repeats') await work({ write: () => {} })
      const writes: unknown[][] = []
      await work({ write: (_: unknown, values: unknown[]) => writes.push(values) })
      if (ending === 'fails') throw new Error('The commit has failed.')
      written.push(...writes)
    },
  } as unknown as Database
  return { database, written }
}
