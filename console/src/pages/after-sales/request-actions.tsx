import type { OperatorAfterSales, OperatorOperationId } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { parseAmount } from '../../ui/form/amount-input.ts'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { formatAmount } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { askThen } from '../../ui/question.tsx'
import { readTracking, TrackingFields } from '../orders/tracking-fields.tsx'
import { ApproveForm } from './approve-form.tsx'

type Step = OperatorAfterSales['allowed'][number]

const TITLES: Readonly<Record<Step, string>> = {
  review: translate('Start review'),
  approve: translate('Approve'),
  decline: translate('Decline'),
  mark_in_transit: translate('Mark as in transit'),
  mark_received: translate('Mark as received'),
  inspect: translate('Record inspection'),
  resolve: translate('Resolve'),
  complete: translate('Mark as shipped'),
  withdraw: translate('Withdraw'),
}

/** The operation of each step. */
const OPERATIONS = {
  review: 'reviewAfterSales',
  approve: 'approveAfterSales',
  decline: 'declineAfterSales',
  mark_in_transit: 'markAfterSalesInTransit',
  mark_received: 'markAfterSalesReceived',
  inspect: 'inspectAfterSales',
  resolve: 'resolveAfterSales',
  complete: 'completeAfterSales',
  withdraw: 'withdrawAfterSales',
} as const satisfies Readonly<Record<Step, OperatorOperationId>>

/** Steps without a form. */
const AT_ONCE = ['review', 'mark_in_transit', 'mark_received', 'withdraw'] as const
const isAtOnce = (step: Step): step is (typeof AT_ONCE)[number] => AT_ONCE.some((each) => each === step)
const WITHDRAW = {
  title: translate('Withdraw this request?'),
  consequences: translate('It ends as if the customer had withdrawn it. This cannot be undone.'),
  action: translate('Withdraw'),
}
const PRIMARY: readonly Step[] = ['approve', 'mark_received', 'inspect', 'resolve', 'complete']

/** The decisions, which a card has too. All other actions are only on the page of the request. */
const DECISIONS: readonly Step[] = [...PRIMARY, 'decline']

interface StepProps {
  readonly afterSales: OperatorAfterSales
  readonly onDone: () => void
}

export interface RequestActionsProps extends StepProps {
  readonly isBrief?: boolean
}

/** The actions that the status of a request allows. */
export function RequestActions({ afterSales, onDone, isBrief = false }: RequestActionsProps) {
  const [open, setOpen] = useState<Step | null>(null)
  const may = useMay()
  const steps = afterSales.allowed.filter((step) => may(OPERATIONS[step]) && (!isBrief || DECISIONS.includes(step)))
  const { actionError, busy, run } = useAction(onDone)
  const params = { afterSalesId: afterSales.request.id }
  const done = () => {
    setOpen(null)
    onDone()
  }
  const close = () => setOpen(null)
  function press(step: Step): void {
    if (!isAtOnce(step)) {
      setOpen(step)
      return
    }
    const act = () => run(() => call(OPERATIONS[step], { params, body: {} }))
    if (step === 'withdraw') askThen(WITHDRAW, act)
    else void act()
  }
  return (
    <>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {steps.map((step) => (
        <button
          key={step}
          type="button"
          class={PRIMARY.includes(step) ? 'primary' : step === 'decline' ? 'danger' : ''}
          disabled={busy}
          onClick={() => press(step)}
        >
          {TITLES[step]}
        </button>
      ))}
      {open && (
        <Dialog title={TITLES[open]} onClose={close}>
          {open === 'approve' ? (
            <ApproveForm afterSalesId={params.afterSalesId} onClose={close} onDone={done} />
          ) : (
            <StepForm step={open} afterSales={afterSales} onClose={close} onDone={done} />
          )}
        </Dialog>
      )}
    </>
  )
}

interface StepFormProps extends StepProps {
  readonly step: Step
  readonly onClose: () => void
}

function StepForm({ step, afterSales, onClose, onDone }: StepFormProps) {
  const params = { afterSalesId: afterSales.request.id }
  const { currency } = afterSales.request.refundEstimate
  const [result, setResult] = useState('policy')
  const [resolution, setResolution] = useState('send')
  const isMoney = isOfMoney(afterSales.request)
  const isRefunded = isMoney || resolution === 'refund'
  async function send(fields: FormData): Promise<void> {
    const typed = (name: string) => String(fields.get(name) ?? '').trim()
    if (step === 'decline') {
      await call('declineAfterSales', { params, body: { declineReason: typed('declineReason') } })
    } else if (step === 'inspect') {
      const restock = result === 'policy' ? {} : { restocks: result === 'restock' }
      const body =
        result === 'refused'
          ? { accepted: false, declineReason: typed('declineReason') }
          : { accepted: true, ...restock }
      await call('inspectAfterSales', { params, body })
    } else if (step === 'complete') {
      await call('completeAfterSales', { params, body: readTracking(fields) })
    } else {
      const amount = typed('amount')
      const refund = isMoney ? {} : { refund: isRefunded }
      const body = { ...refund, ...(isRefunded && amount && { amount: parseAmount(amount, currency) }) }
      await call('resolveAfterSales', { params, body })
    }
    onDone()
  }
  const declineReason = (
    <TextField
      name="declineReason"
      label={translate('Reason')}
      hint={translate('Shown to the customer.')}
      rows={3}
      required
    />
  )
  return (
    <Form submit={TITLES[step]} danger={step === 'decline'} cancel={onClose} onSubmit={send}>
      {step === 'decline' && declineReason}
      {step === 'inspect' && (
        <>
          <Select
            name="result"
            label={translate('Result')}
            value={result}
            onChange={setResult}
            options={[
              ['policy', translate('Accepted: restock according to the store policy')],
              ...(afterSales.request.kind === 'repair' ? [] : [['restock', translate('Accepted, restocked')] as const]),
              ['keep', translate('Accepted, not restocked')],
              ['refused', translate('Rejected: items go back to the customer')],
            ]}
          />
          {result === 'refused' && declineReason}
        </>
      )}
      {step === 'complete' && <TrackingFields />}
      {step === 'resolve' && (
        <ResolveFields request={afterSales.request} resolution={resolution} onChange={setResolution} />
      )}
    </Form>
  )
}

type Request = OperatorAfterSales['request']

function isOfMoney({ kind }: Request): boolean {
  return kind === 'refund_only' || kind === 'return'
}

interface ResolveFieldsProps {
  readonly request: Request
  readonly resolution: string
  readonly onChange: (resolution: string) => void
}

/** The amount of a refund. An exchange or a repair can be refunded instead. */
function ResolveFields({ request, resolution, onChange }: ResolveFieldsProps) {
  const { currency } = request.refundEstimate
  const isMoney = isOfMoney(request)
  const refundEstimate = formatAmount(request.refundEstimate)
  return (
    <>
      {!isMoney && (
        <Select
          name="resolution"
          label={translate('Resolution')}
          value={resolution}
          onChange={onChange}
          options={[
            ['send', translate('Send the items')],
            ['refund', translate('Refund instead')],
          ]}
        />
      )}
      {isMoney || resolution === 'refund' ? (
        <Field
          name="amount"
          label={translate('Amount in {currency}', { currency })}
          hint={
            isMoney
              ? translate('Leave empty to refund {refundEstimate}, the full amount of the items.', { refundEstimate })
              : translate('Leave empty to refund the full amount of the items.')
          }
          inputMode="decimal"
        />
      ) : (
        <p>{translate('Replacement items are deducted from stock.')}</p>
      )}
    </>
  )
}
