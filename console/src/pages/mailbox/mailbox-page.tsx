import type { OperatorMail } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { QueryFilter } from '../../ui/list/query-filter.tsx'
import { mailKindText } from './mail-kind.ts'

const STATUSES = ['waiting', 'sent', 'kept', 'failed'] as const

const columns: readonly Column<OperatorMail>[] = [
  { title: translate('Subject'), show: ({ subject }) => subject },
  { title: translate('To'), text: true, show: ({ recipient }) => recipient },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Type'), show: ({ kind }) => <span class="amount">{mailKindText(kind)}</span> },
  { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
]

/** Outgoing emails and their status. */
export function MailboxPage() {
  const [selected] = useQueryParameter('status')
  const status = STATUSES.find((each) => each === selected)
  return (
    <ListPage
      title={translate('Mailbox')}
      lead={translate(
        'Emails of the last 30 days. Without an SMTP server, they are stored here to be read and forwarded.',
      )}
      filters={<QueryFilter name="status" label={translate('Status')} options={STATUSES} />}
      load={(query) => call('listMails', { query: { ...query, ...(status && { status }) } })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/mailbox/${id}`}
      empty={{
        title: translate('No emails yet'),
        hint: translate('Emails to customers about accounts and orders appear here.'),
      }}
    />
  )
}
