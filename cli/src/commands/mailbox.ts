import { listMails, readMail } from '@vitrine/server'
import { CommandError, UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'

const LIST_MAX = 1000

/** `vitrine mailbox list`: the newest mails, and what became of each. */
export async function listMailsCommand(limit: string, output: Output): Promise<void> {
  const count = Number(limit)
  if (!Number.isInteger(count) || count < 1 || count > LIST_MAX) {
    throw new UsageError(`--limit must be a whole number from 1 to ${LIST_MAX}, not "${limit}".`)
  }
  const mails = await inHouse(output, ({ database }) => listMails(database.reader, count))
  const lines = columns(
    mails.map((mail) => [mail.id, mail.created_at.toISOString(), mail.status, mail.recipient, mail.subject]),
  )
  output.result(
    mails.map(({ created_at: createdAt, last_error: lastError, ...mail }) => ({ ...mail, createdAt, lastError })),
    lines.length > 0 ? lines : ['There are no mails.'],
  )
}

/** `vitrine mailbox show ID`: a mail with its words, unless an SMTP server has taken it. */
export async function showMailCommand(id: string, output: Output): Promise<void> {
  const mail = await inHouse(output, ({ database }) => readMail(database.reader, id))
  if (!mail) throw new CommandError(`There is no mail ${id}.`)
  const { created_at: createdAt, last_error: lastError, body_text: text, ...head } = mail
  output.result({ ...head, createdAt, lastError, text }, [
    `To:      ${mail.recipient}`,
    `Subject: ${mail.subject}`,
    `Written: ${createdAt.toISOString()}`,
    `Status:  ${mail.status}${lastError === null ? '' : ` (${lastError})`}`,
    '',
    text ?? 'An SMTP server has taken it; its words are not kept here.',
  ])
}
