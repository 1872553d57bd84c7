import type { AuditEntry } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Changes } from '../../ui/changes.tsx'
import { type Column, ListPage } from '../../ui/list-page.tsx'
import { When } from '../../ui/values.tsx'

const columns: readonly Column<AuditEntry>[] = [
  { title: 'When', show: ({ at }) => <When at={at} /> },
  { title: 'Who', show: ({ operator }) => operator.email },
  { title: 'What', show: ({ operation }) => <code>{operation}</code> },
  {
    title: 'Of what',
    show: ({ subject }) => (
      <>
        {subject.type} <code>{subject.id}</code>
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
      columns={columns}
      keyOf={({ id }) => id}
      empty={{
        title: 'Nobody has changed anything yet',
        hint: 'What you change here is listed with what was there before.',
      }}
    />
  )
}
