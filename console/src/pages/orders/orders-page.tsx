import { ORDER_FULFILLMENT_STATUSES, ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '@vitrine/contract'
import type { OperatorOrderSummary } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { ActiveFilter } from '../../ui/list/active-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ExportOrders } from './export-orders.tsx'

const columns: readonly Column<OperatorOrderSummary>[] = [
  { title: 'Order', show: ({ order }) => order.number },
  { title: 'Date', show: ({ order }) => <DateTime at={order.placedAt} /> },
  { title: 'Status', show: ({ order }) => <Status value={order.status} /> },
  { title: 'Payment', show: ({ order }) => <Status value={order.paymentStatus} /> },
  { title: 'Fulfillment', show: ({ order }) => <Status value={order.fulfillmentStatus} /> },
  { title: 'Customer', text: true, show: ({ email }) => email },
  { title: 'Total', numeric: true, show: ({ order }) => <Amount {...order.total} /> },
]

const choices = (values: readonly string[]) => values.map((value) => [value, sentenceCase(value)] as const)

/** The value if it is a known one. */
function knownValue<Value extends string>(values: readonly Value[], value: string): Value | undefined {
  return values.find((each) => each === value)
}

/** Orders of all installations. */
export function OrdersPage() {
  const [status, setStatus] = useQueryParameter('status')
  const [paymentStatus, setPaymentStatus] = useQueryParameter('payment')
  const [fulfillmentStatus, setFulfillmentStatus] = useQueryParameter('goods')
  const environment = useEnvironment()
  const [customerId] = useQueryParameter('customer')
  const filter = (title: string, value: string, change: (value: string) => void, values: readonly string[]) => (
    <Select name={title} label={title} value={value} onChange={change} options={[['', 'All'], ...choices(values)]} />
  )
  return (
    <ListPage
      title="Orders"
      lead="Orders from all installations. Search by order number, email address, or ID (exact match)."
      actions={
        <>
          <ExportOrders
            filters={{
              status: knownValue(ORDER_STATUSES, status),
              paymentStatus: knownValue(ORDER_PAYMENT_STATUSES, paymentStatus),
              fulfillmentStatus: knownValue(ORDER_FULFILLMENT_STATUSES, fulfillmentStatus),
              environment,
              customerId,
            }}
          />
          <Link to="/orders/import" class="button">
            Import orders
          </Link>
        </>
      }
      filters={
        <>
          {filter('Status', status, setStatus, ORDER_STATUSES)}
          {filter('Payment', paymentStatus, setPaymentStatus, ORDER_PAYMENT_STATUSES)}
          {filter('Fulfillment', fulfillmentStatus, setFulfillmentStatus, ORDER_FULFILLMENT_STATUSES)}
          <ActiveFilter name="customer" label="customer" />
        </>
      }
      load={(query) =>
        call('listOrders', {
          query: {
            ...query,
            status: knownValue(ORDER_STATUSES, status),
            paymentStatus: knownValue(ORDER_PAYMENT_STATUSES, paymentStatus),
            fulfillmentStatus: knownValue(ORDER_FULFILLMENT_STATUSES, fulfillmentStatus),
            environment,
            customerId: customerId || undefined,
          },
        })
      }
      columns={columns}
      keyOf={({ order }) => order.id}
      to={({ order }) => `/orders/${order.id}`}
      empty={{
        title: 'No orders yet',
        hint: 'Orders appear here once a shopper pays. You can also import orders from another system.',
      }}
    />
  )
}
