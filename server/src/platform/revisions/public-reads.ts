import type { Clock } from '../../kernel/clock.ts'
import { isSerializationFailure, Unreachable } from '../postgres/errors.ts'
import type { Database } from '../postgres/index.ts'
import type { Reader } from '../postgres/reader.ts'
import { loadStamp, type Revisions } from './revisions.ts'

/** Runs a read of what everyone may see. It may run twice. */
export type PublicReads = <Result>(read: (reader: Reader) => Promise<Result>) => Promise<Result>

export interface PublicReadsDeps {
  readonly database: Pick<Database, 'reader' | 'replicaSnapshot'>
  readonly revisions: Pick<Revisions, 'stamp'>
  readonly clock: Clock
}

/** A replica that cannot be reached is left alone for so long: each attempt may take ten seconds. */
const AWAY_MS = 5_000

/**
 * Reads from the replica while it has every revision that this process knows, else from the primary.
 *
 * The revisions and the read see the same snapshot. The address of the replica may lead to several standbys: one that has the
 * revisions says nothing of another that is behind, and what that one answers would be cached as if it were new.
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
        const stamp = await loadStamp(reader)
        if (stamp !== revisions.stamp) return null
        const result = await read(reader)
        // What this process has learned meanwhile, the snapshot does not have.
        return stamp === revisions.stamp ? { result } : null
      })
      if (current) return current.result
    } catch (error) {
      // A standby cancels a read that holds up what it replays.
      if (!(error instanceof Unreachable) && !isSerializationFailure(error)) throw error
      if (error instanceof Unreachable) awayUntil = now + AWAY_MS
    }
    return read(primary)
  }
}
