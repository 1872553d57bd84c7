import type { OperatorFulfilment, OperatorOrder } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, TextField } from '../../ui/form/form.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { CarriageFields, carriageIn } from './tracking-fields.tsx'

type Step = OperatorFulfilment['allowed'][number]

const TITLES: Readonly<Record<Step, string>> = {
  deliver: 'Mark as delivered',
  fail: 'Mark as failed',
  lose: 'Mark as lost',
  correct: 'Edit tracking',
  send_again: 'Ship again',
}

/** The shipments of an order: pending, in transit and delivered. */
export function Parcels({ order, onDone }: { readonly order: OperatorOrder; readonly onDone: () => void }) {
  const nameOf = new Map(order.order.lines.map(({ id, name }) => [id, name]))
  return (
    <Section title="Shipments">
      {order.fulfilments.length === 0 && (
        <Empty title="Nothing to ship" hint="No items of this order need to be shipped." />
      )}
      <ul class="plain">
        {order.fulfilments.map((parcel) => (
          <li key={parcel.id}>
            <Parcel parcel={parcel} nameOf={nameOf} onDone={onDone} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface ParcelProps {
  readonly parcel: OperatorFulfilment
  readonly nameOf: ReadonlyMap<string, string>
  readonly onDone: () => void
}

function Parcel({ parcel, nameOf, onDone }: ParcelProps) {
  const { id, status, store, method, carrier, trackingNumber, trackingUrl, note, waitingFor, dispatchedAt } = parcel
  const [open, setOpen] = useState<Step | null>(null)
  const { failed, busy, act } = useAct(onDone)
  const deliver = () => act(() => call('markParcelDelivered', { params: { fulfilmentId: id }, body: {} }))
  return (
    <>
      <p>
        <Status value={status} /> {method === 'digital' ? 'Digital delivery' : 'Manual fulfillment'}, {store.slug}
        {dispatchedAt && (
          <>
            {', '}
            <When at={dispatchedAt} />
          </>
        )}
      </p>
      <p>{parcel.lines.map(({ lineId, quantity }) => `${quantity} × ${nameOf.get(lineId) ?? lineId}`).join(', ')}</p>
      {(carrier || trackingNumber) && (
        <p>
          {carrier} {trackingUrl ? <a href={trackingUrl}>{trackingNumber ?? 'Track shipment'}</a> : trackingNumber}
        </p>
      )}
      {(note || waitingFor) && <p class="small">{note ?? `Waiting for ${waitingFor}.`}</p>}
      {failed ? <ErrorNotice error={failed} /> : null}
      <div class="actions">
        {parcel.allowed.map((step) => (
          <button
            key={step}
            type="button"
            disabled={busy}
            onClick={() => (step === 'deliver' ? void deliver() : setOpen(step))}
          >
            {TITLES[step]}
          </button>
        ))}
      </div>
      {open && (
        <StepDialog
          step={open}
          parcel={parcel}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            onDone()
          }}
        />
      )}
    </>
  )
}

interface StepProps {
  readonly step: Step
  readonly parcel: OperatorFulfilment
  readonly onDone: () => void
  readonly onClose: () => void
}

function StepDialog({ step, parcel, onDone, onClose }: StepProps) {
  const params = { fulfilmentId: parcel.id }
  const needsReason = step === 'fail' || step === 'lose'
  return (
    <Dialog title={TITLES[step]} onClose={onClose}>
      <Form
        submit={TITLES[step]}
        cancel={onClose}
        onSubmit={async (fields) => {
          const reason = String(fields.get('reason') ?? '')
          if (step === 'fail') await call('markParcelFailed', { params, body: { reason } })
          else if (step === 'lose') await call('markParcelLost', { params, body: { reason } })
          else if (step === 'correct') await call('correctParcel', { params, body: carriageIn(fields) })
          else await call('sendParcelAgain', { params, body: carriageIn(fields) })
          onDone()
        }}
      >
        {needsReason ? (
          <TextField name="reason" label="Reason" rows={2} required />
        ) : (
          <CarriageFields {...(step === 'correct' ? parcel : {})} />
        )}
      </Form>
    </Dialog>
  )
}
