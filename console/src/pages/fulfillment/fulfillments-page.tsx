import { FULFILLMENT_STATUSES, type OperatorFulfillment } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorFulfillment>[] = [
  { title: translate('Order'), show: ({ orderNumber }) => orderNumber },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Store'), show: ({ store }) => store.slug },
  {
    title: translate('Method'),
    show: ({ method }) => (method === 'digital' ? translate('Digital delivery') : translate('Manual fulfillment')),
  },
  { title: translate('Items'), numeric: true, show: ({ units }) => <Count value={units} /> },
  { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
  {
    title: translate('Note'),
    show: ({ waitingFor, note }) => note ?? (waitingFor ? translate('Waiting for {waitingFor}', { waitingFor }) : ''),
  },
]

/** Items to ship, and the status of shipments. */
export function FulfillmentsPage() {
  const environment = useEnvironment()
  const [selected, setStatus] = useQueryParameter('status')
  const status = FULFILLMENT_STATUSES.find((each) => each === selected) ?? 'pending'
  return (
    <ListPage
      title={translate('Fulfillment')}
      lead={translate('Items that customers have paid for, and the status of their shipments. Longest waiting first.')}
      searchable={false}
      filters={
        <Select
          name="status"
          label={translate('Status')}
          value={status}
          onChange={(value) => setStatus(value === 'pending' ? '' : value)}
          options={FULFILLMENT_STATUSES.map((each) => [
            each,
            each === 'pending' ? translate('To ship') : sentenceCase(each),
          ])}
        />
      }
      load={({ cursor }) => call('listFulfillments', { query: { cursor, status, environment } })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ orderId }) => `/orders/${orderId}`}
      empty={{ title: translate('Nothing to ship'), hint: translate('Items appear here once their order is paid.') }}
    />
  )
}
