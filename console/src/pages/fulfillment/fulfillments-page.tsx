import { FULFILLMENT_STATUSES, type OperatorFulfillment } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { pickColumn } from '../../ui/list/pick-column.tsx'
import '../orders/orders.css'
import { storeName } from '../../stores.ts'
import { PackingSelection } from '../orders/packing-selection.tsx'
import { shipmentStatus } from '../orders/shipments.tsx'
import { ShipMany } from './ship-many.tsx'

const columns: readonly Column<OperatorFulfillment>[] = [
  { title: translate('Order'), show: ({ orderNumber }) => orderNumber },
  { title: translate('Status'), show: ({ status }) => <Status value={shipmentStatus(status)} /> },
  { title: translate('Store'), show: ({ store }) => storeName(store.slug) },
  {
    title: translate('Method'),
    show: ({ method }) => (method === 'digital' ? translate('Digital delivery') : translate('Manual fulfillment')),
  },
  { title: translate('Items'), numeric: true, show: ({ units }) => <Count value={units} /> },
  { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
  {
    title: translate('Note'),
    show: ({ waitingFor, note }) =>
      note ?? (waitingFor ? translate('Waiting for license keys: {keys}', { keys: waitingFor }) : ''),
  },
]

/** Items to ship, and the status of shipments. Several can be packed and shipped at once. */
export function FulfillmentsPage() {
  const environment = useEnvironment()
  const [wanted, setStatus] = useQueryParameter('status')
  const status = FULFILLMENT_STATUSES.find((each) => each === wanted) ?? 'pending'
  const [selected, setSelected] = useState<readonly OperatorFulfillment[]>([])
  const [shown, setShown] = useState<readonly OperatorFulfillment[]>([])
  const [isShipping, setIsShipping] = useState(false)
  const [round, setRound] = useState(0)
  const mayShip = useMay()('shipOrder')
  const open = shown.filter(isShippable)
  const pick = pickColumn<OperatorFulfillment>({
    idOf: ({ id }) => id,
    nameOf: ({ orderNumber }) => orderNumber,
    isPickable: isShippable,
    selected,
    onChange: setSelected,
  })
  const list = (
    <ListPage
      key={`${environment} ${round}`}
      title={translate('Fulfillment')}
      lead={translate('Items that customers have paid for, and the status of their shipments. Longest waiting first.')}
      searchable={false}
      filters={
        <>
          <Select
            name="status"
            label={translate('Status')}
            value={status}
            onChange={(value) => {
              setSelected([])
              setStatus(value === 'pending' ? '' : value)
            }}
            options={FULFILLMENT_STATUSES.map((each) => [
              each,
              each === 'pending' ? translate('To ship') : sentenceCase(shipmentStatus(each)),
            ])}
          />
          {mayShip && open.length > 0 && (
            <button type="button" onClick={() => setSelected(open)}>
              {translate('Select all {count}', { count: open.length })}
            </button>
          )}
        </>
      }
      load={async ({ cursor }) => {
        const page = await call('listFulfillments', { query: { cursor, status, environment } })
        setShown(page.items)
        return page
      }}
      columns={status === 'pending' && mayShip ? [pick, ...columns] : columns}
      keyOf={({ id }) => id}
      to={({ orderId }) => `/orders/${orderId}`}
      empty={{ title: translate('Nothing to ship'), hint: translate('Items appear here once their order is paid.') }}
    />
  )
  return (
    <>
      {list}
      <PackingSelection orderIds={selected.map(({ orderId }) => orderId)} onClear={() => setSelected([])}>
        <button type="button" class="primary" onClick={() => setIsShipping(true)}>
          {translate('Ship')}
        </button>
      </PackingSelection>
      {isShipping && (
        <ShipMany
          rows={selected}
          onClose={(shipped) => {
            setIsShipping(false)
            if (shipped === 0) return
            setSelected([])
            setRound(round + 1)
          }}
        />
      )}
    </>
  )
}

/** License keys are delivered automatically. */
function isShippable({ status, method }: OperatorFulfillment): boolean {
  return status === 'pending' && method === 'manual'
}
