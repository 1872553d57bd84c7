import type { OperatorAfterSales } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { minorOf } from '../../ui/form/amount-input.ts'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { CarriageFields, carriageIn } from '../orders/tracking-fields.tsx'

type Step = OperatorAfterSales['allowed'][number]

const TITLES: Readonly<Record<Step, string>> = {
  review: 'Start review',
  approve: 'Approve',
  decline: 'Decline',
  mark_in_transit: 'Mark as in transit',
  mark_received: 'Mark as received',
  inspect: 'Record inspection',
  resolve: 'Resolve',
  complete: 'Mark as shipped',
  withdraw: 'Withdraw',
}

/** Actions without a form. */
const AT_ONCE = {
  review: 'reviewAfterSales',
  mark_in_transit: 'markAfterSalesInTransit',
  mark_received: 'markAfterSalesReceived',
  withdraw: 'withdrawAfterSales',
} as const satisfies Partial<Record<Step, string>>
const PRIMARY: readonly Step[] = ['approve', 'mark_received', 'inspect', 'resolve', 'complete']

interface StepsProps {
  readonly asked: OperatorAfterSales
  readonly onDone: () => void
}

/** The actions that the status of a request allows. */
export function Steps({ asked, onDone }: StepsProps) {
  const [open, setOpen] = useState<Step | null>(null)
  const { failed, busy, act } = useAct(onDone)
  const params = { afterSalesId: asked.request.id }
  function press(step: Step): void {
    if (step in AT_ONCE) void act(() => call(AT_ONCE[step as keyof typeof AT_ONCE], { params, body: {} }))
    else setOpen(step)
  }
  return (
    <>
      {failed ? <ErrorNotice error={failed} /> : null}
      {asked.allowed.map((step) => (
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
        <Dialog title={TITLES[open]} onClose={() => setOpen(null)}>
          <StepForm
            step={open}
            asked={asked}
            onClose={() => setOpen(null)}
            onDone={() => {
              setOpen(null)
              onDone()
            }}
          />
        </Dialog>
      )}
    </>
  )
}

interface StepFormProps extends StepsProps {
  readonly step: Step
  readonly onClose: () => void
}

function StepForm({ step, asked, onClose, onDone }: StepFormProps) {
  const params = { afterSalesId: asked.request.id }
  const { currency } = asked.request.refundEstimate
  const [result, setResult] = useState('policy')
  async function send(fields: FormData): Promise<void> {
    const typed = (name: string) => String(fields.get(name) ?? '').trim()
    if (step === 'approve') {
      const [instructions, day] = [typed('instructions'), typed('returnBy')]
      const returnBy = day && new Date(`${day}T23:59:59`).toISOString()
      await call('approveAfterSales', {
        params,
        body: { ...(instructions && { instructions }), ...(returnBy && { returnBy }) },
      })
    } else if (step === 'decline') {
      await call('declineAfterSales', { params, body: { declineReason: typed('declineReason') } })
    } else if (step === 'inspect') {
      const restock = result === 'policy' ? {} : { restocks: result === 'restock' }
      const body =
        result === 'refused'
          ? { accepted: false, declineReason: typed('declineReason') }
          : { accepted: true, ...restock }
      await call('inspectAfterSales', { params, body })
    } else if (step === 'complete') {
      await call('completeAfterSales', { params, body: carriageIn(fields) })
    } else {
      const amount = typed('amount')
      await call('resolveAfterSales', { params, body: amount ? { amount: minorOf(amount, currency) } : {} })
    }
    onDone()
  }
  const isMoney = asked.request.kind === 'refund_only' || asked.request.kind === 'return'
  const declineReason = (
    <TextField name="declineReason" label="Reason" hint="Shown to the customer." rows={3} required />
  )
  return (
    <Form submit={TITLES[step]} danger={step === 'decline'} cancel={onClose} onSubmit={send}>
      {step === 'decline' && declineReason}
      {step === 'approve' && (
        <>
          <TextField
            name="instructions"
            label="Instructions for the customer"
            hint="Leave empty to use the store policy."
          />
          {asked.request.kind !== 'refund_only' && (
            <Field name="returnBy" label="Return by" type="date" hint="Leave empty to use the store policy." />
          )}
        </>
      )}
      {step === 'inspect' && (
        <>
          <Select
            name="result"
            label="Result"
            value={result}
            onChange={setResult}
            options={[
              ['policy', 'Accepted: restock according to the store policy'],
              ...(asked.request.kind === 'repair' ? [] : [['restock', 'Accepted, restocked'] as const]),
              ['keep', 'Accepted, not restocked'],
              ['refused', 'Rejected: items go back to the customer'],
            ]}
          />
          {result === 'refused' && declineReason}
        </>
      )}
      {step === 'resolve' && isMoney && (
        <Field
          name="amount"
          label={`Amount in ${currency}`}
          hint="Leave empty to refund the full amount of the items."
          inputMode="decimal"
        />
      )}
      {step === 'complete' && <CarriageFields />}
      {step === 'resolve' && !isMoney && <p>Replacement items are deducted from stock.</p>}
    </Form>
  )
}
