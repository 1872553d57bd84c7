import type { OperatorOrder } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Link } from '../../router.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Section } from '../../ui/page.tsx'
import { askThen } from '../../ui/question.tsx'

type Adjustment = OperatorOrder['adjustments'][number]

interface OrderPaymentProps {
  readonly order: OperatorOrder
  readonly onDone: () => void
}

const BY_HAND = {
  title: translate('Mark as refunded manually?'),
  consequences: translate('Only if the customer has received the money another way. Nothing is sent to them.'),
  action: translate('Mark as refunded'),
  danger: false,
}

/** The totals, payments and refunds of an order. */
export function OrderPayment({ order: { order, adjustments, chargeId, moneyLeft }, onDone }: OrderPaymentProps) {
  const { actionError, busy, run } = useAction(onDone)
  const { totals, money } = order
  const params = (reference: string) => ({ params: { orderId: order.id, reference }, body: {} })
  const todo: Column<Adjustment> = {
    title: translate('Actions'),
    buttons: true,
    show: ({ reference, allowed }) => (
      <div class="actions">
        {allowed.includes('retry') && (
          <button type="button" disabled={busy} onClick={() => run(() => call('retryRefund', params(reference)))}>
            {translate('Retry refund')}
          </button>
        )}
        {allowed.includes('record_paid') && (
          <button
            type="button"
            disabled={busy}
            onClick={() => askThen(BY_HAND, () => run(() => call('recordRefundPaid', params(reference))))}
          >
            {translate('Mark as refunded manually')}
          </button>
        )}
      </div>
    ),
  }
  const columns: readonly Column<Adjustment>[] = [
    { title: translate('Type'), show: ({ kind }) => sentenceCase(kind) },
    { title: translate('Status'), show: ({ state }) => <Status value={state} /> },
    { title: translate('Date'), show: ({ at }) => <DateTime at={at} /> },
    { title: translate('Amount'), numeric: true, show: ({ amount }) => <Amount {...amount} /> },
    ...(adjustments.some(({ allowed }) => allowed.length > 0) ? [todo] : []),
  ]
  return (
    <Section
      title={translate('Payment')}
      actions={chargeId && <Link to={`/payments/${chargeId}`}>{translate('View payment')}</Link>}
    >
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <DescriptionList
        items={[
          [translate('Subtotal'), <Amount key="g" {...totals.itemsSubtotal} />],
          [translate('Discounts'), <Amount key="d" {...totals.itemsDiscount} />],
          [translate('Shipping'), totals.shipping ? <Amount key="s" {...totals.shipping} /> : translate('None')],
          ...(totals.shippingDiscount
            ? [[translate('Shipping discounts'), <Amount key="o" {...totals.shippingDiscount} />] as const]
            : []),
          ...(totals.tax.added.amount > 0
            ? [[translate('Tax'), <Amount key="x" {...totals.tax.added} />] as const]
            : []),
          [translate('Total'), <Amount key="t" {...totals.total} />],
          [translate('Charged'), <Amount key="c" {...money.charged} />],
          [translate('Refunded'), <Amount key="r" {...money.refunded} />],
          [translate('Refund pending'), <Amount key="p" {...money.refundPending} />],
          [translate('Unresolved'), <Amount key="u" {...money.unknown} />],
          ...(money.disputed.amount > 0
            ? [[translate('Disputed'), <Amount key="q" {...money.disputed} />] as const]
            : []),
          [translate('Refundable'), <Amount key="l" {...moneyLeft} />],
        ]}
      />
      <Table
        caption={translate('Refunds')}
        items={adjustments}
        columns={columns}
        keyOf={({ reference }) => reference}
      />
    </Section>
  )
}
