import type { AuditEntry } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { operatorName, sentenceCase } from '../../ui/format/text.ts'
import { DateTime } from '../../ui/format/values.tsx'
import { ActiveFilter } from '../../ui/list/active-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { Changes } from './changes.tsx'

/** The page of each type of resource. */
const PATHS: Readonly<Record<string, string>> = {
  after_sales: '/returns',
  order_mail: '/orders',
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
  const path = PATHS[type]
  return path ? <Link to={`${path}/${id}`}>{id}</Link> : id
}

/** On its own, the word is the label of a button. */
const resourceName = (type: string) => (type === 'import' ? translate('Catalog import') : sentenceCase(type))

const columns: readonly Column<AuditEntry>[] = [
  { title: translate('Time'), show: ({ at }) => <DateTime at={at} /> },
  { title: translate('Operator'), text: true, show: ({ operator }) => operatorName(operator.email) },
  { title: translate('Action'), show: ({ operation }) => sentenceCase(operation) },
  {
    title: translate('Resource'),
    show: ({ subject }) => (
      <>
        {resourceName(subject.type)}{' '}
        <code>
          <SubjectLink subject={subject} />
        </code>
      </>
    ),
  },
  { title: translate('Changes'), wide: true, show: ({ before, after }) => <Changes before={before} after={after} /> },
]

/** Every change by an operator. */
export function AuditPage() {
  const [subject] = useQueryParameter('subject')
  return (
    <ListPage
      title={translate('Audit log')}
      lead={translate('All changes made by operators, newest first. Entries cannot be changed or deleted.')}
      load={(query) => call('listAuditLog', { query: { ...query, ...(subject && { subject }) } })}
      filters={<ActiveFilter name="subject" label={translate('resource')} />}
      columns={columns}
      keyOf={({ id }) => id}
      empty={{
        title: translate('No changes yet'),
        hint: translate('Changes appear here with the values before and after.'),
      }}
    />
  )
}
