import type { OperatorOrder, OperatorRefundPreview } from '@vitrine/contract/operator'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, formatAmount } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { unitNames } from './order-items.tsx'

/** The input of the preview: units to cancel (absent: all remaining ones), or a manual refund. */
export interface Previewed {
  readonly lines?: { readonly lineId: string; readonly quantity: number }[]
  readonly amount?: number
}

const TYPING_MS = 250

/** Previews the refund and the restocking of a cancellation or a manual refund. `null`: there is nothing to preview yet. */
export function RefundPreview({ order, body }: { readonly order: OperatorOrder; readonly body: Previewed | null }) {
  const wanted = JSON.stringify(body)
  const [settled, setSettled] = useState(wanted)
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(wanted), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [wanted])
  const params = { orderId: order.order.id }
  const { data, error } = useCall(settled, async () => {
    const asked = JSON.parse(settled) as Previewed | null
    return asked === null ? null : call('previewRefund', { params, body: asked })
  })
  return (
    <section
      class="money-preview"
      aria-label={translate('What happens')}
      aria-live="polite"
      aria-busy={settled !== wanted}
    >
      {error ? (
        <ErrorNotice error={error} />
      ) : data ? (
        <Previews order={order} preview={data} />
      ) : (
        <p>{translate('Nothing yet.')}</p>
      )}
    </section>
  )
}

interface PreviewsProps {
  readonly order: OperatorOrder
  readonly preview: OperatorRefundPreview
}

function Previews({ order, preview }: PreviewsProps) {
  const { refund, items, shipping, tax, left } = preview
  return (
    <>
      <dl class="sums">
        {shipping.amount > 0 && <Sum title={translate('Items')} money={items} />}
        {shipping.amount > 0 && <Sum title={translate('Shipping')} money={shipping} />}
        <div class="total">
          <dt>{translate('Refund')}</dt>
          <dd>
            <Amount {...refund} />
          </dd>
        </div>
        {tax.amount > 0 && <Sum title={translate('Tax in the refund')} money={tax} />}
        <Sum title={translate('Still refundable afterwards')} money={left} />
      </dl>
      <p class="small">{destinationOf(preview)}</p>
      <p class="small">{restockOf(order, preview)}</p>
    </>
  )
}

function Sum({ title, money }: { readonly title: string; readonly money: OperatorRefundPreview['refund'] }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <Amount {...money} />
      </dd>
    </div>
  )
}

/** How the money is refunded. */
function destinationOf({ refund, paidWith, isVoided }: OperatorRefundPreview): string {
  if (isVoided) return translate('Nothing has been charged yet: the payment is released.')
  if (refund.amount === 0) return translate('No money is refunded.')
  if (paidWith === undefined)
    return translate('This order was paid elsewhere: refund it there and mark the refund as paid here.')
  if (paidWith === 'manual')
    return translate('You transfer {refund} yourself and confirm it in Payments.', { refund: formatAmount(refund) })
  return translate('Refunded to the payment the customer used, by {paidWith}.', { paidWith: sentenceCase(paidWith) })
}

function restockOf({ order }: OperatorOrder, { restock }: OperatorRefundPreview): string {
  if (restock.length === 0) return translate('No items go back to stock.')
  return translate('Back to stock: {restock}.', { restock: unitNames(order, restock) })
}
