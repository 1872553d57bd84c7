import type { Money } from '@vitrine/contract'
import type { OperatorOrder } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Link } from '../../router.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, formatAmount, Status } from '../../ui/format/values.tsx'
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

const less = (money: Money): Money => ({ ...money, amount: -money.amount })

/** The amount paid, and each amount that needs attention, such as a pending or disputed one. */
function figuresOf(
  { totals: { total }, money, paymentStatus }: OperatorOrder['order'],
  moneyLeft: Money,
): readonly (readonly [string, Money])[] {
  const isDue = paymentStatus === 'pending' || paymentStatus === 'authorized'
  const due = { ...total, amount: isDue ? total.amount - money.charged.amount : 0 }
  const more = [
    [translate('Due'), due],
    [translate('Refunded'), money.refunded],
    [translate('To refund'), money.refundPending],
    [translate('Unresolved'), money.unknown],
    [translate('Disputed'), money.disputed],
  ] as const
  const isPartlyRefundable = moneyLeft.amount > 0 && moneyLeft.amount < money.charged.amount
  return [
    [translate('Paid'), money.charged],
    ...more.filter(([, { amount }]) => amount > 0),
    ...(isPartlyRefundable ? [[translate('Refundable'), moneyLeft] as const] : []),
  ]
}

const MARK_REFUNDED = {
  title: translate('Mark as refunded manually?'),
  consequences: translate('Only if the customer has received the money another way. Nothing is sent to them.'),
  action: translate('Mark as refunded'),
  danger: false,
}

const MARK_RETURNED = {
  title: translate('Mark the refund as returned by the bank?'),
  consequences: translate('Only if the money has come back, such as from a closed account. The refund is owed again.'),
  action: translate('Mark as returned by the bank'),
  danger: false,
}

/** The actions of a refund, and what each asks first. */
const STEPS = [
  ['retry', 'retryRefund', translate('Retry refund'), null],
  ['record_paid', 'recordRefundPaid', translate('Mark as refunded manually'), MARK_REFUNDED],
  ['record_returned', 'recordRefundReturned', translate('Mark as returned by the bank'), MARK_RETURNED],
] as const

/** The totals, payments and refunds of an order. */
export function OrderPayment({ order: { order, adjustments, chargeId, moneyLeft }, onDone }: OrderPaymentProps) {
  const figures = figuresOf(order, moneyLeft)
  const { actionError, busy, run } = useAction(onDone)
  const { totals } = order
  const may = useMay()
  const params = (reference: string) => ({ params: { orderId: order.id, reference }, body: {} })
  const todo: Column<Adjustment> = {
    title: translate('Actions'),
    buttons: true,
    show: ({ reference, allowed }) => (
      <div class="actions">
        {STEPS.filter(([step, operation]) => allowed.includes(step) && may(operation)).map(
          ([step, operation, label, question]) => {
            const act = () => run(() => call(operation, params(reference)))
            return (
              <button
                key={step}
                type="button"
                disabled={busy}
                onClick={() => (question ? askThen(question, act) : act())}
              >
                {label}
              </button>
            )
          },
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
      actions={chargeId && may('getPayment') && <Link to={`/payments/${chargeId}`}>{translate('View payment')}</Link>}
    >
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <div class="figures">
        {figures.map(([name, amount]) => (
          <div key={name} class="figure">
            <span class="small">{name}</span>
            <strong>{formatAmount(amount)}</strong>
          </div>
        ))}
      </div>
      <DescriptionList
        items={[
          [translate('Subtotal'), <Amount key="g" {...totals.itemsSubtotal} />],
          ...(totals.itemsDiscount.amount > 0
            ? [[translate('Discounts'), <Amount key="d" {...less(totals.itemsDiscount)} />] as const]
            : []),
          [translate('Shipping'), totals.shipping ? <Amount key="s" {...totals.shipping} /> : translate('None')],
          ...(totals.shippingDiscount && totals.shippingDiscount.amount > 0
            ? [[translate('Shipping discounts'), <Amount key="o" {...less(totals.shippingDiscount)} />] as const]
            : []),
          ...(totals.tax.added.amount > 0
            ? [[translate('Tax'), <Amount key="x" {...totals.tax.added} />] as const]
            : []),
          [translate('Total'), <Amount key="t" {...totals.total} />],
        ]}
      />
      {adjustments.length > 0 && (
        <Table
          caption={translate('Refunds')}
          items={adjustments}
          columns={columns}
          keyOf={({ reference }) => reference}
        />
      )}
    </Section>
  )
}
