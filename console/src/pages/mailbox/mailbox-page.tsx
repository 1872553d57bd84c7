import type { OperatorMail } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ParameterSelect } from '../../ui/list/query-filter.tsx'
import { aboutOf } from './mail-kind.ts'

const STATUSES = ['waiting', 'sent', 'kept', 'failed'] as const

const columns: readonly Column<OperatorMail>[] = [
  { title: 'Subject', show: ({ subject }) => subject },
  { title: 'To', text: true, show: ({ recipient }) => recipient },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'About', show: ({ kind }) => <span class="amount">{aboutOf(kind)}</span> },
  { title: 'Written', show: ({ createdAt }) => <When at={createdAt} /> },
]

/** Every mail that was written, and what became of it. */
export function MailboxPage() {
  const [asked] = useParameter('status')
  const status = STATUSES.find((each) => each === asked)
  return (
    <ListPage
      title="Mailbox"
      lead="Mails of the last 30 days. Without an SMTP server they are kept here, to be read and passed on."
      filters={<ParameterSelect name="status" label="Status" options={STATUSES} />}
      load={(query) => call('listMails', { query: { ...query, ...(status && { status }) } })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/mailbox/${id}`}
      empty={{
        title: 'No mail was written yet',
        hint: 'Customers who register, reset a password or buy are written to. Their mails show here.',
      }}
    />
  )
}
