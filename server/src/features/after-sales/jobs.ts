import { Refusal } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { expireAfterSales } from './decisions.ts'
import { overdueAfterSales } from './store.ts'

/** Requests per query. Each is expired in its own transaction. */
const BATCH = 100

/** Expires all requests whose goods were not sent in time. */
export async function expireOverdueAfterSales(database: Database, context: EventContext): Promise<void> {
  for (;;) {
    const ids = await overdueAfterSales(database.reader, context.now, BATCH)
    for (const id of ids) await expireOne(database, id, context)
    if (ids.length < BATCH) return
  }
}

/** Ignores a conflict: in the meantime the goods may have arrived, or the shopper may have withdrawn the request. */
async function expireOne(database: Database, id: string, context: EventContext): Promise<void> {
  try {
    await database.transaction((tx) => expireAfterSales(tx, id, context))
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'version_conflict')) throw error
  }
}
