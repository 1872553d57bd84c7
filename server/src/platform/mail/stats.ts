import type { Reader } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

/** What has not been sent, of the mails that are still known. */
export interface MailStats {
  readonly waiting: number
  readonly oldestWaitingAt: Date | null
  readonly failed: number
}

// Mails are forgotten after 30 days, and looked through whole: an index for one look in 15 s would cost each mail more.
const figures = statement<{ waiting: number; oldest_waiting_at: Date | null; failed: number }>(
  'mail.figures',
  `select count(*) filter (where status = 'waiting')::integer as waiting,
     min(created_at) filter (where status = 'waiting') as oldest_waiting_at,
     count(*) filter (where status = 'failed')::integer as failed
   from mails where status in ('waiting', 'failed')`,
)

export async function mailStats(reader: Reader): Promise<MailStats> {
  const row = await reader.row(figures)
  return { waiting: row?.waiting ?? 0, oldestWaitingAt: row?.oldest_waiting_at ?? null, failed: row?.failed ?? 0 }
}
