import { ORDER_FULFILLMENT_STATUSES, ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '@vitrine/contract'
import type { OperatorOrderSummary } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { asSentence } from '../../ui/format/text.ts'
import { Amount, Status, When } from '../../ui/format/values.tsx'
import { ActiveFilter } from '../../ui/list/active-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorOrderSummary>[] = [
  { title: 'Order', show: ({ order }) => order.number },
  { title: 'Date', show: ({ order }) => <When at={order.placedAt} /> },
  { title: 'Status', show: ({ order }) => <Status value={order.status} /> },
  { title: 'Payment', show: ({ order }) => <Status value={order.paymentStatus} /> },
  { title: 'Fulfillment', show: ({ order }) => <Status value={order.fulfillmentStatus} /> },
  { title: 'Customer', text: true, show: ({ email }) => email },
  { title: 'Total', figure: true, show: ({ order }) => <Amount {...order.total} /> },
]

const choices = (values: readonly string[]) => values.map((value) => [value, asSentence(value)] as const)

/** The value if it is a known one. */
function among<Value extends string>(values: readonly Value[], value: string): Value | undefined {
  return values.find((each) => each === value)
}

/** Orders of all installations. */
export function OrdersPage() {
  const [status, setStatus] = useParameter('status')
  const [paymentStatus, setPaymentStatus] = useParameter('payment')
  const [fulfillmentStatus, setFulfillmentStatus] = useParameter('goods')
  const [environment, setEnvironment] = useParameter('environment')
  const [customerId] = useParameter('customer')
  const filter = (title: string, value: string, change: (value: string) => void, values: readonly string[]) => (
    <Select name={title} label={title} value={value} onChange={change} options={[['', 'All'], ...choices(values)]} />
  )
  return (
    <ListPage
      title="Orders"
      lead="Orders from all installations. Search by order number, email address, or ID (exact match)."
      actions={
        <Link to="/orders/import" class="button">
          Import orders
        </Link>
      }
      filters={
        <>
          {filter('Status', status, setStatus, ORDER_STATUSES)}
          {filter('Payment', paymentStatus, setPaymentStatus, ORDER_PAYMENT_STATUSES)}
          {filter('Fulfillment', fulfillmentStatus, setFulfillmentStatus, ORDER_FULFILLMENT_STATUSES)}
          {filter('Environment', environment, setEnvironment, ['live', 'test'])}
          <ActiveFilter name="customer" label="customer" />
        </>
      }
      load={(query) =>
        call('listOrders', {
          query: {
            ...query,
            status: among(ORDER_STATUSES, status),
            paymentStatus: among(ORDER_PAYMENT_STATUSES, paymentStatus),
            fulfillmentStatus: among(ORDER_FULFILLMENT_STATUSES, fulfillmentStatus),
            environment: among(['live', 'test'], environment),
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
