import { type OperatorPayment, PAYMENT_VIEWS } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { asSentence } from '../../ui/format/text.ts'
import { Amount, Count, Status, When } from '../../ui/format/values.tsx'
import { EnvironmentFilter, useEnvironment } from '../../ui/list/environment-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { providerName } from './provider-name.ts'

type View = (typeof PAYMENT_VIEWS)[number]

const TITLES: Readonly<Record<View, string>> = {
  unknown: 'Outcome unknown',
  waiting: 'Needs confirmation',
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
    title: 'No payments to confirm',
    hint: 'Bank transfers and cash payments appear here until you confirm that the money was received or returned.',
  },
  succeeded: { title: 'No successful payments yet', hint: 'Completed payments and refunds appear here.' },
  failed: { title: 'No failed payments', hint: 'Declined and expired payments appear here.' },
  canceled: { title: 'No canceled payments', hint: 'Payments voided before capture appear here.' },
  all: { title: 'No payments yet', hint: 'Payments appear here once a shopper pays.' },
}

const columns: readonly Column<OperatorPayment>[] = [
  { title: 'Type', show: ({ kind, purpose }) => `${asSentence(purpose)} ${kind === 'charge' ? 'payment' : 'refund'}` },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Provider', show: ({ provider }) => providerName(provider) },
  { title: 'Created', show: ({ createdAt }) => <When at={createdAt} /> },
  { title: 'Updated', show: ({ updatedAt }) => <When at={updatedAt} /> },
  { title: 'Checks', figure: true, show: ({ looks }) => <Count value={looks} /> },
  { title: 'Amount', figure: true, show: ({ amount }) => <Amount {...amount} /> },
]

/** Payments and refunds. */
export function PaymentsPage() {
  const [selected, setView] = useParameter('view')
  const environment = useEnvironment()
  const view = PAYMENT_VIEWS.find((each) => each === selected) ?? 'unknown'
  return (
    <ListPage
      title="Payments"
      lead="Payments and refunds. Unresolved payments are listed first."
      searchable={false}
      filters={
        <>
          <Select
            name="view"
            label="Status"
            value={view}
            onChange={(value) => setView(value === 'unknown' ? '' : value)}
            options={PAYMENT_VIEWS.map((each) => [each, TITLES[each]])}
          />
          <EnvironmentFilter />
        </>
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
