import type { OperatorCustomerSummary } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ParameterSelect } from '../../ui/list/query-filter.tsx'

const STATUSES = ['active', 'disabled'] as const

const columns: readonly Column<OperatorCustomerSummary>[] = [
  { title: 'Email', show: ({ emailMasked }) => emailMasked },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Created', show: ({ createdAt }) => <When at={createdAt} /> },
]

/** Customer accounts. Email addresses are masked in the list. */
export function CustomersPage() {
  const [status] = useParameter('status')
  return (
    <ListPage
      title="Customers"
      lead="People with a marketplace account. Search by full email address or ID, or by part of a name."
      filters={<ParameterSelect name="status" label="Status" options={STATUSES} />}
      load={(query) => {
        const known = STATUSES.find((each) => each === status)
        return call('listCustomers', { query: { ...query, status: known } })
      }}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/customers/${id}`}
      empty={{
        title: 'No customers yet',
        hint: 'Shoppers can register on the hosted pages or through an installation. Guest checkout needs no account.',
      }}
    />
  )
}
