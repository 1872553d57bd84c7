import type { Cart } from '@vitrine/sdk'
import { type FactRow, Facts, useVisit } from './elements.tsx'

interface TotalsProps {
  readonly totals: Cart['totals']
  /** Whether shipping is still to be chosen, if there is none yet. */
  readonly isShipped?: boolean
}

/** The totals, as the service has calculated them. */
export function Totals({ totals, isShipped = false }: TotalsProps) {
  const { texts, formats } = useVisit()
  const { itemsSubtotal, itemsDiscount, shipping, shippingDiscount, tax, total } = totals
  const discount = shippingDiscount?.amount ?? 0
  const paid = shipping && { ...shipping, amount: shipping.amount - discount }
  const rows: FactRow[] = [[texts.subtotal, formats.money(itemsSubtotal)]]
  if (itemsDiscount.amount > 0) rows.push([texts.discount, `−${formats.money(itemsDiscount)}`])
  if (!paid && isShipped) rows.push([texts.shipping, texts.shippingLater])
  if (paid) {
    const price = paid.amount === 0 ? texts.free : formats.money(paid)
    rows.push([texts.shipping, discount > 0 ? [<s>{formats.money(shipping)}</s>, ' ', price] : price])
  }
  if (tax.status !== 'not_calculated') rows.push([texts.taxOf(tax.included), formats.money(tax.amount), 'small'])
  rows.push([texts.total, formats.money(total), 'sum'])
  return <Facts of="totals" rows={rows} />
}
