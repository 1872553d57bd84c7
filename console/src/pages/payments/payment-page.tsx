import type { OperatorPayment, OperatorPaymentHistory } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { asSentence, inWords } from '../../ui/format/text.ts'
import { Amount, amountText, Count, Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { providerName } from './provider-name.ts'

const back = { to: '/payments', title: 'Payments' }

/** One payment: status, provider requests and refunds. */
export function PaymentPage({ params }: PageProps) {
  const paymentId = params.paymentId ?? ''
  const { answer, error, reload } = useCall(paymentId, () => call('getPayment', { params: { paymentId } }))
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { payment, attempts, refunds } = answer
  return (
    <Page
      title={`${payment.kind === 'charge' ? 'Payment' : 'Refund'}: ${amountText(payment.amount)}`}
      back={back}
      actions={<Actions payment={payment} onDone={reload} />}
    >
      {payment.status === 'unknown' && (
        <Notice>
          <p>The outcome of this payment is unknown. It is checked automatically until the provider responds.</p>
        </Notice>
      )}
      <Section title="Overview" actions={<Link to={`/audit-log?subject=${paymentId}`}>Audit log</Link>}>
        <Facts facts={factsOf(answer)} />
      </Section>
      <Section title="Provider requests">
        {attempts.length === 0 && <Empty title="No requests yet" hint="The request is sent within moments." />}
        <Table caption="Attempts" items={attempts} columns={attemptColumns} keyOf={({ number }) => String(number)} />
      </Section>
      {payment.kind === 'charge' && (
        <Section title="Refunds">
          {refunds.length === 0 && <Empty title="No refunds" hint="Refunds of this payment appear here." />}
          <Table
            caption="Refunds"
            items={refunds}
            columns={refundColumns}
            keyOf={({ id }) => id}
            to={({ id }) => `/payments/${id}`}
          />
        </Section>
      )}
    </Page>
  )
}

function factsOf({ payment, orderId }: OperatorPaymentHistory) {
  const { chargeId, failureCode, providerReference, dueAt, endedAt, installationId } = payment
  return [
    ['Status', <Status key="s" value={payment.status} />],
    ['Amount', <Amount key="a" {...payment.amount} />],
    ...(payment.kind === 'charge' ? [['Refund requested', <Amount key="b" {...payment.refundAsked} />] as const] : []),
    ['Purpose', asSentence(payment.purpose)],
    ...(orderId ? [['Order', <OrderLink key="o" orderId={orderId} />] as const] : []),
    ...(chargeId ? [['Payment', <Link to={`/payments/${chargeId}`}>View payment</Link>] as const] : []),
    ['Provider', providerName(payment.provider)],
    ['Step', asSentence(payment.step)],
    ...(providerReference ? [['Provider reference', <code key="p">{providerReference}</code>] as const] : []),
    ...(failureCode ? [['Failure reason', asSentence(failureCode)] as const] : []),
    ['Status checks', <Count key="l" value={payment.looks} />],
    ...(dueAt ? [['Next check', <When key="d" at={dueAt} />] as const] : []),
    ['Created', <When key="c" at={payment.createdAt} />],
    ...(endedAt ? [['Completed', <When key="e" at={endedAt} />] as const] : []),
    ['Environment', asSentence(payment.environment)],
    ['Installation', <InstallationLink key="n" installationId={installationId} />],
    ['ID', <code key="i">{payment.id}</code>],
  ] as const
}

/** The order by its number. */
function OrderLink({ orderId }: { readonly orderId: string }) {
  const { answer } = useCall(orderId, () => call('getOrder', { params: { orderId } }))
  return <Link to={`/orders/${orderId}`}>{answer?.order.number ?? 'View order'}</Link>
}

function InstallationLink({ installationId }: { readonly installationId: string }) {
  const { answer } = useCall(installationId, () => call('getInstallation', { params: { installationId } }))
  return <Link to={`/installations/${installationId}`}>{answer?.name ?? 'View installation'}</Link>
}

type Attempt = OperatorPaymentHistory['attempts'][number]
const attemptColumns: readonly Column<Attempt>[] = [
  { title: '#', figure: true, show: ({ number }) => number },
  { title: 'Request', show: ({ action, step }) => (action === 'send' ? asSentence(step) : `Check: ${inWords(step)}`) },
  { title: 'Time', show: ({ sentAt }) => <When at={sentAt} /> },
  { title: 'Response', show: ({ answer }) => <Status value={answer ?? 'unknown'} /> },
  { title: 'Details', wide: true, show: ({ detail }) => detail ?? '' },
]

const refundColumns: readonly Column<OperatorPayment>[] = [
  { title: 'Purpose', show: ({ purpose }) => asSentence(purpose) },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Created', show: ({ createdAt }) => <When at={createdAt} /> },
  { title: 'Amount', figure: true, show: ({ amount }) => <Amount {...amount} /> },
]

function Actions({ payment, onDone }: { readonly payment: OperatorPayment; readonly onDone: () => void }) {
  const { failed, busy, act } = useAct(onDone)
  const params = { paymentId: payment.id }
  const isCharge = payment.kind === 'charge'
  const confirmAs = (outcome: 'done' | 'never', question: string) => {
    if (confirm(question)) void act(() => call('confirmPayment', { params, body: { outcome } }))
  }
  return (
    <>
      {failed ? <ErrorNotice error={failed} /> : null}
      {payment.allowed.includes('reconcile') && (
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => void act(() => call('reconcilePayment', { params, body: {} }))}
        >
          Check now
        </button>
      )}
      {payment.allowed.includes('confirm') && (
        <>
          <button
            type="button"
            class="primary"
            disabled={busy}
            onClick={() =>
              confirmAs('done', `Confirm that ${amountText(payment.amount)} was ${isCharge ? 'received' : 'refunded'}?`)
            }
          >
            {isCharge ? 'Mark as received' : 'Mark as refunded'}
          </button>
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => confirmAs('never', 'This cannot be undone. Confirm that the money will not be transferred?')}
          >
            {isCharge ? 'Mark as not received' : 'Mark as not refunded'}
          </button>
        </>
      )}
    </>
  )
}
