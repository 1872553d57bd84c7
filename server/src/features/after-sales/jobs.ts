import { Refusal } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { expireAfterSales } from './decisions.ts'
import { overdueAfterSales } from './store.ts'

/** Requests that one look finds: each is expired by a transaction of its own. */
const BATCH = 100

/** Ends the requests whose goods have not come in time, until none is left. */
export async function expireOverdueAfterSales(database: Database, context: EventContext): Promise<void> {
  for (;;) {
    const ids = await overdueAfterSales(database.reader, context.now, BATCH)
    for (const id of ids) await expireOne(database, id, context)
    if (ids.length < BATCH) return
  }
}

/** Somebody may be quicker: the goods have come, or the buyer has withdrawn. */
async function expireOne(database: Database, id: string, context: EventContext): Promise<void> {
  try {
    await database.transaction((tx) => expireAfterSales(tx, id, context))
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'version_conflict')) throw error
  }
}
