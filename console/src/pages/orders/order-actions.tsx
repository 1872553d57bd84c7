import { CANCELLATION_REASONS } from '@vitrine/contract'
import type { OperatorOperationId, OperatorOrder } from '@vitrine/contract/operator'
import { useRef, useState } from 'preact/hooks'
import { ApiError, call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { parseAmount } from '../../ui/form/amount-input.ts'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { formatAmount } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { askThen } from '../../ui/question.tsx'
import { QuantityFields, readQuantities, remainingQuantity } from './quantity-fields.tsx'
import { type Previewed, RefundPreview } from './refund-preview.tsx'
import { readTracking, TrackingFields } from './tracking-fields.tsx'

type Step = OperatorOrder['allowed'][number]

interface ActionProps {
  readonly order: OperatorOrder
  readonly onDone: () => void
}
interface DialogProps extends ActionProps {
  readonly onClose: () => void
}

const BEGIN = {
  title: translate('Start processing?'),
  consequences: translate(
    'The customer sees the new status, and from now on each cancellation needs your approval. This cannot be undone.',
  ),
  action: translate('Start processing'),
  danger: false,
}

/** The operation of each action. */
const OPERATIONS: Readonly<Record<Step, OperatorOperationId>> = {
  begin: 'beginOrder',
  hold: 'holdOrder',
  release: 'releaseOrder',
  ship: 'shipOrder',
  cancel: 'cancelOrder',
  refund: 'refundOrder',
}

/** The actions that the status of an order and the role of the operator allow. */
export function OrderActions({ order, onDone }: ActionProps) {
  const [open, setOpen] = useState<Step | null>(null)
  const { actionError, busy, run } = useAction(onDone)
  const input = { params: { orderId: order.order.id }, body: {} }
  const may = useMay()
  const can = (step: Step) => order.allowed.includes(step) && may(OPERATIONS[step])
  const button = (step: Step, title: string, press: () => void, kind = '') =>
    can(step) && (
      <button type="button" class={kind} disabled={busy} onClick={press}>
        {title}
      </button>
    )
  const Open = open && DIALOGS[open]
  // Also after Cancel: an attempt whose answer was lost may have changed the order.
  const close = () => {
    setOpen(null)
    onDone()
  }
  return (
    <>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {button('ship', translate('Ship'), () => setOpen('ship'), 'primary')}
      {button('begin', translate('Start processing'), () => askThen(BEGIN, () => run(() => call('beginOrder', input))))}
      {button('hold', translate('Put on hold'), () => setOpen('hold'))}
      {button('release', translate('Release hold'), () => void run(() => call('releaseOrder', input)), 'primary')}
      {button('refund', translate('Refund'), () => setOpen('refund'))}
      {button('cancel', translate('Cancel items'), () => setOpen('cancel'), 'danger')}
      {Open && <Open order={order} onClose={close} onDone={close} />}
    </>
  )
}

/** A reference for a parcel that the operator gave none, such as `V-10044-7KQ2`. */
function newReference(orderNumber: string): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const random = crypto.getRandomValues(new Uint8Array(4))
  return `${orderNumber}-${[...random].map((byte) => letters[byte % letters.length]).join('')}`
}

function Ship({ order: { order, stores, fulfilments, linesWithKeys = [] }, onDone, onClose }: DialogProps) {
  const params = { orderId: order.id }
  const pending = fulfilments.filter(({ status, method }) => status === 'pending' && method === 'manual')
  // There are no fulfillments before the payment is captured. Shipping captures it, and license keys are emailed then.
  const isAuthorized = order.paymentStatus === 'authorized'
  const pendingIds = pending.flatMap(({ lines }) => lines.map(({ lineId }) => lineId))
  const toShip = order.lines.filter((line) => {
    return isAuthorized ? remainingQuantity(line) > 0 && !linesWithKeys.includes(line.id) : pendingIds.includes(line.id)
  })
  const storesToShip = stores.filter(({ id }) => toShip.some((line) => line.storeId === id))
  const [storeId, setStoreId] = useState(storesToShip[0]?.id ?? '')
  // The reference of an attempt that may have shipped although it has no answer. Another try with it ships nothing twice.
  const unanswered = useRef('')
  const lines = toShip.filter((line) => line.storeId === storeId)
  return (
    <Dialog title={translate('Ship items')} onClose={onClose}>
      {isAuthorized && (
        <p>
          {translate(
            'First, the whole payment of {total} is captured. To capture less, do it on the payment page before you ship.',
            { total: formatAmount(order.totals.total) },
          )}
        </p>
      )}
      <Form
        submit={translate('Mark as shipped')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const tracking = readTracking(fields)
          const typed = String(fields.get('reference') ?? '').trim()
          const reference = unanswered.current || typed || tracking.trackingNumber || newReference(order.number)
          const body = { ...tracking, reference, storeId, ...readQuantities(fields, lines) }
          await call('shipOrder', { params, body }).catch((error: unknown) => {
            const isUnanswered = !(error instanceof ApiError) || error.response.outcome === 'unknown'
            if (isUnanswered) unanswered.current = reference
            throw error
          })
          onDone()
        }}
      >
        {storesToShip.length > 1 && (
          <Select
            name="storeId"
            label={translate('Store')}
            value={storeId}
            onChange={setStoreId}
            options={storesToShip.map(({ id, name }) => [id, name])}
          />
        )}
        <QuantityFields key={storeId} lines={lines} />
        <TrackingFields />
        <Field
          name="reference"
          label={translate('Reference')}
          hint={translate('Optional. Shipping again with the same reference has no effect.')}
        />
      </Form>
    </Dialog>
  )
}

