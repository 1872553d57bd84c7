import type { OperatorOperationId, OperatorPayment, OperatorPaymentHistory } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironmentOf } from '../../environment.ts'
import { translate, translateElements } from '../../language.ts'
import { useMay } from '../../may.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatDecimal, parseAmount } from '../../ui/form/amount-input.ts'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, Count, DateTime, formatAmount, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { LoadingPage } from '../../ui/loading.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { OrderLink } from '../../ui/order-link.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { askThen, DangerButton } from '../../ui/question.tsx'
import { Disputes } from './disputes.tsx'
import { providerName, purposeName, reasonName } from './payment-names.ts'

const back = { to: '/payments', title: translate('Payments') }

/** One payment: status, provider requests and refunds. */
export function PaymentPage({ params }: PageProps) {
  const paymentId = params.paymentId ?? ''
  const { data, error, reload } = useCall(paymentId, () => call('getPayment', { params: { paymentId } }))
  useEnvironmentOf(data?.payment.environment)
  if (!data) return <LoadingPage error={error} retry={reload} />
  const { payment, attempts, refunds, disputes } = data
  return (
    <Page
      title={`${payment.kind === 'charge' ? translate('Payment') : translate('Refund')}: ${formatAmount(payment.amount)}`}
      back={back}
      actions={<Actions payment={payment} onDone={reload} />}
    >
      {payment.status === 'unknown' && (
        <Notice>
          <p>
            {translate(
              'The outcome of this payment is unknown. It is checked automatically until the provider responds.',
            )}
          </p>
        </Notice>
      )}
      {payment.status === 'pending' && (
        <Notice>
          <p>
            {translate(
              'The shopper has paid by a method that takes days. The order is placed and its stock is held. It ships once the money has arrived, and is canceled if it does not.',
            )}
          </p>
        </Notice>
      )}
      {payment.status === 'authorized' && (
        <Notice>
          <p>
            {translate('The money is reserved. Capture it to fulfill the order, or release it to cancel the order.')}
            {payment.capturesAt && (
              <>
                {' '}
                {translateElements('It is captured automatically at {time}, before the reservation ends.', {
                  time: <DateTime at={payment.capturesAt} />,
                })}
              </>
            )}
          </p>
        </Notice>
      )}
      <Section title={translate('Overview')} actions={<AuditLink subject={paymentId} />}>
        <DescriptionList items={factsOf(data)} />
      </Section>
      <Disputes disputes={disputes} />
      <Section title={translate('Provider requests')}>
        {attempts.length === 0 && (
          <Empty title={translate('No requests yet')} hint={translate('The request is sent within moments.')} />
        )}
        <Table
          caption={translate('Attempts')}
          items={attempts}
          columns={attemptColumns}
          keyOf={({ number }) => String(number)}
        />
      </Section>
      {payment.kind === 'charge' && (
        <Section title={translate('Refunds')}>
          {refunds.length === 0 && (
            <Empty title={translate('No refunds')} hint={translate('Refunds of this payment appear here.')} />
          )}
          <Table
            caption={translate('Refunds')}
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

function factsOf({ payment }: OperatorPaymentHistory) {
  const { chargeId, failureCode, providerReference, dueAt, endedAt, installationId, captured, expiresAt } = payment
  return [
    [translate('Status'), <Status key="s" value={payment.status} />],
    [translate('Amount'), <Amount key="a" {...payment.amount} />],
    ...(captured ? [[translate('Captured'), <Amount key="z" {...captured} />] as const] : []),
    ...(expiresAt
      ? [
          [
            payment.status === 'authorized' ? translate('Reserved until') : translate('Awaited until'),
            <DateTime key="x" at={expiresAt} />,
          ] as const,
        ]
      : []),
    ...(payment.kind === 'charge'
      ? [[translate('Refund requested'), <Amount key="b" {...payment.refundAsked} />] as const]
      : []),
    [translate('Purpose'), purposeName(payment.purpose)],
    ...(payment.order ? [[translate('Order'), <OrderLink key="o" order={payment.order} />] as const] : []),
    ...(chargeId
      ? [[translate('Payment'), <Link to={`/payments/${chargeId}`}>{translate('View payment')}</Link>] as const]
      : []),
    [translate('Provider'), providerName(payment.provider)],
    [translate('Step'), sentenceCase(payment.step)],
    ...(providerReference
      ? [[translate('Provider reference'), <code key="p">{providerReference}</code>] as const]
      : []),
    ...(failureCode ? [[translate('Failure reason'), reasonName(failureCode)] as const] : []),
    [translate('Status checks'), <Count key="l" value={payment.looks} />],
    ...(dueAt ? [[translate('Next check'), <DateTime key="d" at={dueAt} />] as const] : []),
    [translate('Created'), <DateTime key="c" at={payment.createdAt} />],
    ...(endedAt ? [[translate('Completed'), <DateTime key="e" at={endedAt} />] as const] : []),
    [translate('Environment'), sentenceCase(payment.environment)],
    [
      translate('Installation'),
      <Allowed key="n" by="getInstallation">
        <InstallationLink installationId={installationId} />
      </Allowed>,
    ],
    ['ID', <code key="i">{payment.id}</code>],
  ] as const
}

function InstallationLink({ installationId }: { readonly installationId: string }) {
  const { data } = useCall(installationId, () => call('getInstallation', { params: { installationId } }))
  return <Link to={`/installations/${installationId}`}>{data?.name ?? translate('View installation')}</Link>
}

type Attempt = OperatorPaymentHistory['attempts'][number]
const attemptColumns: readonly Column<Attempt>[] = [
  { title: '#', numeric: true, show: ({ number }) => number },
  {
    title: translate('Request'),
    show: ({ action, step }) =>
      action === 'send' ? sentenceCase(step) : translate('Check: {step}', { step: sentenceCase(step) }),
  },
  { title: translate('Time'), show: ({ sentAt }) => <DateTime at={sentAt} /> },
  { title: translate('Response'), show: ({ answer }) => <Status value={answer ?? 'unknown'} /> },
  { title: translate('Details'), wide: true, show: ({ detail }) => detail ?? '' },
]

const refundColumns: readonly Column<OperatorPayment>[] = [
  { title: translate('Purpose'), show: ({ purpose }) => purposeName(purpose) },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
  { title: translate('Amount'), numeric: true, show: ({ amount }) => <Amount {...amount} /> },
]

type Step = OperatorPayment['allowed'][number]

/** The operation of each step. */
const OPERATIONS: Readonly<Record<Step, OperatorOperationId>> = {
  capture: 'capturePayment',
  release: 'releasePayment',
  reconcile: 'reconcilePayment',
  confirm: 'confirmPayment',
  reverse: 'confirmPayment',
}

function Actions({ payment, onDone }: { readonly payment: OperatorPayment; readonly onDone: () => void }) {
  const { actionError, busy, run } = useAction(onDone)
  const may = useMay()
  const can = (step: Step) => payment.allowed.includes(step) && may(OPERATIONS[step])
  const params = { paymentId: payment.id }
  const [isCapturing, setCapturing] = useState(false)
  // Also after Cancel: an attempt whose answer was lost may have captured the payment.
  const close = () => {
    setCapturing(false)
    onDone()
  }
  const confirmAs = (outcome: 'done' | 'never' | 'returned', title: string, consequences: string) => {
    askThen({ title, consequences, action: translate('Confirm'), danger: outcome !== 'done' }, () =>
      run(() => call('confirmPayment', { params, body: { outcome } })),
    )
  }
  return (
    <>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {can('capture') && (
        <button type="button" class="primary" disabled={busy} onClick={() => setCapturing(true)}>
          {translate('Capture')}
        </button>
      )}
      {can('release') && (
        <DangerButton
          disabled={busy}
          question={{
            title: translate('Release the money?'),
            consequences: translate('The shopper is not charged, and the order is canceled.'),
            action: translate('Release'),
          }}
          onYes={() => run(() => call('releasePayment', { params, body: {} }))}
        />
      )}
      {isCapturing && <Capture payment={payment} onClose={close} onDone={close} />}
      {can('reconcile') && (
        <button
          type="button"
          class={payment.status === 'authorized' ? '' : 'primary'}
          disabled={busy}
          onClick={() => void run(() => call('reconcilePayment', { params, body: {} }))}
        >
          {translate('Check now')}
        </button>
      )}
      {can('confirm') && <ConfirmButtons payment={payment} busy={busy} confirmAs={confirmAs} />}
      {can('reverse') && (
        <button
          type="button"
          class="danger"
          disabled={busy}
          onClick={() =>
            confirmAs(
              'returned',
              translate('Confirm that the bank has returned {amount}?', { amount: formatAmount(payment.amount) }),
              translate('The refund has failed, and the money is owed again. The customer is not informed.'),
            )
          }
        >
          {translate('Mark as returned by the bank')}
        </button>
      )}
    </>
  )
}

interface ConfirmButtonsProps {
  readonly payment: OperatorPayment
  readonly busy: boolean
  readonly confirmAs: (outcome: 'done' | 'never', title: string, consequences: string) => void
}

/** Confirms a payment whose provider cannot be queried. */
function ConfirmButtons({ payment, busy, confirmAs }: ConfirmButtonsProps) {
  const isCharge = payment.kind === 'charge'
  return (
    <>
      <button
        type="button"
        class="primary"
        disabled={busy}
        onClick={() =>
          confirmAs(
            'done',
            isCharge
              ? translate('Confirm that {amount} was received?', { amount: formatAmount(payment.amount) })
              : translate('Confirm that {amount} was refunded?', { amount: formatAmount(payment.amount) }),
            isCharge
              ? translate('The order is paid, and its items can be shipped.')
              : translate('The refund is completed, and the customer is informed.'),
          )
        }
      >
        {isCharge ? translate('Mark as received') : translate('Mark as refunded')}
      </button>
      <button
        type="button"
        class="danger"
        disabled={busy}
        onClick={() =>
          confirmAs(
            'never',
            translate('Confirm that the money will not be transferred?'),
            translate('This cannot be undone.'),
          )
        }
      >
        {isCharge ? translate('Mark as not received') : translate('Mark as not refunded')}
      </button>
    </>
  )
}

interface CaptureProps {
  readonly payment: OperatorPayment
  readonly onClose: () => void
  readonly onDone: () => void
}

function Capture({ payment: { id, amount }, onClose, onDone }: CaptureProps) {
  const { currency } = amount
  return (
    <Dialog title={translate('Capture')} onClose={onClose}>
      <p>
        {translate(
          'The provider releases the amount that you do not capture. The order then counts as paid and can be shipped.',
        )}
      </p>
      <Form
        submit={translate('Capture')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const body = { amount: parseAmount(String(fields.get('amount')), currency) }
          await call('capturePayment', { params: { paymentId: id }, body })
          onDone()
        }}
      >
        <Field
          name="amount"
          label={translate('Amount in {currency}', { currency })}
          value={formatDecimal(amount.amount, currency)}
          hint={translate('At most {amount}.', { amount: formatAmount(amount) })}
          inputMode="decimal"
          required
        />
      </Form>
    </Dialog>
  )
}
