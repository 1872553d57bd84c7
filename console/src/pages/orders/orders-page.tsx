import { ORDER_FULFILLMENT_STATUSES, ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '@vitrine/contract'
import type { OperatorOrderSummary } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ActiveFilter } from '../../ui/list/active-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { pickColumn } from '../../ui/list/pick-column.tsx'
import { ExportOrders } from './export-orders.tsx'
import './orders.css'
import { PackingSelection } from './packing-selection.tsx'

const columns: readonly Column<OperatorOrderSummary>[] = [
  { title: translate('Order'), show: ({ order }) => <span class="order-number">{order.number}</span> },
  { title: translate('Date'), show: ({ order }) => <DateTime at={order.placedAt} /> },
  { title: translate('Status'), show: ({ order }) => <Status value={order.status} /> },
  { title: translate('Payment'), show: ({ order }) => <Status value={order.paymentStatus} /> },
  { title: translate('Fulfillment'), show: ({ order }) => <Status value={order.fulfillmentStatus} /> },
  {
    title: translate('Customer'),
    text: true,
    show: ({ email, tags }) => (
      <>
        {email}
        <TagList tags={tags} />
      </>
    ),
  },
  { title: translate('Total'), numeric: true, show: ({ order }) => <Amount {...order.total} /> },
]

/** Tags of an order, without a button. */
function TagList({ tags }: Pick<OperatorOrderSummary, 'tags'>) {
  if (tags.length === 0) return null
  return (
    <ul class="tags">
      {tags.map((tag) => (
        <li key={tag} class="tag">
          {tag}
        </li>
      ))}
    </ul>
  )
}

const choices = (values: readonly string[]) => values.map((value) => [value, sentenceCase(value)] as const)

/** The value if it is one of the list. */
function knownValue<Value extends string>(values: readonly Value[], value: string): Value | undefined {
  return values.find((each) => each === value)
}

const NONE = {
  title: translate('No orders yet'),
  hint: translate('Orders appear here once a shopper pays. You can also import orders from another system.'),
}

const filter = (title: string, value: string, change: (value: string) => void, values: readonly string[]) => (
  <Select
    name={title}
    label={title}
    value={value}
    onChange={change}
    options={[['', translate('All')], ...choices(values)]}
  />
)

/** Orders of all installations. */
export function OrdersPage() {
  const [status, setStatus] = useQueryParameter('status')
  const [paymentStatus, setPaymentStatus] = useQueryParameter('payment')
  const [fulfillmentStatus, setFulfillmentStatus] = useQueryParameter('goods')
  const environment = useEnvironment()
  const [customerId] = useQueryParameter('customer')
  const [tag, setTag] = useQueryParameter('tag')
  const [refunds] = useQueryParameter('refunds')
  const [selected, setSelected] = useState<readonly OperatorOrderSummary[]>([])
  const { data: known } = useCall('order-tags', () => call('listOrderTags'))
  // The tag in the URL may no longer be on any order.
  const tags = [...new Set([...(known?.items ?? []), ...(tag ? [tag] : [])])]
  const [q] = useQueryParameter('q')
  const filters = {
    q: q || undefined,
    refunds: knownValue(['failed'], refunds),
    status: knownValue(ORDER_STATUSES, status),
    paymentStatus: knownValue(ORDER_PAYMENT_STATUSES, paymentStatus),
    fulfillmentStatus: knownValue(ORDER_FULFILLMENT_STATUSES, fulfillmentStatus),
    environment,
    customerId: customerId || undefined,
    tag: tag || undefined,
  }
  const pick = pickColumn<OperatorOrderSummary>({
    idOf: ({ order }) => order.id,
    nameOf: ({ order }) => order.number,
    selected,
    onChange: setSelected,
  })
  return (
    <>
      <ListPage
        title={translate('Orders')}
        lead={translate('Orders from all installations. Search by order number, email address, or ID (exact match).')}
        actions={
          <>
            <Allowed by="exportOrders">
              <ExportOrders filters={filters} />
            </Allowed>
            <Allowed by="importOrders">
              <Link to="/orders/import" class="button">
                {translate('Import orders')}
              </Link>
            </Allowed>
          </>
        }
        filters={
          <>
            {filter(translate('Status'), status, setStatus, ORDER_STATUSES)}
            {filter(translate('Payment'), paymentStatus, setPaymentStatus, ORDER_PAYMENT_STATUSES)}
            {filter(translate('Fulfillment'), fulfillmentStatus, setFulfillmentStatus, ORDER_FULFILLMENT_STATUSES)}
            {tags.length > 0 && (
              <Select
                name="tag"
                label={translate('Tag')}
                value={tag}
                onChange={setTag}
                options={[['', translate('All')], ...tags.map((each) => [each, each] as const)]}
              />
            )}
            <ActiveFilter name="customer" label={translate('customer')} />
            <ActiveFilter name="refunds" label={translate('failed refunds')} />
          </>
        }
        load={(query) => call('listOrders', { query: { ...query, ...filters } })}
        columns={[pick, ...columns]}
        keyOf={({ order }) => order.id}
        to={({ order }) => `/orders/${order.id}`}
        empty={NONE}
      />
      <PackingSelection orderIds={selected.map(({ order }) => order.id)} onClear={() => setSelected([])} />
    </>
  )
}
