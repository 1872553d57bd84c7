import type { JobHandler, JobHandlers } from '../jobs/index.ts'
import type { Database } from '../postgres/database.ts'
import { type LoadLetterhead, withLetterhead } from './letterhead.ts'
import { type MailAttachment, MailFailure, type MailTransport } from './smtp-transport.ts'
import { DELIVER, endMail, findUnsentMail, keepMail, recordMailFailure } from './store.ts'

/** Loads the attachments of a mail from the reference that was stored with it. */
export type LoadAttachments = (database: Database, attached: string, now: Date) => Promise<readonly MailAttachment[]>

/**
 * Jobs that deliver mail. Without a transport a mail stays in the operator's mailbox. A failed delivery is retried like any
 * job; it is given up after the last attempt, or at once if the server rejects the recipient or the content permanently.
 */
export function mailJobs(
  transport: MailTransport | null,
  loadLetterhead: LoadLetterhead,
  loadAttachments: LoadAttachments,
): JobHandlers {
  const deliver: JobHandler = async (job, { database, now, log, signal }) => {
    const mail = await findUnsentMail(database.reader, job.subject)
    if (!mail) return
    const { id, recipient, subject, locale, store_ids: storeIds } = mail
    const letterhead = await loadLetterhead(database.reader, { storeIds, locale, now })
    const bodies = withLetterhead({ text: mail.body_text, html: mail.body_html }, letterhead)
    if (!transport) return (tx) => keepMail(tx, id, bodies, now)
    const attachments = mail.attached === null ? [] : await loadAttachments(database, mail.attached, now)
    try {
      await transport.send({ id, sender: letterhead.sender, recipient, subject, ...bodies, attachments }, signal)
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      const isLastAttempt = error.isFinal || job.attempts >= job.attempts_max
      await database.transaction(async (tx) =>
        isLastAttempt ? endMail(tx, id, 'failed', now, error.message) : recordMailFailure(tx, id, error.message),
      )
      if (!error.isFinal) throw error
      log.warn({ mail: id, reason: error.message }, 'mail rejected permanently')
      return
    }
    return (tx) => endMail(tx, id, 'sent', now)
  }
  return { [DELIVER]: deliver }
}
