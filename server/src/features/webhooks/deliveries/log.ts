import type { EventKind } from '@vitrine/contract'
import { type Owner, ofEndpointOwner } from '../../../kernel/owner.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { DeliveryStatus } from './delivery.ts'

/** A recorded attempt. */
interface LoggedAttempt {
  readonly n: number
  readonly at: Date
  readonly durationMs: number
  readonly httpStatus: number | null
  readonly error: string | null
}

/** A delivery with its attempts. */
export interface LoggedDelivery {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: EventKind
  readonly sequence: number
  readonly status: DeliveryStatus
  readonly attempts: readonly LoggedAttempt[]
  readonly dueAt: Date | null
  readonly replayOf: string | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

interface DeliveryRow {
  readonly id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly event_type: EventKind
  readonly sequence: bigint
  readonly status: DeliveryStatus
  readonly due_at: Date | null
  readonly replay_of: string | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const COLUMNS = `delivery.id, delivery.endpoint_id, delivery.event_id, delivery.event_type, delivery.sequence,
  delivery.status, delivery.due_at, delivery.replay_of, delivery.version,
  delivery.created_at, delivery.updated_at`

// Reads one page for each of at most sixteen endpoints, using the index webhook_deliveries_log, and keeps the newest rows.
const list = statement<DeliveryRow>(
  'webhook_deliveries.list',
  `select ${COLUMNS} from webhook_endpoints as endpoint, lateral (
     select * from webhook_deliveries as each
     where each.endpoint_id = endpoint.id and ($5::text is null or each.status = $5)
       and ($6::text is null or each.event_type = $6) and ($7::text is null or each.id < $7)
     order by each.id desc limit $8) as delivery
   where ${ofEndpointOwner.where('endpoint', 1)} and ($4::text is null or endpoint.id = $4)
   order by delivery.id desc limit $8`,
)
const read = statement<DeliveryRow>(
  'webhook_deliveries.read_owned',
  `select ${COLUMNS} from webhook_deliveries as delivery join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
   where delivery.id = $1 and ${ofEndpointOwner.where('endpoint', 2)}`,
)
interface AttemptRow {
  readonly delivery_id: string
  readonly n: number
  readonly at: Date
  readonly duration_ms: number
  readonly http_status: number | null
  readonly error: string | null
}
const attempts = statement<AttemptRow>(
  'webhook_attempts.of',
  'select delivery_id, n, at, duration_ms, http_status, error from webhook_attempts where delivery_id = any($1) order by n',
)
const insertCopy = statement(
  'webhook_deliveries.replay',
  `insert into webhook_deliveries (id, endpoint_id, event_id, event_type, sequence, due_at, replay_of, replay_reason,
     created_at, updated_at)
   select $2, endpoint_id, event_id, event_type, sequence, $4, id, $3, $4, $4 from webhook_deliveries where id = $1`,
)

/** Filters and position of a page. `null` is no filter. */
export interface DeliveryQuery {
  readonly endpointId: string | null
  readonly status: DeliveryStatus | null
  readonly eventType: EventKind | null
  readonly afterId: string | null
  readonly limit: number
}

/** Deliveries to the endpoints of an owner, newest first, with their attempts. Two queries. */
export async function listDeliveries(reader: Reader, owner: Owner, query: DeliveryQuery): Promise<LoggedDelivery[]> {
  const { endpointId, status, eventType, afterId, limit } = query
  const rows = await reader.rows(list, [
    ...ofEndpointOwner.values(owner),
    endpointId,
    status,
    eventType,
    afterId,
    limit,
  ])
  const attemptRows = await reader.rows(attempts, [rows.map((row) => row.id)])
  return rows.map((row) =>
    deliveryOf(
      row,
      attemptRows.filter((attempt) => attempt.delivery_id === row.id),
    ),
  )
}

/** A delivery of an owner. Refuses `not_found`, also for a delivery of another owner. */
export async function loadDelivery(reader: Reader, owner: Owner, id: string): Promise<LoggedDelivery> {
  const [row, attemptRows] = await Promise.all([
    reader.row(read, [id, ...ofEndpointOwner.values(owner)]),
    reader.rows(attempts, [[id]]),
  ])
  return row ? deliveryOf(row, attemptRows) : refuse('not_found')
}

/** Inserts a new delivery of the same event to the same endpoint, due at once. */
export function insertReplay(
  tx: Transaction,
  delivery: LoggedDelivery,
  replay: { readonly id: string; readonly reason: string | null; readonly now: Date },
): LoggedDelivery {
  const { id, reason, now } = replay
  tx.write(insertCopy, [delivery.id, id, reason, now], { rows: 1 })
  return {
    ...delivery,
    id,
    status: 'pending',
    attempts: [],
    dueAt: now,
    replayOf: delivery.id,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

function deliveryOf(row: DeliveryRow, attemptRows: readonly AttemptRow[]): LoggedDelivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    sequence: Number(row.sequence),
    status: row.status,
    attempts: attemptRows.map(({ n, at, duration_ms: durationMs, http_status: httpStatus, error }) => {
      return { n, at, durationMs, httpStatus, error }
    }),
    dueAt: row.due_at,
    replayOf: row.replay_of,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
