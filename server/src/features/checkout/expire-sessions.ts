import type { IdSource } from '../../kernel/ids.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { endOverdue } from './end-session.ts'
import { overdue } from './session.ts'
import { dueSessions, readStored, tryHoldSession } from './session-store.ts'

const BATCH = 100

/**
 * Writes down that sessions have expired, as their readers have seen since the moment they did, and gives back what they
 * held. Each has a transaction of its own, because stock is locked in the order of SKUs inside one alone; a session that
 * somebody is working on is theirs, or the next round's.
 *
 * @returns how many
 */
export async function expireSessions(
  database: Database,
  { now, ids }: { readonly now: Date; readonly ids: IdSource },
): Promise<number> {
  let expired = 0
  for (;;) {
    const due = await dueSessions(database.reader, now, BATCH)
    let ended = 0
    for (const sessionId of due) {
      const isMine = await database.transaction(async (tx) => {
        if (!(await tryHoldSession(tx, sessionId))) return false
        const { session, quote } = await readStored(tx, sessionId)
        const stillDue = overdue(session, now)
        if (!stillDue) return false
        await endOverdue(tx, stillDue, quote, { now, ids })
        return true
      })
      if (isMine) ended += 1
    }
    expired += ended
    if (due.length < BATCH || ended === 0) return expired
  }
}
