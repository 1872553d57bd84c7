import { type OperatorPayment, PAYMENT_VIEWS } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { Amount, Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { OrderLink } from '../../ui/order-link.tsx'
import { paymentName, providerName } from './payment-names.ts'

type View = (typeof PAYMENT_VIEWS)[number]

const TITLES: Readonly<Record<View, string>> = {
  unknown: translate('Outcome unknown'),
  waiting: translate('Waiting'),
  succeeded: translate('Succeeded'),
  failed: translate('Failed'),
  canceled: translate('Canceled'),
  all: translate('All'),
}

const EMPTY: Readonly<Record<View, { readonly title: string; readonly hint: string }>> = {
  unknown: {
    title: translate('No unresolved payments'),
    hint: translate('Payments without a response from the provider appear here and are checked until resolved.'),
  },
  waiting: {
    title: translate('No payments are waiting'),
    hint: translate(
      'Bank transfers and cash to confirm, authorizations to capture, and payments that take days appear here.',
    ),
  },
  succeeded: {
    title: translate('No successful payments yet'),
    hint: translate('Completed payments and refunds appear here.'),
  },
  failed: { title: translate('No failed payments'), hint: translate('Declined and expired payments appear here.') },
  canceled: {
    title: translate('No canceled payments'),
    hint: translate('Payments voided before capture appear here.'),
  },
  all: { title: translate('No payments yet'), hint: translate('Payments appear here once a shopper pays.') },
}

const paymentColumns: readonly Column<OperatorPayment>[] = [
  { title: translate('Type'), show: paymentName },
  { title: translate('Order'), show: OrderLink },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Provider'), show: ({ provider }) => providerName(provider) },
  { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
  { title: translate('Amount'), numeric: true, show: ({ amount }) => <Amount {...amount} /> },
]
/** While the outcome is unknown: how often it was checked, and when it last changed, by which they are sorted. */
const unknownColumns: readonly Column<OperatorPayment>[] = [
  ...paymentColumns,
  { title: translate('Updated'), show: ({ updatedAt }) => <DateTime at={updatedAt} /> },
  { title: translate('Checks'), numeric: true, show: ({ looks }) => <Count value={looks} /> },
]

/** The views, with `all` first. */
const VIEWS = PAYMENT_VIEWS.toSorted((one, other) => Number(other === 'all') - Number(one === 'all'))

/** Payments and refunds. */
export function PaymentsPage() {
  const [selected, setView] = useQueryParameter('view')
  const environment = useEnvironment()
  const view = PAYMENT_VIEWS.find((each) => each === selected) ?? 'all'
  return (
    <ListPage
      title={translate('Payments')}
      lead={translate('Payments and refunds, newest first.')}
      searchable={false}
      filters={
        <Select
          name="view"
          label={translate('Status')}
          value={view}
          onChange={(value) => setView(value === 'all' ? '' : value)}
          options={VIEWS.map((each) => [each, TITLES[each]])}
        />
      }
      load={({ cursor }) => {
        return call('listPayments', { query: { cursor, view, environment } })
      }}
      columns={view === 'unknown' ? unknownColumns : paymentColumns}
      keyOf={({ id }) => id}
      to={({ id }) => `/payments/${id}`}
      empty={EMPTY[view]}
    />
  )
}
