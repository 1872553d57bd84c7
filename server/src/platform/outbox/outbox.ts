import type { IdSource } from '../../kernel/ids.ts'
import type { Transaction } from '../postgres/access.ts'
import { statement } from '../postgres/statement.ts'
import type { DomainEvent } from './event.ts'

const insert = statement(
  'outbox.append',
  `insert into events (id, kind, environment, installation_id, store_id, subject_id, sequence, data, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

/** Tells what happened, in the transaction that made it happen: an event exists if and only if its change does. */
export function append(
  tx: Transaction,
  event: DomainEvent,
  context: { readonly ids: IdSource; readonly now: Date },
): void {
  tx.write(insert, [
    context.ids.next('evt'),
    event.kind,
    event.environment,
    event.installationId,
    event.storeId,
    event.subjectId,
    event.sequence,
    JSON.stringify(event.data),
    context.now,
  ])
}
