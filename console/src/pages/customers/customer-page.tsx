import type { OperatorCustomer, OperatorOrderSummary } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { inWords } from '../../ui/format/text.ts'
import { Amount, Count, Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'

const back = { to: '/customers', title: 'Customers' }

/** One customer: profile, orders and account status. */
export function CustomerPage({ params }: PageProps) {
  const customerId = params.customerId ?? ''
  const { answer, error, reload } = useCall(customerId, () => call('getCustomer', { params: { customerId } }))
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const name = [answer.firstName, answer.lastName].filter(Boolean).join(' ')
  return (
    <Page title={name || answer.email} back={back} actions={<Actions customer={answer} onDone={reload} />}>
      <Section title="Overview" actions={<Link to={`/audit-log?subject=${customerId}`}>Audit log</Link>}>
        <Facts
          facts={[
            ['Status', <Status key="s" value={answer.status} />],
            ['Email', <a href={`mailto:${answer.email}`}>{answer.email}</a>],
            ['Name', name || 'Not provided'],
            ['Language', languageName(answer.locale)],
            ['Active sessions', <Count key="n" value={answer.sessions} />],
            ['Email marketing', answer.marketingConsent ? 'Subscribed' : 'Not subscribed'],
            [
              'Accepted documents',
              answer.acceptedDocuments.map(({ type, version }) => `${inWords(type)} ${version}`).join(', ') || 'None',
            ],
            ['Created', <When key="w" at={answer.createdAt} />],
            ['ID', <code key="i">{answer.id}</code>],
          ]}
        />
      </Section>
      <Orders customerId={customerId} />
    </Page>
  )
}

const columns: readonly Column<OperatorOrderSummary>[] = [
  { title: 'Order', show: ({ order }) => order.number },
  { title: 'Date', show: ({ order }) => <When at={order.placedAt} /> },
  { title: 'Status', show: ({ order }) => <Status value={order.status} /> },
  { title: 'Payment', show: ({ order }) => <Status value={order.paymentStatus} /> },
  { title: 'Total', figure: true, show: ({ order }) => <Amount {...order.total} /> },
]

function Orders({ customerId }: { readonly customerId: string }) {
  const { answer, error, reload } = useCall(customerId, () => call('listOrders', { query: { customerId, limit: 20 } }))
  return (
    <Section title="Orders" actions={<Link to={`/orders?customer=${customerId}`}>View all</Link>}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {answer?.items.length === 0 && <Empty title="No orders yet" hint="Orders placed while signed in appear here." />}
      {answer && (
        <Table
          caption="Orders"
          items={answer.items}
          columns={columns}
          keyOf={({ order }) => order.id}
          to={({ order }) => `/orders/${order.id}`}
        />
      )}
    </Section>
  )
}

function Actions({ customer, onDone }: { readonly customer: OperatorCustomer; readonly onDone: () => void }) {
  const { failed, busy, act } = useAct(onDone)
  const input = { params: { customerId: customer.id }, body: {} }
  return (
    <>
      {failed ? <ErrorNotice error={failed} /> : null}
      {customer.sessions > 0 && (
        <button type="button" disabled={busy} onClick={() => void act(() => call('endCustomerSessions', input))}>
          Sign out everywhere
        </button>
      )}
      {customer.status === 'active' ? (
        <button
          type="button"
          class="danger"
          disabled={busy}
          onClick={() =>
            confirm(
              'Disable this customer? They are signed out immediately and cannot sign in. Their orders are kept.',
            ) && void act(() => call('disableCustomer', input))
          }
        >
          Disable
        </button>
      ) : (
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => void act(() => call('enableCustomer', input))}
        >
          Enable
        </button>
      )}
    </>
  )
}
