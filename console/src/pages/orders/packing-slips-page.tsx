import type { OperatorOrder } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Loading } from '../../ui/loading.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { addressLinesOf, TextLines } from './order-customer.tsx'
import './orders.css'
import { slipWords } from './packing-slip-words.ts'

const back = { to: '/fulfillment', title: translate('To ship') }

type Store = OperatorOrder['stores'][number]
type Unit = { readonly line: OperatorOrder['order']['lines'][number]; readonly quantity: number }

/** The packing slips of one or more orders, one page each, in the language of the order. */
export function PackingSlipsPage() {
  const [orders] = useQueryParameter('orders')
  const ids = orders.split(',').filter(Boolean)
  const { data, error, reload } = useCall(orders, () =>
    Promise.all(ids.map((orderId) => call('getOrder', { params: { orderId } }))),
  )
  const slips = (data ?? []).flatMap((order) =>
    order.stores
      .map((store) => ({ order, store, units: unitsToPack(order, store) }))
      .filter(({ units }) => units.length > 0),
  )
  return (
    <Page
      title={translate('Packing slips')}
      back={back}
      lead={translate('The items that still have to be packed, or all items if there is nothing left to ship.')}
      actions={
        <button type="button" class="primary" disabled={slips.length === 0} onClick={() => print()}>
          {translate('Print')}
        </button>
      }
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {!data && !error && <Loading />}
      {data && slips.length === 0 && (
        <Empty title={translate('Nothing to pack')} hint={translate('These orders have no items that are shipped.')} />
      )}
      {slips.map(({ order, store, units }) => (
        <Slip key={`${order.order.id} ${store.id}`} order={order} store={store} units={units} />
      ))}
    </Page>
  )
}

/** The items that a store still has to ship, or all current items if none are pending. */
function unitsToPack({ order: { lines }, fulfilments }: OperatorOrder, { id }: Store): readonly Unit[] {
  const manual = fulfilments.filter(({ store, method }) => store.id === id && method === 'manual')
  const pending = manual.filter(({ status }) => status === 'pending').flatMap((each) => each.lines)
  const isDigital = manual.length === 0 && fulfilments.some(({ store }) => store.id === id)
  if (isDigital) return []
  return lines
    .filter(({ storeId }) => storeId === id)
    .map((line) => {
      const waiting = pending
        .filter(({ lineId }) => lineId === line.id)
        .reduce((sum, { quantity }) => sum + quantity, 0)
      return { line, quantity: pending.length > 0 ? waiting : line.quantity.current }
    })
    .filter(({ quantity }) => quantity > 0)
}

interface SlipProps {
  readonly order: OperatorOrder
  readonly store: Store
  readonly units: readonly Unit[]
}

function Slip({ order: { order, environment }, store, units }: SlipProps) {
  const { language, words } = slipWords(order.locale)
  const { shipping } = order.addresses
  const method = order.shipping.find(({ storeId }) => storeId === store.id)?.name
  const country = shipping && new Intl.DisplayNames(language, { type: 'region' }).of(shipping.countryCode)
  return (
    <article class="slip" lang={language} aria-label={words.page(order.number, store.name)}>
      <header>
        <h2>{words.title}</h2>
        <p class="from">{store.name}</p>
      </header>
      {environment === 'test' && <p class="test-mark">{words.test}</p>}
      <div class="heads">
        {shipping && (
          <section>
            <h3>{words.shipTo}</h3>
            <TextLines lines={addressLinesOf(shipping, country)} />
          </section>
        )}
        <dl>
          <div>
            <dt>{words.order}</dt>
            <dd>{order.number}</dd>
          </div>
          <div>
            <dt>{words.date}</dt>
            <dd>{new Intl.DateTimeFormat(order.locale, { dateStyle: 'long' }).format(new Date(order.placedAt))}</dd>
          </div>
          {method && (
            <div>
              <dt>{words.shipping}</dt>
              <dd>{method}</dd>
            </div>
          )}
        </dl>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.item}</th>
            <th scope="col">{words.code}</th>
            <th scope="col" class="numeric">
              {words.quantity}
            </th>
          </tr>
        </thead>
        <tbody>
          {units.map(({ line, quantity }) => (
            <tr key={line.id}>
              <td>
                {line.name}
                {line.optionLabels.length > 0 && (
                  <span class="small">
                    {line.optionLabels.map(({ name, value }) => `${name}: ${value}`).join(', ')}
                  </span>
                )}
              </td>
              <td>{line.code}</td>
              <td class="numeric">{quantity}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {store.returnAddress && (
        <footer>
          <h3>{words.returns}</h3>
          <TextLines lines={store.returnAddress.split('\n')} />
        </footer>
      )}
    </article>
  )
}
