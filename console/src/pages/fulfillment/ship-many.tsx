import type { OperatorFulfillment } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { ApiError, call } from '../../api.ts'
import { translate, translateCount } from '../../language.ts'
import { Link } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { fieldErrorText } from '../../ui/form/validation-messages.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { readTrackingList, type TrackingList, withList } from './tracking-list.ts'

interface ShipManyProps {
  readonly rows: readonly OperatorFulfillment[]
  /** `shipped`: the number of orders that were shipped. */
  readonly onClose: (shipped: number) => void
}

/** The result of each row: absent until it was tried, `true` once it is shipped, otherwise the reason why it failed. */
type Results = ReadonlyMap<string, true | string>

/**
 * Ships several orders, one request each. An order that failed shows the reason, keeps its tracking number, and is retried with the
 * same reference, so that nothing ships twice.
 */
export function ShipMany({ rows, onClose }: ShipManyProps) {
  const [numbers, setNumbers] = useState<ReadonlyMap<string, string>>(new Map())
  const [list, setList] = useState<TrackingList>({ numbers: new Map(), unused: [] })
  const [results, setResults] = useState<Results>(new Map())
  const shipped = rows.filter(({ id }) => results.get(id) === true).length
  const left = rows.length - shipped
  const close = () => onClose(shipped)

  async function ship(fields: FormData): Promise<void> {
    const carrier = String(fields.get('carrier') ?? '').trim()
    const next = new Map(results)
    for (const row of rows.filter(({ id }) => results.get(id) !== true)) {
      const trackingNumber = numbers.get(row.id)?.trim()
      const body = {
        reference: row.id,
        storeId: row.store.id,
        lines: row.lines.map((line) => ({ ...line })),
        ...(carrier && { carrier }),
        ...(trackingNumber && { trackingNumber }),
      }
      next.set(
        row.id,
        await call('shipOrder', { params: { orderId: row.orderId }, body }).then(() => true as const, reasonOf),
      )
      setResults(new Map(next))
    }
    const done = rows.filter(({ id }) => next.get(id) === true).length
    if (done < rows.length) return
    toast(translateCount(done, { one: '{count} shipment is on its way', other: '{count} shipments are on their way' }))
    onClose(done)
  }

  return (
    <Dialog
      title={translateCount(rows.length, { one: 'Ship {count} order', other: 'Ship {count} orders' })}
      class="wide"
      onClose={close}
    >
      {shipped > 0 && left > 0 && results.size === rows.length && <SomeFailed shipped={shipped} left={left} />}
      <Form
        submit={left === 1 ? translate('Mark as shipped') : translate('Mark {left} as shipped', { left })}
        cancel={close}
        onSubmit={ship}
      >
        <p>{translate('All pending items of these orders are marked as shipped, and each customer gets an email.')}</p>
        <Field
          name="carrier"
          label={translate('Carrier')}
          hint={translate('For all of them. Leave empty if they differ.')}
          autocomplete="off"
        />
        <PasteList
          unused={list.unused}
          onRead={(text) => {
            const open = rows.filter(({ id }) => results.get(id) !== true)
            const read = readTrackingList(text, open)
            setNumbers(withList(numbers, open, list.numbers, read.numbers))
            setList(read)
          }}
        />
        <ul class="ship-rows">
          {rows.map((row) => (
            <ShipRow
              key={row.id}
              row={row}
              number={numbers.get(row.id) ?? ''}
              result={results.get(row.id)}
              onChange={(value) => setNumbers(new Map(numbers).set(row.id, value))}
            />
          ))}
        </ul>
      </Form>
    </Dialog>
  )
}

function SomeFailed(counts: { readonly shipped: number; readonly left: number }) {
  return (
    <Notice kind="bad">
      <p>{translate('{shipped} shipped, {left} failed. Correct the marked orders below and try again.', counts)}</p>
    </Notice>
  )
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof ApiError) {
    const { message, details } = thrown.response
    return [message, ...details.slice(0, 1).map((detail) => detail.message)].map(fieldErrorText).join(' ')
  }
  return translate('The server did not answer. Trying again ships nothing twice.')
}

interface PasteProps {
  readonly unused: readonly string[]
  readonly onRead: (text: string) => void
}

/** Reads pasted tracking numbers: one per line, with its order number or in the order of the rows. */
function PasteList({ unused, onRead }: PasteProps) {
  return (
    <details class="paste">
      <summary>{translate('Paste tracking numbers')}</summary>
      <label class="field">
        <span>
          {translate('One per line: order number and tracking number, or tracking numbers in the order below')}
        </span>
        <textarea rows={4} onInput={(event) => onRead(event.currentTarget.value)} />
      </label>
      {unused.length > 0 && (
        <p class="error" role="status">
          {translate('These lines match no selected order: {unused}', { unused: unused.slice(0, 5).join('; ') })}
        </p>
      )}
    </details>
  )
}

interface RowProps {
  readonly row: OperatorFulfillment
  readonly number: string
  readonly result: true | string | undefined
  readonly onChange: (value: string) => void
}

function ShipRow({ row: { orderId, orderNumber, store, units }, number, result, onChange }: RowProps) {
  const isShipped = result === true
  return (
    <li class="ship-row">
      <div>
        <Link to={`/orders/${orderId}`}>{orderNumber}</Link>
        <span class="small">
          {storeName(store.slug)}, {translateCount(units, { one: '{count} item', other: '{count} items' })}
        </span>
      </div>
      <input
        aria-label={translate('Tracking number of {orderNumber}', { orderNumber })}
        placeholder={translate('Tracking number')}
        autocomplete="off"
        maxLength={100}
        value={number}
        disabled={isShipped}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <p role="status">
        {isShipped && <span class="status good">{translate('Shipped')}</span>}
        {typeof result === 'string' && <span class="error">{result}</span>}
      </p>
    </li>
  )
}
