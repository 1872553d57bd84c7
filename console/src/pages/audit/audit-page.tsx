import type { AuditEntry } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { asSentence, inWords } from '../../ui/format/text.ts'
import { When } from '../../ui/format/values.tsx'
import { Narrowed } from '../../ui/list/active-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { Changes } from './changes.tsx'

/** The pages of things, by what an entry calls them. */
const FOLDERS: Readonly<Record<string, string>> = {
  after_sales: '/after-sales',
  customer: '/customers',
  import: '/imports',
  installation: '/installations',
  legal_document: '/legal',
  order: '/orders',
  payment: '/payments',
  product: '/products',
  promotion: '/promotions',
  webhook_delivery: '/webhook-deliveries',
  webhook_endpoint: '/webhooks',
}

function SubjectLink({ subject: { type, id } }: Pick<AuditEntry, 'subject'>): ComponentChildren {
  const folder = FOLDERS[type]
  return folder ? <Link to={`${folder}/${id}`}>{id}</Link> : id
}

const columns: readonly Column<AuditEntry>[] = [
  { title: 'When', show: ({ at }) => <When at={at} /> },
  { title: 'Who', text: true, show: ({ operator }) => operator.email },
  { title: 'What', show: ({ operation }) => asSentence(operation) },
  {
    title: 'Of what',
    show: ({ subject }) => (
      <>
        {inWords(subject.type)}{' '}
        <code>
          <SubjectLink subject={subject} />
        </code>
      </>
    ),
  },
  { title: 'Before and after', wide: true, show: ({ before, after }) => <Changes before={before} after={after} /> },
]

/** Who changed what and when. */
export function AuditPage() {
  const [subject] = useParameter('subject')
  return (
    <ListPage
      title="Audit log"
      lead="Every change that somebody made on the operator side, the newest first. Entries are never changed or deleted."
      load={(query) => call('listAuditLog', { query: { ...query, ...(subject && { subject }) } })}
      filters={<Narrowed by="subject" to="One thing" />}
      columns={columns}
      keyOf={({ id }) => id}
      empty={{
        title: 'Nobody has changed anything yet',
        hint: 'What you change here is listed with what was there before.',
      }}
    />
  )
}
