import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Database, Transaction } from '../../platform/postgres/index.ts'
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
export async function expireSessions(database: Database, context: EventContext): Promise<number> {
  let expired = 0
  for (;;) {
    const due = await listDueSessions(database.reader, context.now, BATCH)
    let ended = 0
    for (const sessionId of due) {
      if (await database.transaction((tx) => expireIfOverdue(tx, sessionId, context))) ended += 1
    }
    expired += ended
    if (due.length < BATCH || ended === 0) return expired
  }
}

async function expireIfOverdue(tx: Transaction, sessionId: string, context: EventContext): Promise<boolean> {
  const loaded = await tryLockSession(tx, sessionId)
  const due = loaded && overdue(loaded.session, context.now)
  if (!due) return false
  await expireSession(tx, due, loaded.quote, context)
  return true
}
