import type { OperatorPayment, OperatorPaymentHistory } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { inWords } from '../../ui/format/text.ts'
import { Amount, amountText, Count, Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { providerName } from './provider-name.ts'

const back = { to: '/payments', title: 'Payments' }

/** One payment: where it stands, what was asked of its provider, and what came back. */
export function PaymentPage({ params }: PageProps) {
  const paymentId = params.paymentId ?? ''
  const { answer, error, reload } = useCall(paymentId, () => call('getPayment', { params: { paymentId } }))
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  const { payment, attempts, refunds } = answer
  return (
    <Page
      title={`${payment.kind === 'charge' ? 'Payment' : 'Refund'} of ${amountText(payment.amount)}`}
      back={back}
      actions={<Actions payment={payment} onDone={reload} />}
    >
      {payment.status === 'unknown' && (
        <Notice>
          <p>
            Nobody knows yet whether the money has moved, so nothing more is decided about it. It is looked up by itself
            until the provider says.
          </p>
        </Notice>
      )}
      <Section title="Standing" actions={<Link to={`/audit-log?subject=${paymentId}`}>Who changed it</Link>}>
        <Facts facts={factsOf(answer)} />
      </Section>
      <Section title="What the provider was asked">
        {attempts.length === 0 && <Empty title="Nothing yet" hint="It is sent as soon as a worker has a hand free." />}
        <Table caption="Attempts" items={attempts} columns={attemptColumns} keyOf={({ number }) => String(number)} />
      </Section>
      {payment.kind === 'charge' && (
        <Section title="What was given back of it">
          {refunds.length === 0 && <Empty title="Nothing" hint="Refunds of this payment show here." />}
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
    ['State', <Status key="s" value={payment.status} />],
    ['Amount', <Amount key="a" {...payment.amount} />],
    ...(payment.kind === 'charge' ? [['Asked back', <Amount key="b" {...payment.refundAsked} />] as const] : []),
    ['For', inWords(payment.purpose)],
    ...(orderId ? [['Order', <OrderLink key="o" orderId={orderId} />] as const] : []),
    ...(chargeId ? [['Of', <Link to={`/payments/${chargeId}`}>the payment</Link>] as const] : []),
    ['By', providerName(payment.provider)],
    ['At the step', inWords(payment.step)],
    ...(providerReference ? [['Provider calls it', <code key="p">{providerReference}</code>] as const] : []),
    ...(failureCode ? [['Not taken, because', inWords(failureCode)] as const] : []),
    ['Looked up', <Count key="l" value={payment.looks} />],
    ...(dueAt ? [['Next look', <When key="d" at={dueAt} />] as const] : []),
    ['Begun', <When key="c" at={payment.createdAt} />],
    ...(endedAt ? [['Ended', <When key="e" at={endedAt} />] as const] : []),
    ['Environment', payment.environment],
    ['Installation', <InstallationLink key="n" installationId={installationId} />],
    ['Id', <code key="i">{payment.id}</code>],
  ] as const
}

/** The order by the number that people say. */
function OrderLink({ orderId }: { readonly orderId: string }) {
  const { answer } = useCall(orderId, () => call('getOrder', { params: { orderId } }))
  return <Link to={`/orders/${orderId}`}>{answer?.order.number ?? 'its order'}</Link>
}

function InstallationLink({ installationId }: { readonly installationId: string }) {
  const { answer } = useCall(installationId, () => call('getInstallation', { params: { installationId } }))
  return <Link to={`/installations/${installationId}`}>{answer?.name ?? 'its installation'}</Link>
}

type Attempt = OperatorPaymentHistory['attempts'][number]
const attemptColumns: readonly Column<Attempt>[] = [
  { title: 'No.', figure: true, show: ({ number }) => number },
  { title: 'Asked', show: ({ action, step }) => (action === 'send' ? inWords(step) : `look up: ${inWords(step)}`) },
  { title: 'When', show: ({ sentAt }) => <When at={sentAt} /> },
  { title: 'Answer', show: ({ answer }) => <Status value={answer ?? 'unknown'} /> },
  { title: 'Said', wide: true, show: ({ detail }) => detail ?? '' },
]

const refundColumns: readonly Column<OperatorPayment>[] = [
  { title: 'For', show: ({ purpose }) => inWords(purpose) },
  { title: 'State', show: ({ status }) => <Status value={status} /> },
  { title: 'Begun', show: ({ createdAt }) => <When at={createdAt} /> },
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
          Look it up now
        </button>
      )}
      {payment.allowed.includes('confirm') && (
        <>
          <button
            type="button"
            class="primary"
            disabled={busy}
            onClick={() =>
              confirmAs('done', `Has ${amountText(payment.amount)} ${isCharge ? 'come' : 'been paid back'}?`)
            }
          >
            {isCharge ? 'The money has come' : 'The money was paid back'}
          </button>
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => confirmAs('never', 'This cannot be taken back. Will the money never move?')}
          >
            {isCharge ? 'It will never come' : 'It cannot be paid back'}
          </button>
        </>
      )}
    </>
  )
}
