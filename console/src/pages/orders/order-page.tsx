import type { Address } from '@vitrine/contract'
import type { OperatorOrder } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironmentOf } from '../../environment.ts'
import { translate, translateElements } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { countryName } from '../../ui/format/display-names.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { Disputes } from '../payments/disputes.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderInvoices } from './order-invoices.tsx'
import { OrderPayment } from './order-payment.tsx'
import { Shipments } from './shipments.tsx'

const back = { to: '/orders', title: translate('Orders') }

/** One order: items, payment, shipments and actions. */
export function OrderPage({ params }: PageProps) {
  const orderId = params.orderId ?? ''
  const { data, error, reload } = useCall(orderId, () => call('getOrder', { params: { orderId } }))
  useEnvironmentOf(data?.environment)
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">{translate('Loading…')}</p>
  const { order } = data
  return (
    <Page title={order.number} back={back} actions={<OrderActions order={data} onDone={reload} />}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <Section
        title={translate('Overview')}
        actions={<Link to={`/audit-log?subject=${orderId}`}>{translate('Audit log')}</Link>}
      >
        <Overview order={data} />
      </Section>
      <Section title={translate('Items')}>
        <Table caption={translate('Lines')} items={order.lines} columns={lineColumns} keyOf={({ id }) => id} />
      </Section>
      <Disputes disputes={data.disputes} />
      <OrderPayment order={data} onDone={reload} />
      <OrderInvoices orderId={orderId} version={data.order.version} />
      <Shipments order={data} onDone={reload} />
      <Requests order={data} />
      <Section title={translate('Addresses')}>
        <DescriptionList
          items={[
            [translate('Shipping address'), <AddressLines key="s" address={order.addresses.shipping} />],
            [
              translate('Billing address'),
              <AddressLines key="b" address={order.addresses.billing ?? order.addresses.shipping} />,
            ],
          ]}
        />
        <VatCheck check={data.vatCheck} />
      </Section>
      <Section title={translate('Timeline')}>
        <Timeline entries={order.timeline} />
      </Section>
    </Page>
  )
}

function Overview({ order: { order, installation, email } }: { readonly order: OperatorOrder }) {
  const { customer } = order
  return (
    <DescriptionList
      items={[
        [translate('Status'), <Status key="o" value={order.status} />],
        [translate('Payment'), <Status key="p" value={order.paymentStatus} />],
        [translate('Fulfillment'), <Status key="g" value={order.fulfillmentStatus} />],
        [translate('Total'), <Amount key="t" {...order.totals.total} />],
        [translate('Customer'), customer.id ? <Link to={`/customers/${customer.id}`}>{email}</Link> : email],
        [translate('Placed'), <DateTime key="w" at={order.placedAt} />],
        [translate('Installation'), <Link to={`/installations/${installation.id}`}>{installation.name}</Link>],
        [translate('Source'), sentenceCase(order.source)],
        [
          translate('Accepted documents'),
          order.acceptedDocuments.map(({ type, version }) => `${sentenceCase(type)} ${version}`).join(', ') ||
            translate('None'),
        ],
        ['ID', <code key="i">{order.id}</code>],
      ]}
    />
  )
}

type Line = OperatorOrder['order']['lines'][number]
const lineColumns: readonly Column<Line>[] = [
  { title: translate('Product'), wide: true, show: ({ name }) => name },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  {
    title: translate('Quantity'),
    numeric: true,
    show: ({ quantity: { ordered, current } }) =>
      current === ordered ? ordered : translate('{current} of {ordered}', { current, ordered }),
  },
  { title: translate('Shipped'), numeric: true, show: ({ quantity }) => quantity.fulfilled },
  { title: translate('Returned'), numeric: true, show: ({ quantity }) => quantity.returned },
  { title: translate('Price'), numeric: true, show: ({ unitPrice }) => <Amount {...unitPrice} /> },
  { title: translate('Total'), numeric: true, show: ({ total }) => <Amount {...total} /> },
]

/** Cancellation and return requests. */
function Requests({ order: { cancellations, afterSales } }: { readonly order: OperatorOrder }) {
  return (
    <Section title={translate('Requests')}>
      {cancellations.length + afterSales.length === 0 && (
        <Empty
          title={translate('No requests')}
          hint={translate('Cancellations, returns, and repairs for this order appear here.')}
        />
      )}
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

const VAT_OUTCOMES: Readonly<Record<NonNullable<OperatorOrder['vatCheck']>['outcome'], string>> = {
  valid: translate('Registered'),
  invalid: translate('Not registered: taxed as a consumer'),
  unanswered: translate('The registry did not answer: form and check digits were enough'),
}

/** What the registry said about the buyer's VAT number when the order was placed. */
function VatCheck({ check }: { readonly check: OperatorOrder['vatCheck'] }) {
  if (!check) return null
  const { vatId, outcome, name, address, consultationNumber, checkedAt } = check
  return (
    <DescriptionList
      items={[
        ['VAT number', <code key="v">{vatId}</code>],
        ['VIES', VAT_OUTCOMES[outcome]],
        [translate('Checked'), <DateTime key="c" at={checkedAt} />],
        [translate('Registered name'), name ?? translate('Not disclosed')],
        [translate('Registered address'), address ?? translate('Not disclosed')],
        [translate('Consultation number'), consultationNumber ?? translate('None')],
      ]}
    />
  )
}

/** An address as on a shipping label. */
function AddressLines({ address }: { readonly address: Address | undefined }) {
  if (!address) return <>{translate('None')}</>
  const { recipientName, company, line1, line2, line3, dependentLocality, postalCode, city, region } = address
  const lines = [
    recipientName,
    company,
    line1,
    line2,
    line3,
    dependentLocality,
    [postalCode, city].filter(Boolean).join(' '),
    [region, countryName(address.countryCode)].filter(Boolean).join(', '),
    address.phone,
    address.vatId && translate('VAT number {vatId}', { vatId: address.vatId }),
  ].filter(Boolean)
  return (
    <address>
      {lines.map((line, index) => (
        <span key={`${line}${index}`}>
          {line}
          <br />
        </span>
      ))}
    </address>
  )
}
