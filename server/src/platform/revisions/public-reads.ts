import type { Clock } from '../../kernel/clock.ts'
import { isSerializationFailure, Unreachable } from '../postgres/errors.ts'
import type { Database } from '../postgres/index.ts'
import type { Reader } from '../postgres/reader.ts'
import { loadTotal, type Revisions } from './revisions.ts'

/** Runs a public read. It may run twice. */
export type PublicReads = <Result>(read: (reader: Reader) => Promise<Result>) => Promise<Result>

interface PublicReadsDeps {
  readonly database: Pick<Database, 'reader' | 'replicaSnapshot'>
  readonly revisions: Pick<Revisions, 'total'>
  readonly clock: Clock
}

/** An unreachable replica is not used for this time: each attempt may take ten seconds. */
const AWAY_MS = 5_000

/**
 * Reads from the replica while it has every revision that this process knows, else from the primary.
 *
 * The revisions and the read see the same snapshot. The address of the replica may lead to several standbys: that one has the
 * revisions says nothing about another that is behind, and whose answer would be cached as if it were new.
 */
export function publicReads({ database, revisions, clock }: PublicReadsDeps): PublicReads {
  const { reader: primary, replicaSnapshot } = database
  if (!replicaSnapshot) return (read) => read(primary)
  let awayUntil = 0

  return async (read) => {
    const now = clock.now().getTime()
    if (now < awayUntil) return read(primary)
    try {
      const current = await replicaSnapshot(async (reader) => {
        const total = await loadTotal(reader)
        if (total !== revisions.total) return null
        const result = await read(reader)
        // The snapshot lacks what this process has learned in the meantime.
        return total === revisions.total ? { result } : null
      })
      if (current) return current.result
    } catch (error) {
      // A standby cancels a read that delays its replay.
      if (!(error instanceof Unreachable) && !isSerializationFailure(error)) throw error
      if (error instanceof Unreachable) awayUntil = now + AWAY_MS
    }
    return read(primary)
  }
}
