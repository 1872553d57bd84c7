import type { Reader } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

/** Unsent mails. */
interface MailStats {
  readonly waiting: number
  readonly oldestWaitingAt: Date | null
  readonly failed: number
}

// A scan of the whole table, which holds 30 days: an index for one query per scrape would cost each mail more.
const stats = statement<{ waiting: number; oldest_waiting_at: Date | null; failed: number }>(
  'mail.figures',
  `select count(*) filter (where status = 'waiting')::integer as waiting,
     min(created_at) filter (where status = 'waiting') as oldest_waiting_at,
     count(*) filter (where status = 'failed')::integer as failed
   from mails where status in ('waiting', 'failed')`,
)

export async function mailStats(reader: Reader): Promise<MailStats> {
  const row = await reader.row(stats)
  return { waiting: row?.waiting ?? 0, oldestWaitingAt: row?.oldest_waiting_at ?? null, failed: row?.failed ?? 0 }
}

const delivered = statement<{ isDelivered: boolean }>(
  'mail.any_delivered',
  `select exists (select from mails where status = 'sent') as "isDelivered"`,
)

/** Whether an SMTP server has accepted one of the stored mails. */
export async function hasDelivered(reader: Reader): Promise<boolean> {
  return (await reader.row(delivered))?.isDelivered === true
}
