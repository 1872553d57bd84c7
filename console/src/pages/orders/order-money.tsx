import type { OperatorOrder } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { Link } from '../../router.tsx'
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

/** Where the money of an order is, and what goes back. */
export function OrderMoney({ order: { order, adjustments, chargeId, moneyLeft }, onDone }: OrderMoneyProps) {
  const { failed, busy, act } = useAct(onDone)
  const { totals, money } = order
  const params = (reference: string) => ({ params: { orderId: order.id, reference }, body: {} })
  const todo: Column<Adjustment> = {
    title: 'Do',
    acts: true,
    show: ({ reference, allowed }) => (
      <div class="actions">
        {allowed.includes('retry') && (
          <button type="button" disabled={busy} onClick={() => act(() => call('retryRefund', params(reference)))}>
            Ask again
          </button>
        )}
        {allowed.includes('record_paid') && (
          <button
            type="button"
            disabled={busy}
            onClick={() =>
              confirm('Has the money gone back to the buyer by another way?') &&
              act(() => call('recordRefundPaid', params(reference)))
            }
          >
            It was paid otherwise
          </button>
        )}
      </div>
    ),
  }
  const columns: readonly Column<Adjustment>[] = [
    { title: 'What', show: ({ kind }) => kind },
    { title: 'State', show: ({ state }) => <Status value={state} /> },
    { title: 'When', show: ({ at }) => <When at={at} /> },
    { title: 'Amount', figure: true, show: ({ amount }) => <Amount {...amount} /> },
    ...(adjustments.some(({ allowed }) => allowed.length > 0) ? [todo] : []),
  ]
  return (
    <Section title="Money" actions={chargeId && <Link to={`/payments/${chargeId}`}>The payment</Link>}>
      {failed ? <ErrorNotice error={failed} /> : null}
      <Facts
        facts={[
          ['Goods', <Amount key="g" {...totals.itemsSubtotal} />],
          ['Off the goods', <Amount key="d" {...totals.itemsDiscount} />],
          ['Shipping', totals.shipping ? <Amount key="s" {...totals.shipping} /> : 'none'],
          ...(totals.shippingDiscount
            ? [['Off the shipping', <Amount key="o" {...totals.shippingDiscount} />] as const]
            : []),
          ...(totals.tax.added.amount > 0 ? [['Tax on top', <Amount key="x" {...totals.tax.added} />] as const] : []),
          ['Total', <Amount key="t" {...totals.total} />],
          ['Charged', <Amount key="c" {...money.charged} />],
          ['Given back', <Amount key="r" {...money.refunded} />],
          ['On its way back', <Amount key="p" {...money.refundPending} />],
          ['Being looked up', <Amount key="u" {...money.unknown} />],
          ['Can be given back', <Amount key="l" {...moneyLeft} />],
        ]}
      />
      <Table caption="What goes back" items={adjustments} columns={columns} keyOf={({ reference }) => reference} />
    </Section>
  )
}
