import { FULFILLMENT_STATUSES, type OperatorFulfillment } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorFulfillment>[] = [
  { title: 'Order', show: ({ orderNumber }) => orderNumber },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Store', show: ({ store }) => store.slug },
  { title: 'Method', show: ({ method }) => (method === 'digital' ? 'Digital delivery' : 'Manual fulfillment') },
  { title: 'Items', numeric: true, show: ({ units }) => <Count value={units} /> },
  { title: 'Created', show: ({ createdAt }) => <DateTime at={createdAt} /> },
  { title: 'Note', show: ({ waitingFor, note }) => note ?? (waitingFor ? `Waiting for ${waitingFor}` : '') },
]

/** Items to ship, and the status of shipments. */
export function FulfillmentsPage() {
  const environment = useEnvironment()
  const [selected, setStatus] = useQueryParameter('status')
  const status = FULFILLMENT_STATUSES.find((each) => each === selected) ?? 'pending'
  return (
    <ListPage
      title="Fulfillment"
      lead="Items that customers have paid for, and the status of their shipments. Longest waiting first."
      searchable={false}
      filters={
        <Select
          name="status"
          label="Status"
          value={status}
          onChange={(value) => setStatus(value === 'pending' ? '' : value)}
          options={FULFILLMENT_STATUSES.map((each) => [each, each === 'pending' ? 'To ship' : sentenceCase(each)])}
        />
      }
      load={({ cursor }) => call('listFulfillments', { query: { cursor, status, environment } })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ orderId }) => `/orders/${orderId}`}
      empty={{ title: 'Nothing to ship', hint: 'Items appear here once their order is paid.' }}
    />
  )
}