function Hold({ order: { order }, onDone, onClose }: DialogProps) {
  return (
    <Dialog title={translate('Put order on hold')} onClose={onClose}>
      <Form
        submit={translate('Put on hold')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const reason = String(fields.get('reason')).trim()
          await call('holdOrder', { params: { orderId: order.id }, body: { ...(reason && { reason }) } })
          onDone()
        }}
      >
        <TextField
          name="reason"
          label={translate('Reason')}
          hint={translate('Shown in the timeline. Nothing ships until the hold is released.')}
        />
      </Form>
    </Dialog>
  )
}

function Refund({ order: shown, onDone, onClose }: DialogProps) {
  const { order, moneyLeft } = shown
  const { amount: left, currency } = moneyLeft
  const [typed, setTyped] = useState('')
  const amount = parseAmount(typed, currency)
  const isPossible = Number.isInteger(amount) && amount > 0 && amount <= left
  return (
    <Dialog title={translate('Refund')} onClose={onClose}>
      <p>
        {translate(
          'A manual refund, not tied to any item. It reduces what later item refunds can return. Returns and cancellations are refunded automatically.',
        )}
      </p>
      <Form
        submit={translate('Refund')}
        danger
        cancel={onClose}
        onSubmit={async (fields) => {
          const body = { amount: parseAmount(String(fields.get('amount')), currency), expectedVersion: order.version }
          await call('refundOrder', { params: { orderId: order.id }, body })
          onDone()
        }}
      >
        <div onInput={(event) => setTyped((event.target as HTMLInputElement).value)}>
          <Field
            name="amount"
            label={translate('Amount in {currency}', { currency })}
            hint={translate('{left} available to refund.', { left: formatAmount(moneyLeft) })}
            inputMode="decimal"
            required
          />
        </div>
        <RefundPreview order={shown} body={isPossible ? { amount } : null} />
      </Form>
    </Dialog>
  )
}

function Cancel({ order: shown, onDone, onClose }: DialogProps) {
  const { order } = shown
  const lines = order.lines.filter((line) => remainingQuantity(line) > 0)
  const [chosen, setChosen] = useState<Previewed | null>({})
  return (
    <Dialog title={translate('Cancel items')} onClose={onClose}>
      <Form
        submit={translate('Cancel items')}
        danger
        cancel={onClose}
        cancelLabel={translate('Keep items')}
        onSubmit={async (fields) => {
          const reason = CANCELLATION_REASONS.find((each) => each === fields.get('reason')) ?? 'other'
          const note = String(fields.get('note')).trim()
          const expectedVersion = order.version
          const body = { reason, ...(note && { note }), ...readQuantities(fields, lines), expectedVersion }
          await call('cancelOrder', { params: { orderId: order.id }, body })
          onDone()
        }}
      >
        <div
          onInput={(event) => {
            const { form } = event.target as HTMLInputElement
            const { lines: units } = form ? readQuantities(new FormData(form), lines) : {}
            setChosen(units === undefined ? {} : units.length === 0 ? null : { lines: units })
          }}
        >
          <QuantityFields lines={lines} />
        </div>
        <RefundPreview order={shown} body={chosen} />
        <Select
          name="reason"
          label={translate('Reason')}
          options={CANCELLATION_REASONS.map((each) => [each, sentenceCase(each)])}
        />
        <TextField name="note" label={translate('Note')} hint={translate('Internal note.')} rows={2} />
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
