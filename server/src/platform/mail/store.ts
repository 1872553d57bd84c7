import type { IdSource } from '../../kernel/ids.ts'
import { enqueue } from '../jobs/index.ts'
import { insertion } from '../postgres/insertion.ts'
import type { Reader, Transaction } from '../postgres/reader.ts'
import { statement, sweepStatement } from '../postgres/statement.ts'
import type { MailBodies } from './compose.ts'

/** The kind of the job that delivers a mail. Its subject is the id of the mail. */
export const DELIVER = 'mail.deliver'
/** All mails are deleted after this time. */
export const MAIL_RETENTION_DAYS = 30
/** CHECK of `mails`. */
const SUBJECT_LENGTH_MAX = 200

export interface NewMail {
  readonly kind: string
  readonly recipient: string
  readonly locale: string
  readonly subject: string
  readonly bodies: MailBodies
  /** The stores that the mail is from. Absent: the marketplace. */
  readonly storeIds?: readonly string[]
  /** A reference to the attachments, which {@link LoadAttachments} resolves on delivery. */
  readonly attached?: string
}

const insertMails = insertion(
  'mails',
  {
    id: 'text',
    kind: 'text',
    recipient: 'text',
    locale: 'text',
    subject: 'text',
    body_text: 'text',
    body_html: 'text',
    created_at: 'timestamptz',
    store_ids: 'jsonb',
    attached: 'text',
  },
  `mailed as (
     insert into mails (id, kind, recipient, locale, subject, body_text, body_html, created_at, store_ids, attached)
     select id, kind, recipient, locale, subject, body_text, body_html, created_at,
       array(select jsonb_array_elements_text(store_ids)), attached from ROWS)`,
)

/** Adds a mail and its delivery job in the transaction of the change that it reports. */
export function sendMail(tx: Transaction, mail: NewMail, { ids, now }: { ids: IdSource; now: Date }): void {
  const { kind, recipient, locale, subject, bodies, storeIds = [], attached = null } = mail
  const id = ids.next('mail')
  const short = subject.length > SUBJECT_LENGTH_MAX ? `${headOf(subject, SUBJECT_LENGTH_MAX - 1)}…` : subject
  const { text, html } = bodies
  tx.add(insertMails, [id, kind, recipient, locale, short, text, html, now, JSON.stringify(storeIds), attached])
  enqueue(tx, { kind: DELIVER, subject: id, runAt: now }, ids)
}

/** The beginning of a text, without half of a character at its end. */
function headOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

/** A mail that is not sent, as its delivery needs it. */
interface UnsentMail {
  readonly id: string
  readonly recipient: string
  readonly locale: string
  readonly subject: string
  readonly body_text: string
  readonly body_html: string
  readonly store_ids: readonly string[]
  readonly attached: string | null
}

/** A failed mail is sent after all if an operator retries its job. */
const UNSENT = "status in ('waiting', 'failed')"
const readUnsent = statement<UnsentMail>(
  'mail.unsent',
  `select id, recipient, locale, subject, body_text, body_html, store_ids, attached
   from mails where id = $1 and ${UNSENT}`,
)

export function findUnsentMail(reader: Reader, id: string): Promise<UnsentMail | undefined> {
  return reader.row(readUnsent, [id])
}

const keep = statement(
  'mail.keep',
  `update mails set status = 'kept', ended_at = $2, body_text = $3, body_html = $4 where id = $1 and ${UNSENT}`,
)

/** Ends a mail without a transport: the mailbox shows it as it would have been sent. */
export function keepMail(tx: Transaction, id: string, { text, html }: MailBodies, now: Date): void {
  tx.write(keep, [id, now, text, html])
}

const end = statement(
  'mail.end',
  `update mails set status = $2, ended_at = $3, last_error = $4,
     body_text = case when $2 = 'sent' then null else body_text end,
     body_html = case when $2 = 'sent' then null else body_html end
   where id = $1 and ${UNSENT}`,
)
const recordFailure = statement('mail.note_failure', 'update mails set last_error = $2 where id = $1')

/** Ends a mail. The bodies of a sent mail are erased. */
export function endMail(tx: Transaction, id: string, status: 'sent' | 'failed', now: Date, error?: string): void {
  tx.write(end, [id, status, now, error ?? null])
}

export function recordMailFailure(tx: Transaction, id: string, error: string): void {
  tx.write(recordFailure, [id, error])
}

/** A mail in the operator's mailbox. */
export interface MailHead {
  readonly id: string
  readonly kind: string
  readonly recipient: string
  readonly subject: string
  readonly status: 'waiting' | 'sent' | 'kept' | 'failed'
  readonly last_error: string | null
  readonly created_at: Date
}

const HEAD = 'id, kind, recipient, subject, status, last_error, created_at'

/** A mail with its bodies, which are `null` once an SMTP server has accepted it. */
interface StoredMail extends MailHead {
  readonly locale: string
  readonly store_ids: readonly string[]
  readonly body_text: string | null
  readonly body_html: string | null
}

const read = statement<StoredMail>(
  'mail.read',
  `select ${HEAD}, locale, store_ids, body_text, body_html from mails where id = $1`,
)

export function readMail(reader: Reader, id: string): Promise<StoredMail | undefined> {
  return reader.row(read, [id])
}

/** Filters of the mailbox. */
interface MailFilter {
  /** A pattern of LIKE, for recipients, subjects and kinds, and for ids from their start. */
  readonly like: string | null
  readonly status: MailHead['status'] | null
  /** Only mails of this store. */
  readonly storeId: string | null
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

const page = statement<MailHead>(
  'mail.page',
  `select ${HEAD} from mails
   where ($1::text is null or recipient ilike $1 or subject ilike $1 or kind ilike $1 or id ilike substr($1, 2))
     and ($2::text is null or status = $2) and ($3::timestamptz is null or (created_at, id) < ($3, $4))
     and ($6::text is null or store_ids = array[$6::text])
   order by created_at desc, id desc limit $5`,
)

/** A page of mails, the newest first. */
export function pageOfMails(reader: Reader, filter: MailFilter): Promise<MailHead[]> {
  const { like, status, storeId, after, limit } = filter
  return reader.rows(page, [like, status, after?.at ?? null, after?.id ?? null, limit, storeId])
}

/** Deletes mails that are older than `$1`. */
export const sweepMails = sweepStatement('mails', 'created_at')
