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

/** Each step by the word that one would say. */
const TITLES: Readonly<Record<Step, string>> = {
  review: 'Take it on',
  approve: 'Approve',
  decline: 'Decline',
  mark_in_transit: 'Goods are on their way',
  mark_received: 'Goods have come back',
  inspect: 'Say what was found',
  resolve: 'Do what was promised',
  complete: 'The goods have left',
  withdraw: 'Withdraw',
}

/** Those that need no words. */
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

/** The steps that the state of a request allows, and no others. */
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
  const [found, setFound] = useState('usual')
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
      const kept = found === 'usual' ? {} : { restocks: found === 'restock' }
      const body =
        found === 'refused' ? { accepted: false, declineReason: typed('declineReason') } : { accepted: true, ...kept }
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
  const why = <TextField name="declineReason" label="Why not" hint="The shopper is shown this." rows={3} required />
  return (
    <Form submit={TITLES[step]} danger={step === 'decline'} cancel={onClose} onSubmit={send}>
      {step === 'decline' && why}
      {step === 'approve' && (
        <>
          <TextField name="instructions" label="What the shopper does now" hint="Empty: as the store has it." />
          {asked.request.kind !== 'refund_only' && (
            <Field name="returnBy" label="Back by" type="date" hint="Empty: as the store has it." />
          )}
        </>
      )}
      {step === 'inspect' && (
        <>
          <Select
            name="found"
            label="What was found"
            value={found}
            onChange={setFound}
            options={[
              ['usual', 'As it should be: the store’s rules decide about the shelf'],
              ...(asked.request.kind === 'repair' ? [] : [['restock', 'Kept, and back on the shelf'] as const]),
              ['keep', 'Kept, not to be sold again'],
              ['refused', 'Not kept: the goods go back to the buyer'],
            ]}
          />
          {found === 'refused' && why}
        </>
      )}
      {step === 'resolve' && isMoney && (
        <Field
          name="amount"
          label={`Amount in ${currency}`}
          hint="Empty: all that the units give back."
          inputMode="decimal"
        />
      )}
      {step === 'complete' && <CarriageFields />}
      {step === 'resolve' && !isMoney && <p>The goods that leave instead are taken off the shelf.</p>}
    </Form>
  )
}
