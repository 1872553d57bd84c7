import type { Cart } from '@vitrine/sdk'
import type { Visit } from '../visit.ts'

/** What it comes to, as the service has calculated it. */
export function Totals({
  visit,
  totals,
  withShipping = true,
}: {
  visit: Visit
  totals: Cart['totals']
  withShipping?: boolean
}) {
  const { texts, formats } = visit
  const { itemsSubtotal, itemsDiscount, shipping, shippingDiscount, tax, total } = totals
  const shippingPaid = shipping && { ...shipping, amount: shipping.amount - (shippingDiscount?.amount ?? 0) }
  return (
    <dl class="totals">
      <div>
        <dt>{texts.subtotal}</dt>
        <dd>{formats.money(itemsSubtotal)}</dd>
      </div>
      {itemsDiscount.amount > 0 && (
        <div>
          <dt>{texts.discount}</dt>
          <dd>−{formats.money(itemsDiscount)}</dd>
        </div>
      )}
      {withShipping && (
        <div>
          <dt>{texts.shipping}</dt>
          <dd>
            {shippingPaid
              ? shippingPaid.amount === 0
                ? texts.free
                : formats.money(shippingPaid)
              : texts.shippingLater}
          </dd>
        </div>
      )}
      {tax.status !== 'not_calculated' && (
        <div class="small">
          <dt>{texts.taxOf(tax.included)}</dt>
          <dd>{formats.money(tax.amount)}</dd>
        </div>
      )}
      <div class="sum">
        <dt>{texts.total}</dt>
        <dd>{formats.money(total)}</dd>
      </div>
    </dl>
  )
}
