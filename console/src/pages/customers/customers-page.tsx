import type { OperatorCustomerSummary } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ParameterSelect } from '../../ui/list/query-filter.tsx'

const STATUSES = ['active', 'disabled'] as const

const columns: readonly Column<OperatorCustomerSummary>[] = [
  { title: 'Address', show: ({ emailMasked }) => emailMasked },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Since', show: ({ createdAt }) => <When at={createdAt} /> },
]

/** People who have an account. Their addresses are masked until one is opened. */
export function CustomersPage() {
  const [status] = useParameter('status')
  return (
    <ListPage
      title="Customers"
      lead="People who have an account with the marketplace. Look for an e-mail address or an id as a whole, or for a part of a name."
      filters={<ParameterSelect name="status" label="Status" options={STATUSES} />}
      load={(query) => {
        const known = STATUSES.find((each) => each === status)
        return call('listCustomers', { query: { ...query, status: known } })
      }}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/customers/${id}`}
      empty={{
        title: 'Nobody has an account yet',
        hint: 'Shoppers make one on our pages, or through an installation. They can buy without one.',
      }}
    />
  )
}
