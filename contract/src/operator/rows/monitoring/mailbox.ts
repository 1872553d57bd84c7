import { type Static, Type } from 'typebox'
import { id, Timestamp } from '../../../schemas/common.ts'
import { closed, leftOut, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Mailbox'
const auth = { kind: 'operator', area: 'mailbox' } as const
const MailId = id('mail', 'The id of the mail.')
const MAIL_STATUSES = ['waiting', 'sent', 'kept', 'failed'] as const
const Status = oneOf([...MAIL_STATUSES], 'The delivery status. `kept`: no SMTP server is configured.')

const head = {
  id: MailId,
  kind: text(100, 'The kind of mail.', 'accounts.reset'),
  recipient: text(254, 'The recipient.', 'ada@example.com'),
  subject: text(200, 'Its subject.', 'Set a new password'),
  status: Status,
  lastError: Type.Optional(leftOut(text(200, 'The last delivery error.', 'ECONNREFUSED'))),
  createdAt: Timestamp,
}

export const OperatorMail = operatorNamed('OperatorMail', closed('A mail in a list.', head))
export type OperatorMail = Static<typeof OperatorMail>

export const OperatorMailWithText = operatorNamed(
  'OperatorMailWithText',
  closed('A mail with its text.', {
    ...head,
    text: Type.Optional(
      text(
        100_000,
        'Its text; absent once an SMTP server has accepted it, and in emails to operators if the caller does not manage operators.',
        'Hello Ada, …',
      ),
    ),
    html: Type.Optional(leftOut(text(500_000, 'Its HTML, as the recipient sees it.', '<!doctype html>'))),
  }),
)
export type OperatorMailWithText = Static<typeof OperatorMailWithText>

export const mailboxRows = {
  listMails: operatorOperation({
    method: 'GET',
    path: '/operator/v1/mails',
    tag,
    summary: 'List the mails of the last 30 days, newest first.',
    description: 'With their delivery status.',
    auth,
    query: closed('Page.', { ...listQuery, status: Type.Optional(Status) }),
    data: pageOf(OperatorMail, 'Mails, newest first.'),
    refusals: ['invalid_cursor'],
    store: 'filter',
  }),
  getMail: operatorOperation({
    method: 'GET',
    path: '/operator/v1/mails/{mailId}',
    tag,
    summary: 'Get a mail.',
    description:
      'Its text is erased once an SMTP server has accepted it, because it may contain a secret link. Emails to operators have links to choose a password: only who manages operators sees their text.',
    auth,
    params: closed('The mail.', { mailId: MailId }),
    data: OperatorMailWithText,
    refusals: ['not_found'],
    store: { object: 'mail', field: 'mailId' },
    recordsRead: { type: 'mail', field: 'mailId' },
  }),
}
