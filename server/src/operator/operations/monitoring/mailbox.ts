import type { OperatorMail, operatorOperations } from '@vitrine/contract/operator'
import { refuse } from '../../../kernel/refusal.ts'
import { type MailHead, pageOfMails, readMail } from '../../../platform/mail/index.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations
type Place = { readonly at: string; readonly id: string }

/** GET /operator/v1/mails */
function listMails(cursorSecret: Buffer): OperatorHandler<Rows['listMails']> {
  return async ({ query }, { reader }) => {
    const { q, status = null } = query
    const paging = pagingOf<Place>(cursorSecret, ['mails', q, status], query)
    const question = { like: likeOf(q), status, after: paging.after, limit: paging.limit }
    const placeOf = ({ created_at, id }: MailHead) => ({ at: created_at.toISOString(), id })
    return paging.page(await pageOfMails(reader, question), placeOf, presentMail)
  }
}

/** GET /operator/v1/mails/{mailId} */
const getMail: OperatorHandler<Rows['getMail']> = async ({ params }, { reader }) => {
  const mail = (await readMail(reader, params.mailId)) ?? refuse('not_found')
  return { ...presentMail(mail), ...(mail.body_text !== null && { text: mail.body_text }) }
}

export function mailboxOperations({ cursorSecret }: { readonly cursorSecret: Buffer }) {
  return { listMails: listMails(cursorSecret), getMail }
}

function presentMail({ id, kind, recipient, subject, status, last_error, created_at }: MailHead): OperatorMail {
  return {
    id,
    kind,
    recipient,
    subject,
    status,
    ...(last_error !== null && { lastError: last_error }),
    createdAt: created_at.toISOString(),
  }
}
