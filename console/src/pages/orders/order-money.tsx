import type { OperatorOrder } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { Link } from '../../router.tsx'
import { asSentence } from '../../ui/format/text.ts'
import { Amount, Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Section } from '../../ui/page.tsx'

type Adjustment = OperatorOrder['adjustments'][number]

interface OrderMoneyProps {
  readonly order: OperatorOrder
  readonly onDone: () => void
}

/** The totals, payments and refunds of an order. */
export function OrderMoney({ order: { order, adjustments, chargeId, moneyLeft }, onDone }: OrderMoneyProps) {
  const { failed, busy, act } = useAct(onDone)
  const { totals, money } = order
  const params = (reference: string) => ({ params: { orderId: order.id, reference }, body: {} })
  const todo: Column<Adjustment> = {
    title: 'Actions',
    acts: true,
    show: ({ reference, allowed }) => (
      <div class="actions">
        {allowed.includes('retry') && (
          <button type="button" disabled={busy} onClick={() => act(() => call('retryRefund', params(reference)))}>
            Retry refund
          </button>
        )}
        {allowed.includes('record_paid') && (
          <button
            type="button"
            disabled={busy}
            onClick={() =>
              confirm('Was the money returned to the customer another way?') &&
              act(() => call('recordRefundPaid', params(reference)))
            }
          >
            Mark as refunded manually
          </button>
        )}
      </div>
    ),
  }
  const columns: readonly Column<Adjustment>[] = [
    { title: 'Type', show: ({ kind }) => asSentence(kind) },
    { title: 'Status', show: ({ state }) => <Status value={state} /> },
    { title: 'Date', show: ({ at }) => <When at={at} /> },
    { title: 'Amount', figure: true, show: ({ amount }) => <Amount {...amount} /> },
    ...(adjustments.some(({ allowed }) => allowed.length > 0) ? [todo] : []),
  ]
  return (
    <Section title="Payment" actions={chargeId && <Link to={`/payments/${chargeId}`}>View payment</Link>}>
      {failed ? <ErrorNotice error={failed} /> : null}
      <Facts
        facts={[
          ['Subtotal', <Amount key="g" {...totals.itemsSubtotal} />],
          ['Discounts', <Amount key="d" {...totals.itemsDiscount} />],
          ['Shipping', totals.shipping ? <Amount key="s" {...totals.shipping} /> : 'None'],
          ...(totals.shippingDiscount
            ? [['Shipping discounts', <Amount key="o" {...totals.shippingDiscount} />] as const]
            : []),
          ...(totals.tax.added.amount > 0 ? [['Tax', <Amount key="x" {...totals.tax.added} />] as const] : []),
          ['Total', <Amount key="t" {...totals.total} />],
          ['Charged', <Amount key="c" {...money.charged} />],
          ['Refunded', <Amount key="r" {...money.refunded} />],
          ['Refund pending', <Amount key="p" {...money.refundPending} />],
          ['Unresolved', <Amount key="u" {...money.unknown} />],
          ['Refundable', <Amount key="l" {...moneyLeft} />],
        ]}
      />
      <Table caption="Refunds" items={adjustments} columns={columns} keyOf={({ reference }) => reference} />
    </Section>
  )
}
