import type { IdSource } from '../../kernel/ids.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { expireSession } from './end-session.ts'
import { overdue } from './session.ts'
import { listDueSessions, tryLockSession } from './session-store.ts'

const BATCH = 100

/**
 * Save the expiry of overdue sessions and release what they hold. One transaction per session, because stock is locked in
 * SKU order only within a session. Locked sessions are skipped until the next run.
 *
 * @returns the number of expired sessions
 */
export async function expireSessions(
  database: Database,
  { now, ids }: { readonly now: Date; readonly ids: IdSource },
): Promise<number> {
  let expired = 0
  for (;;) {
    const due = await listDueSessions(database.reader, now, BATCH)
    let ended = 0
    for (const sessionId of due) {
      const isEnded = await database.transaction(async (tx) => {
        const loaded = await tryLockSession(tx, sessionId)
        const stillDue = loaded && overdue(loaded.session, now)
        if (!stillDue) return false
        await expireSession(tx, stillDue, loaded.quote, { now, ids })
        return true
      })
      if (isEnded) ended += 1
    }
    expired += ended
    if (due.length < BATCH || ended === 0) return expired
  }
}
