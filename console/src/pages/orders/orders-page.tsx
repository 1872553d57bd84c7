import { ORDER_FULFILLMENT_STATUSES, ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '@vitrine/contract'
import type { OperatorOrderSummary } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { inWords } from '../../ui/format/text.ts'
import { Amount, Status, When } from '../../ui/format/values.tsx'
import { Narrowed } from '../../ui/list/active-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorOrderSummary>[] = [
  { title: 'Number', show: ({ order }) => order.number },
  { title: 'Placed', show: ({ order }) => <When at={order.placedAt} /> },
  { title: 'Order', show: ({ order }) => <Status value={order.status} /> },
  { title: 'Payment', show: ({ order }) => <Status value={order.paymentStatus} /> },
  { title: 'Goods', show: ({ order }) => <Status value={order.fulfillmentStatus} /> },
  { title: 'Buyer', text: true, show: ({ email }) => email },
  { title: 'Total', figure: true, show: ({ order }) => <Amount {...order.total} /> },
]

const words = (values: readonly string[]) => values.map((value) => [value, inWords(value)] as const)

/** The value among those that are known, or nothing. */
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
    <Select name={title} label={title} value={value} onChange={change} options={[['', 'all'], ...words(values)]} />
  )
  return (
    <ListPage
      title="Orders"
      lead="What was bought, of all installations. Look for a number, an e-mail address or an id, as a whole."
      actions={
        <Link to="/orders/import" class="button">
          Import orders
        </Link>
      }
      filters={
        <>
          {filter('Order', status, setStatus, ORDER_STATUSES)}
          {filter('Payment', paymentStatus, setPaymentStatus, ORDER_PAYMENT_STATUSES)}
          {filter('Goods', fulfillmentStatus, setFulfillmentStatus, ORDER_FULFILLMENT_STATUSES)}
          {filter('Environment', environment, setEnvironment, ['live', 'test'])}
          <Narrowed by="customer" to="One customer" />
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
        title: 'Nobody has bought anything yet',
        hint: 'As soon as a shopper pays, the order shows here. Orders of another system can be imported.',
      }}
    />
  )
}
