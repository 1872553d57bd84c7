import { type OperatorPayment, PAYMENT_VIEWS } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { Amount, Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { paymentName, providerName } from './payment-names.ts'

type View = (typeof PAYMENT_VIEWS)[number]

const TITLES: Readonly<Record<View, string>> = {
  unknown: 'Outcome unknown',
  waiting: 'Waiting',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
  all: 'All',
}

const EMPTY: Readonly<Record<View, { readonly title: string; readonly hint: string }>> = {
  unknown: {
    title: 'No unresolved payments',
    hint: 'Payments without a response from the provider appear here and are checked until resolved.',
  },
  waiting: {
    title: 'No payments are waiting',
    hint: 'Bank transfers and cash to confirm, authorizations to capture, and payments that take days appear here.',
  },
  succeeded: { title: 'No successful payments yet', hint: 'Completed payments and refunds appear here.' },
  failed: { title: 'No failed payments', hint: 'Declined and expired payments appear here.' },
  canceled: { title: 'No canceled payments', hint: 'Payments voided before capture appear here.' },
  all: { title: 'No payments yet', hint: 'Payments appear here once a shopper pays.' },
}

const columns: readonly Column<OperatorPayment>[] = [
  { title: 'Type', show: paymentName },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Provider', show: ({ provider }) => providerName(provider) },
  { title: 'Created', show: ({ createdAt }) => <DateTime at={createdAt} /> },
  { title: 'Updated', show: ({ updatedAt }) => <DateTime at={updatedAt} /> },
  { title: 'Checks', numeric: true, show: ({ looks }) => <Count value={looks} /> },
  { title: 'Amount', numeric: true, show: ({ amount }) => <Amount {...amount} /> },
]

/** Payments and refunds. */
export function PaymentsPage() {
  const [selected, setView] = useQueryParameter('view')
  const environment = useEnvironment()
  const view = PAYMENT_VIEWS.find((each) => each === selected) ?? 'unknown'
  return (
    <ListPage
      title="Payments"
      lead="Payments and refunds. Unresolved payments are listed first."
      searchable={false}
      filters={
        <Select
          name="view"
          label="Status"
          value={view}
          onChange={(value) => setView(value === 'unknown' ? '' : value)}
          options={PAYMENT_VIEWS.map((each) => [each, TITLES[each]])}
        />
      }
      load={({ cursor }) => {
        return call('listPayments', { query: { cursor, view, environment } })
      }}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/payments/${id}`}
      empty={EMPTY[view]}
    />
  )
}
