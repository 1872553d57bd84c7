import { FULFILMENT_STATUSES, type OperatorFulfilment } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorFulfilment>[] = [
  { title: 'Order', show: ({ orderNumber }) => orderNumber },
  { title: 'State', show: ({ status }) => <Status value={status} /> },
  { title: 'Store', show: ({ store }) => store.slug },
  { title: 'How', show: ({ method }) => (method === 'digital' ? 'by mail' : 'by hand') },
  { title: 'Units', figure: true, show: ({ units }) => <Count value={units} /> },
  { title: 'Since', show: ({ createdAt }) => <When at={createdAt} /> },
  { title: 'Environment', show: ({ environment }) => environment },
  { title: 'Why', show: ({ waitingFor, note }) => note ?? (waitingFor ? `waits for ${waitingFor}` : '') },
]

/** What is owed to shoppers, and what became of what left. */
export function FulfilmentsPage() {
  const [asked, setStatus] = useParameter('status')
  const status = FULFILMENT_STATUSES.find((each) => each === asked) ?? 'pending'
  return (
    <ListPage
      title="Fulfilment"
      lead="What shoppers have paid for and wait for, and what became of what left. The longest waiting stand first."
      searchable={false}
      filters={
        <Select
          name="status"
          label="State"
          value={status}
          onChange={(value) => setStatus(value === 'pending' ? '' : value)}
          options={FULFILMENT_STATUSES.map((each) => [each, each === 'pending' ? 'owed' : each])}
        />
      }
      load={({ cursor }) => call('listFulfilments', { query: { cursor, status } })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ orderId }) => `/orders/${orderId}`}
      empty={{ title: 'Nothing is owed', hint: 'As soon as somebody has paid, what is to be shipped shows here.' }}
    />
  )
}
