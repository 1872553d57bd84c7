import { type OperatorPayment, PAYMENT_VIEWS } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { asSentence, inWords } from '../../ui/format/text.ts'
import { Amount, Count, Status, When } from '../../ui/format/values.tsx'
import { EnvironmentFilter, useEnvironment } from '../../ui/list/environment-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { providerName } from './provider-name.ts'

type View = (typeof PAYMENT_VIEWS)[number]

const TITLES: Readonly<Record<View, string>> = {
  unknown: 'outcome unknown',
  waiting: 'waits for your word',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
  all: 'all',
}

const EMPTY: Readonly<Record<View, { readonly title: string; readonly hint: string }>> = {
  unknown: {
    title: 'Every outcome is known',
    hint: 'Where a provider does not answer, the payment shows here and is looked up until somebody knows.',
  },
  waiting: {
    title: 'Nothing waits for your word',
    hint: 'Transfers and cash show here until you say that the money has come, or gone back.',
  },
  succeeded: { title: 'Nothing has succeeded yet', hint: 'Money that was taken or given back shows here.' },
  failed: { title: 'Nothing has failed', hint: 'What was declined or never came shows here.' },
  canceled: { title: 'Nothing was canceled', hint: 'Money that was let go before it was taken shows here.' },
  all: { title: 'No money has moved yet', hint: 'As soon as a shopper pays, it shows here.' },
}

const columns: readonly Column<OperatorPayment>[] = [
  { title: 'What', show: ({ kind, purpose }) => `${asSentence(kind)}, ${inWords(purpose)}` },
  { title: 'State', show: ({ status }) => <Status value={status} /> },
  { title: 'By', show: ({ provider }) => providerName(provider) },
  { title: 'Begun', show: ({ createdAt }) => <When at={createdAt} /> },
  { title: 'Changed', show: ({ updatedAt }) => <When at={updatedAt} /> },
  { title: 'Looked up', figure: true, show: ({ looks }) => <Count value={looks} /> },
  { title: 'Amount', figure: true, show: ({ amount }) => <Amount {...amount} /> },
]

/** Money that is taken and given back. */
export function PaymentsPage() {
  const [asked, setView] = useParameter('view')
  const environment = useEnvironment()
  const view = PAYMENT_VIEWS.find((each) => each === asked) ?? 'unknown'
  return (
    <ListPage
      title="Payments"
      lead="Money that is taken and given back, each effect once. What nobody knows the outcome of stands first."
      searchable={false}
      filters={
        <>
          <Select
            name="view"
            label="State"
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
