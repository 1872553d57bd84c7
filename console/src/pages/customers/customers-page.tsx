import type { OperatorCustomerSummary } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { QueryFilter } from '../../ui/list/query-filter.tsx'

const STATUSES = ['active', 'disabled'] as const

const columns: readonly Column<OperatorCustomerSummary>[] = [
  {
    title: translate('Name'),
    text: true,
    show: ({ name }) => name ?? <span class="small">{translate('No name')}</span>,
  },
  { title: translate('Email'), show: ({ emailMasked }) => emailMasked },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
]

/** Customer accounts. Email addresses are masked in the list. */
export function CustomersPage() {
  const [q] = useQueryParameter('q')
  const [status] = useQueryParameter('status')
  const filters = new URLSearchParams({ ...(q && { q }), ...(status && { status }) })
  return (
    <ListPage
      title={translate('Customers')}
      lead={translate('People with a marketplace account. Search by full email address or ID, or by part of a name.')}
      actions={
        <Allowed by="exportCustomers">
          <a class="button" download href={`/operator/v1/exports/customers?${filters}`}>
            {translate('Export CSV')}
          </a>
        </Allowed>
      }
      filters={<QueryFilter name="status" label={translate('Status')} options={STATUSES} />}
      load={(query) => {
        const selected = STATUSES.find((each) => each === status)
        return call('listCustomers', { query: { ...query, status: selected } })
      }}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/customers/${id}`}
      empty={{
        title: translate('No customers yet'),
        hint: translate(
          'Shoppers can register on the hosted pages or through an installation. Guest checkout needs no account.',
        ),
      }}
    />
  )
}
