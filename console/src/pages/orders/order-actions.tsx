import type { OperatorOrder } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { majorOf, minorOf } from '../../ui/form/amount-input.ts'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { asSentence } from '../../ui/format/text.ts'
import { useAct } from '../../ui/hooks/use-action.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { CarriageFields, carriageIn } from './tracking-fields.tsx'
import { typedUnits, UnitFields, unitsLeft } from './unit-fields.tsx'

type Step = OperatorOrder['allowed'][number]

interface ActionProps {
  readonly order: OperatorOrder
  readonly onDone: () => void
}
interface DialogProps extends ActionProps {
  readonly onClose: () => void
}

/** The actions that the status of an order allows. */
export function OrderActions({ order, onDone }: ActionProps) {
  const [open, setOpen] = useState<Step | null>(null)
  const { failed, busy, act } = useAct(onDone)
  const asked = { params: { orderId: order.order.id }, body: {} }
  const can = (step: Step) => order.allowed.includes(step)
  const button = (step: Step, title: string, press: () => void, kind = '') =>
    can(step) && (
      <button type="button" class={kind} disabled={busy} onClick={press}>
        {title}
      </button>
    )
  const Open = open && DIALOGS[open]
  return (
    <>
      {failed ? <ErrorNotice error={failed} /> : null}
      {button('ship', 'Ship', () => setOpen('ship'), 'primary')}
      {button('begin', 'Start processing', () => void act(() => call('beginOrder', asked)))}
      {button('hold', 'Put on hold', () => setOpen('hold'))}
      {button('release', 'Release hold', () => void act(() => call('releaseOrder', asked)), 'primary')}
      {button('refund', 'Refund', () => setOpen('refund'))}
      {button('cancel', 'Cancel items', () => setOpen('cancel'), 'danger')}
      {Open && (
        <Open
          order={order}
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

function Ship({ order: { order, stores, fulfilments }, onDone, onClose }: DialogProps) {
  const params = { orderId: order.id }
  const owed = fulfilments.filter(({ status, method }) => status === 'pending' && method === 'manual')
  const shipping = stores.filter(({ id }) => owed.some(({ store }) => store.id === id))
  const [storeId, setStoreId] = useState(shipping[0]?.id ?? '')
  const ofStore = owed.filter(({ store }) => store.id === storeId).flatMap(({ lines }) => lines)
  const lines = order.lines.filter(({ id }) => ofStore.some(({ lineId }) => lineId === id))
  return (
    <Dialog title="Ship items" onClose={onClose}>
      <Form
        submit="Mark as shipped"
        cancel={onClose}
        onSubmit={async (fields) => {
          const reference = String(fields.get('reference') ?? '').trim()
          const parcel = { ...carriageIn(fields), ...(reference && { reference }), storeId }
          await call('shipOrder', { params, body: { ...parcel, ...typedUnits(fields, lines) } })
          onDone()
        }}
      >
        {shipping.length > 1 && (
          <Select
            name="storeId"
            label="Store"
            value={storeId}
            onChange={setStoreId}
            options={shipping.map(({ id, slug }) => [id, slug])}
          />
        )}
        <UnitFields key={storeId} lines={lines} />
        <CarriageFields />
        <Field
          name="reference"
          label="Reference"
          hint="Optional. Shipping again with the same reference has no effect."
        />
      </Form>
    </Dialog>
  )
}

function Hold({ order: { order }, onDone, onClose }: DialogProps) {
  return (
    <Dialog title="Put order on hold" onClose={onClose}>
      <Form
        submit="Put on hold"
        cancel={onClose}
        onSubmit={async (fields) => {
          const reason = String(fields.get('reason')).trim()
          await call('holdOrder', { params: { orderId: order.id }, body: { ...(reason && { reason }) } })
          onDone()
        }}
      >
        <TextField
          name="reason"
          label="Reason"
          hint="Shown in the timeline. Nothing ships until the hold is released."
        />
      </Form>
    </Dialog>
  )
}

function Refund({ order: { order, moneyLeft }, onDone, onClose }: DialogProps) {
  const { amount: left, currency } = moneyLeft
  return (
    <Dialog title="Refund" onClose={onClose}>
      <p>
        A manual refund, not tied to any item. It reduces what later item refunds can return. Returns and cancellations
        are refunded automatically.
      </p>
      <Form
        submit="Refund"
        danger
        cancel={onClose}
        onSubmit={async (fields) => {
          const amount = minorOf(String(fields.get('amount')), currency)
          await call('refundOrder', { params: { orderId: order.id }, body: { amount } })
          onDone()
        }}
      >
        <Field
          name="amount"
          label={`Amount in ${currency}`}
          hint={`${majorOf(left, currency)} available to refund.`}
          inputMode="decimal"
          required
        />
      </Form>
    </Dialog>
  )
}

const REASONS = ['customer_request', 'duplicate', 'address_wrong', 'payment_problem', 'other'] as const

function Cancel({ order: { order }, onDone, onClose }: DialogProps) {
  const lines = order.lines.filter((line) => unitsLeft(line) > 0)
  return (
    <Dialog title="Cancel items" onClose={onClose}>
      <Form
        submit="Cancel items"
        danger
        cancel={onClose}
        cancelLabel="Keep items"
        onSubmit={async (fields) => {
          const reason = REASONS.find((each) => each === fields.get('reason')) ?? 'other'
          const note = String(fields.get('note')).trim()
          const body = { reason, ...(note && { note }), ...typedUnits(fields, lines) }
          await call('cancelOrder', { params: { orderId: order.id }, body })
          onDone()
        }}
      >
        <UnitFields lines={lines} />
        <Select name="reason" label="Reason" options={REASONS.map((each) => [each, asSentence(each)])} />
        <TextField name="note" label="Note" hint="Internal note." rows={2} />
      </Form>
    </Dialog>
  )
}

const DIALOGS: Readonly<Partial<Record<Step, (props: DialogProps) => preact.JSX.Element>>> = {
  ship: Ship,
  hold: Hold,
  refund: Refund,
  cancel: Cancel,
}
