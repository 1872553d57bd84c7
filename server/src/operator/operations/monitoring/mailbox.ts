import { type OperatorMail, type operatorOperations, operatorRoles } from '@vitrine/contract/operator'
import { refuse } from '../../../kernel/refusal.ts'
import {
  type LoadLetterhead,
  type MailHead,
  pageOfMails,
  readMail,
  withLetterhead,
} from '../../../platform/mail/index.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { Operator, OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations
type Place = { readonly at: string; readonly id: string }

/** GET /operator/v1/mails */
function listMails(cursorSecret: Secret): OperatorHandler<Rows['listMails']> {
  return async ({ query }, { reader, operator }) => {
    const { q, status = null } = query
    const paging = pagingOf<Place>(cursorSecret, ['mails', q, status], query)
    const storeId = operator.store?.id ?? null
    const question = { like: likeOf(q), status, storeId, after: paging.after, limit: paging.limit }
    const placeOf = ({ created_at, id }: MailHead) => ({ at: created_at.toISOString(), id })
    return paging.page(await pageOfMails(reader, question), placeOf, presentMail)
  }
}

/** GET /operator/v1/mails/{mailId} */
function getMail(loadLetterhead: LoadLetterhead): OperatorHandler<Rows['getMail']> {
  return async ({ params }, { reader, now, operator }) => {
    const mail = (await readMail(reader, params.mailId)) ?? refuse('not_found')
    const { body_text: text, body_html: html, store_ids: storeIds, locale, status } = mail
    if (text === null || html === null || !mayOpen(mail, operator)) return presentMail(mail)
    // A kept mail already has its letterhead.
    const letterhead = status === 'kept' ? null : await loadLetterhead(reader, { storeIds, locale, now })
    const bodies = letterhead === null ? { text, html } : withLetterhead({ text, html }, letterhead)
    return { ...presentMail(mail), ...bodies }
  }
}

/** An email to an operator has a link to choose their password. With it, its reader could sign in as that operator. */
function mayOpen({ kind }: MailHead, { role }: Operator): boolean {
  return !kind.startsWith('operators.') || operatorRoles[role].operators === 'write'
}

export function mailboxOperations(deps: { readonly cursorSecret: Secret; readonly loadLetterhead: LoadLetterhead }) {
  return { listMails: listMails(deps.cursorSecret), getMail: getMail(deps.loadLetterhead) }
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
