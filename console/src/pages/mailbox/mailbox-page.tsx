import type { OperatorMail } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ParameterSelect } from '../../ui/list/query-filter.tsx'
import { mailKindText } from './mail-kind.ts'

const STATUSES = ['waiting', 'sent', 'kept', 'failed'] as const

const columns: readonly Column<OperatorMail>[] = [
  { title: 'Subject', show: ({ subject }) => subject },
  { title: 'To', text: true, show: ({ recipient }) => recipient },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Type', show: ({ kind }) => <span class="amount">{mailKindText(kind)}</span> },
  { title: 'Created', show: ({ createdAt }) => <When at={createdAt} /> },
]

/** Outgoing emails and their status. */
export function MailboxPage() {
  const [asked] = useParameter('status')
  const status = STATUSES.find((each) => each === asked)
  return (
    <ListPage
      title="Mailbox"
      lead="Emails of the last 30 days. Without an SMTP server, they are stored here to be read and forwarded."
      filters={<ParameterSelect name="status" label="Status" options={STATUSES} />}
      load={(query) => call('listMails', { query: { ...query, ...(status && { status }) } })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/mailbox/${id}`}
      empty={{
        title: 'No emails yet',
        hint: 'Emails to customers about accounts and orders appear here.',
      }}
    />
  )
}
