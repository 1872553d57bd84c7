import type { OperatorCustomer, OperatorOrderSummary } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, Count, DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { LoadingPage } from '../../ui/loading.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { DangerButton } from '../../ui/question.tsx'

const back = { to: '/customers', title: translate('Customers') }

/** One customer: profile, orders and account status. */
export function CustomerPage({ params }: PageProps) {
  const customerId = params.customerId ?? ''
  const { data, error, reload } = useCall(customerId, () => call('getCustomer', { params: { customerId } }))
  if (!data) return <LoadingPage error={error} retry={reload} />
  const name = [data.firstName, data.lastName].filter(Boolean).join(' ')
  return (
    <Page title={name || data.email} back={back} actions={<Actions customer={data} onDone={reload} />}>
      <Section
        title={translate('Overview')}
        actions={
          <>
            <Allowed by="previewErasure">
              <Link to={`/privacy-requests?person=${customerId}`}>{translate('Export or erase')}</Link>
            </Allowed>
            <AuditLink subject={customerId} />
          </>
        }
      >
        <DescriptionList
          items={[
            [translate('Status'), <Status key="s" value={data.status} />],
            [translate('Email'), <a href={`mailto:${data.email}`}>{data.email}</a>],
            [translate('Name'), name || translate('Not provided')],
            [translate('Language'), languageName(data.locale)],
            [translate('Active sessions'), <Count key="n" value={data.sessions} />],
            [translate('Email marketing'), <Consent key="m" customer={data} />],
            [
              translate('Accepted documents'),
              data.acceptedDocuments.map(({ type, version }) => `${sentenceCase(type)} ${version}`).join(', ') ||
                translate('None'),
            ],
            [translate('Created'), <DateTime key="w" at={data.createdAt} />],
            ['ID', <code key="i">{data.id}</code>],
          ]}
        />
      </Section>
      <Orders customerId={customerId} />
    </Page>
  )
}

const SOURCES = {
  registration: translate('at registration'),
  account: translate('in their account'),
  operator: translate('by an operator'),
} as const

/** The consent to marketing, and its record. */
function Consent({ customer: { marketingConsent, consents = [] } }: { readonly customer: OperatorCustomer }) {
  return (
    <>
      {marketingConsent ? translate('Subscribed') : translate('Not subscribed')}
      {consents.length > 0 && (
        <ul class="small">
          {consents.map(({ at, given, source }) => (
            <li key={at}>
              {given ? translate('Given') : translate('Withdrawn')} {SOURCES[source]}, <DateTime at={at} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const columns: readonly Column<OperatorOrderSummary>[] = [
  { title: translate('Order'), show: ({ order }) => order.number },
  { title: translate('Date'), show: ({ order }) => <DateTime at={order.placedAt} /> },
  { title: translate('Status'), show: ({ order }) => <Status value={order.status} /> },
  { title: translate('Payment'), show: ({ order }) => <Status value={order.paymentStatus} /> },
  { title: translate('Total'), numeric: true, show: ({ order }) => <Amount {...order.total} /> },
]

function Orders({ customerId }: { readonly customerId: string }) {
  const environment = useEnvironment()
  const { data, error, reload } = useCall(`${environment} ${customerId}`, () =>
    call('listOrders', { query: { customerId, environment, limit: 20 } }),
  )
  return (
    <Section
      title={translate('Orders')}
      actions={<Link to={`/orders?customer=${customerId}`}>{translate('View all')}</Link>}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data?.items.length === 0 && (
        <Empty title={translate('No orders yet')} hint={translate('Orders placed while signed in appear here.')} />
      )}
      {data && (
        <Table
          caption={translate('Orders')}
          items={data.items}
          columns={columns}
          keyOf={({ order }) => order.id}
          to={({ order }) => `/orders/${order.id}`}
        />
      )}
    </Section>
  )
}

function Actions({ customer, onDone }: { readonly customer: OperatorCustomer; readonly onDone: () => void }) {
  const { actionError, busy, run } = useAction(onDone)
  const input = { params: { customerId: customer.id }, body: {} }
  return (
    <>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {customer.sessions > 0 && (
        <Allowed by="endCustomerSessions">
          <button type="button" disabled={busy} onClick={() => void run(() => call('endCustomerSessions', input))}>
            {translate('Sign out everywhere')}
          </button>
        </Allowed>
      )}
      {customer.marketingConsent && (
        <Allowed by="withdrawCustomerConsent">
          <button type="button" disabled={busy} onClick={() => void run(() => call('withdrawCustomerConsent', input))}>
            {translate('Withdraw consent to marketing')}
          </button>
        </Allowed>
      )}
      {customer.status === 'active' ? (
        <Allowed by="disableCustomer">
          <DangerButton
            disabled={busy}
            question={{
              title: translate('Disable this customer?'),
              consequences: translate('They are signed out immediately and cannot sign in. Their orders are kept.'),
              action: translate('Disable'),
            }}
            onYes={() => run(() => call('disableCustomer', input))}
          />
        </Allowed>
      ) : (
        <Allowed by="enableCustomer">
          <button
            type="button"
            class="primary"
            disabled={busy}
            onClick={() => void run(() => call('enableCustomer', input))}
          >
            {translate('Enable')}
          </button>
        </Allowed>
      )}
    </>
  )
}
