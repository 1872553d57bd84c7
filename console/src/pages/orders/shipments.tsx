import type { OperatorFulfillment, OperatorOperationId, OperatorOrder } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { storeName } from '../../stores.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, TextField } from '../../ui/form/form.tsx'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { unitNames } from './order-items.tsx'
import { readTracking, TrackingFields } from './tracking-fields.tsx'

/** A shipment is confirmed by its delivery, and that is what people call it. */
export function shipmentStatus(status: OperatorFulfillment['status']): string {
  return status === 'confirmed' ? 'delivered' : status
}

type Step = OperatorFulfillment['allowed'][number]

const TITLES: Readonly<Record<Step, string>> = {
  deliver: translate('Mark as delivered'),
  fail: translate('Mark as failed'),
  lose: translate('Mark as lost'),
  correct: translate('Edit tracking'),
  send_again: translate('Ship again'),
}

/** The operation of each step. */
const OPERATIONS: Readonly<Record<Step, OperatorOperationId>> = {
  deliver: 'markParcelDelivered',
  fail: 'markParcelFailed',
  lose: 'markParcelLost',
  correct: 'correctParcel',
  send_again: 'sendParcelAgain',
}

/** An order gets its fulfillments when its payment is captured. */
const UNPAID: readonly string[] = [
  'pending',
  'authorized',
  'unknown',
] satisfies OperatorOrder['order']['paymentStatus'][]

/** The shipments of an order: pending, in transit and delivered. */
export function Shipments({ order, onDone }: { readonly order: OperatorOrder; readonly onDone: () => void }) {
  return (
    <Section title={translate('Shipments')}>
      {order.fulfilments.length === 0 &&
        (UNPAID.includes(order.order.paymentStatus) ? (
          <Empty title={translate('No shipments yet')} hint={translate('They follow once the payment is captured.')} />
        ) : (
          <Empty title={translate('Nothing to ship')} hint={translate('No items of this order need to be shipped.')} />
        ))}
      <ul class="plain">
        {order.fulfilments.map((shipment) => (
          <li key={shipment.id}>
            <Shipment shipment={shipment} items={unitNames(order.order, shipment.lines)} onDone={onDone} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface ShipmentProps {
  readonly shipment: OperatorFulfillment
  readonly items: string
  readonly onDone: () => void
}

function Shipment({ shipment, items, onDone }: ShipmentProps) {
  const { id, status, store, method, carrier, trackingNumber, trackingUrl, note, waitingFor, dispatchedAt } = shipment
  const [open, setOpen] = useState<Step | null>(null)
  const may = useMay()
  const { actionError, busy, run } = useAction(onDone)
  // Also after Cancel: an attempt whose answer was lost may have changed the shipment.
  const close = () => {
    setOpen(null)
    onDone()
  }
  const deliver = () => run(() => call('markParcelDelivered', { params: { fulfillmentId: id }, body: {} }))
  return (
    <>
      <p>
        <Status value={shipmentStatus(status)} />{' '}
        {method === 'digital' ? translate('Digital delivery') : translate('Manual fulfillment')},{' '}
        {storeName(store.slug)}
        {dispatchedAt && (
          <>
            {', '}
            <DateTime at={dispatchedAt} />
          </>
        )}
      </p>
      <p>{items}</p>
      {(carrier || trackingNumber) && (
        <p>
          {carrier}{' '}
          {trackingUrl ? <a href={trackingUrl}>{trackingNumber ?? translate('Track shipment')}</a> : trackingNumber}
        </p>
      )}
      {(note || waitingFor) && (
        <p class="small">{note ?? translate('Waiting for license keys: {keys}', { keys: waitingFor ?? '' })}</p>
      )}
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <div class="actions">
        {shipment.allowed
          .filter((step) => may(OPERATIONS[step]))
          .map((step) => (
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
      {open && <StepDialog step={open} shipment={shipment} onClose={close} onDone={close} />}
    </>
  )
}

interface StepProps {
  readonly step: Step
  readonly shipment: OperatorFulfillment
  readonly onDone: () => void
  readonly onClose: () => void
}

function StepDialog({ step, shipment, onDone, onClose }: StepProps) {
  const params = { fulfillmentId: shipment.id }
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
          else if (step === 'correct') await call('correctParcel', { params, body: readTracking(fields) })
          else await call('sendParcelAgain', { params, body: readTracking(fields) })
          onDone()
        }}
      >
        {needsReason ? (
          <TextField name="reason" label={translate('Reason')} rows={2} required />
        ) : (
          <TrackingFields {...(step === 'correct' ? shipment : {})} />
        )}
      </Form>
    </Dialog>
  )
}
