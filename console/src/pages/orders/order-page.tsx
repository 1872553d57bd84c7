import type { OperatorOrder } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironmentOf } from '../../environment.ts'
import { translate, translateElements } from '../../language.ts'
import { useMay } from '../../may.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { AuditLink } from '../../ui/audit-link.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { Disputes } from '../payments/disputes.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderCustomer, OrderShipping } from './order-customer.tsx'
import { OrderHistory } from './order-history.tsx'
import { OrderInvoices } from './order-invoices.tsx'
import { OrderItems, unitNames } from './order-items.tsx'
import { OrderPayment } from './order-payment.tsx'
import { OrderTags } from './order-tags.tsx'
import './orders.css'
import { ResendMail } from './resend-mail.tsx'
import { Shipments } from './shipments.tsx'

const back = { to: '/orders', title: translate('Orders') }

/** One order: items, payment, shipments, requests, timeline and customer. */
export function OrderPage({ params }: PageProps) {
  const orderId = params.orderId ?? ''
  const { data, error, reload } = useCall(orderId, () => call('getOrder', { params: { orderId } }))
  useEnvironmentOf(data?.environment)
  if (!data) return <LoadingPage error={error} retry={reload} />
  const { order } = data
  const actions = (
    <>
      <OrderActions order={data} onDone={reload} />
      <Link to={`/orders/packing-slips?orders=${orderId}`} class="button">
        {translate('Packing slip')}
      </Link>
      <ResendMail order={data} onDone={reload} />
    </>
  )
  const heads = [
    [translate('Status'), <Status key="s" value={order.status} />],
    [translate('Payment'), <Status key="p" value={order.paymentStatus} />],
    [translate('Fulfillment'), <Status key="f" value={order.fulfillmentStatus} />],
    [translate('Placed'), <DateTime key="d" at={order.placedAt} />],
  ] as const
  return (
    <Page title={order.number} back={back} actions={actions}>
      <dl class="order-head">
        {heads.map(([name, value]) => (
          <div key={name}>
            <dt class="hidden">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="order">
        <div>
          <Disputes disputes={data.disputes} />
          <OrderItems order={data} />
          <OrderPayment order={data} onDone={reload} />
          <Shipments order={data} onDone={reload} />
          <Requests order={data} />
          {!data.isShare && <OrderHistory order={data} onDone={reload} />}
        </div>
        <div>
          <OrderCustomer order={data} />
          <OrderShipping order={data} />
          {!data.isShare && <OrderTags order={data} onDone={reload} />}
          <Details order={data} />
          <OrderInvoices orderId={orderId} version={data.order.version} />
        </div>
      </div>
    </Page>
  )
}

function Details({ order: { order, installation, stores } }: { readonly order: OperatorOrder }) {
  const may = useMay()
  return (
    <Section title={translate('Details')} actions={<AuditLink subject={order.id} />}>
      <DescriptionList
        items={[
          [translate('Stores'), stores.map(({ name }) => name).join(', ')],
          [
            translate('Installation'),
            may('getInstallation') ? (
              <Link to={`/installations/${installation.id}`}>{installation.name}</Link>
            ) : (
              installation.name
            ),
          ],
          [translate('Source'), sentenceCase(order.source)],
          [translate('Language'), languageName(order.locale)],
          [
            translate('Accepted documents'),
            order.acceptedDocuments.map(({ type, version }) => `${sentenceCase(type)} ${version}`).join(', ') ||
              translate('None'),
          ],
          ['ID', <code key="i">{order.id}</code>],
        ]}
      />
    </Section>
  )
}

/** Cancellation and return requests. */
function Requests({ order: { order, cancellations, afterSales } }: { readonly order: OperatorOrder }) {
  if (cancellations.length + afterSales.length === 0) return null
  return (
    <Section title={translate('Requests')}>
      <ul class="plain">
        {cancellations.map(({ cancellation, note }) => (
          <li key={cancellation.id}>
            <p>
              {translateElements('{status} {scope}, {reason}, {amount}', {
                status: <Status value={cancellation.status} />,
                scope:
                  cancellation.scope === 'full'
                    ? translate('Cancellation of all items')
                    : translate('Cancellation of items'),
                reason: sentenceCase(cancellation.reason),
                amount: <Amount {...cancellation.refund.amount} />,
              })}
              {note && ` “${note}”`}
              {cancellation.status === 'requested' && (
                <>
                  {' '}
                  <Link to="/cancellations">{translate('Review')}</Link>
                </>
              )}
            </p>
            {cancellation.scope === 'partial' && <p class="small">{unitNames(order, cancellation.lines)}</p>}
          </li>
        ))}
        {afterSales.map(({ request }) => (
          <li key={request.id}>
            <p>
              <Status value={request.status} />{' '}
              <Link to={`/returns/${request.id}`}>
                {sentenceCase(request.kind)}, {sentenceCase(request.reasonCode)}
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
