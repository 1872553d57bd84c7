import type { Environment } from '../../kernel/environment.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** An event and its position in the log. */
export interface LoggedEvent {
  readonly position: number
  /** The body as webhooks send it. */
  readonly body: Buffer
}

/** The position to read from, and the filters. */
interface EventQuery {
  readonly environment: Environment
  /** The position of the last event read. */
  readonly after: number
  readonly limit: number
  /** Only the events of one store: its orders, and its shares of orders of several stores. `null`: whole orders of all stores. */
  readonly ofStore: { readonly storeId: string; readonly since: Date | null } | null
}

export interface EventPage {
  readonly events: readonly LoggedEvent[]
  /** The position to continue from: the last event of the page, or the end of the log. */
  readonly position: number
  readonly hasMore: boolean
}

interface LogRow {
  readonly position: bigint
  readonly body: Buffer
}
const readBounds = statement<{ readonly last: bigint; readonly first: bigint | null }>(
  'event_log.bounds',
  'select last, (select min(position) from event_log) as first from event_log_head',
)
const ofAll = statement<LogRow>(
  'event_log.of_all',
  `select log.position, event.body from event_log log join events event on event.id = log.event_id
   where log.environment = $1 and not log.of_share and log.position > $2 and log.position <= $3
   order by log.position limit $4`,
)
// Shares exist only since an integration was narrowed to the store, so that older events would be incomplete.
const ofOneStore = statement<LogRow>(
  'event_log.of_store',
  `select log.position, event.body from event_log log join events event on event.id = log.event_id
   where log.store_id = $5 and log.environment = $1 and log.position > $2 and log.position <= $3 
     and ($6::timestamptz is null or event.created_at >= $6)
   order by log.position limit $4`,
)

/**
 * Reads the events of orders and after-sales requests after a position, each once and in an order that never changes. No event is
 * ever added before a position that was read.
 *
 * Refusals: `events_expired` if events after the position are no longer kept.
 */
export async function readEvents(reader: Reader, query: EventQuery): Promise<EventPage> {
  const { environment, after, limit, ofStore } = query
  const bounds = await reader.row(readBounds)
  const last = Number(bounds?.last ?? 0)
  const first = bounds?.first == null ? last + 1 : Number(bounds.first)
  // A position after the end of the log is from another database, such as the one before a restore.
  if (after > last || (after > 0 && after < first - 1)) refuse('events_expired')

  const place = [environment, after, last, limit + 1]
  const rows = ofStore
    ? await reader.rows(ofOneStore, [...place, ofStore.storeId, ofStore.since])
    : await reader.rows(ofAll, place)

  const events = rows.slice(0, limit).map(({ position, body }) => ({ position: Number(position), body }))
  const hasMore = rows.length > limit
  return { events, hasMore, position: hasMore ? (events.at(-1)?.position ?? after) : last }
}
