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
  if (tax.status !== 'not_calculated' && !tax.included) rows.push([texts.tax, formats.money(tax.added)])
  rows.push([texts.total, formats.money(total), 'sum'])
  // Some stores of a cart may have prices with tax, and some without.
  const included = tax.status === 'not_calculated' ? 0 : tax.amount.amount - tax.added.amount
  if (included > 0) rows.push([texts.taxIncludedOf, formats.money({ ...tax.amount, amount: included }), 'small'])
  return <Facts of="totals" rows={rows} />
}

/** What a line costs after its discounts, with or without tax as in the price of a unit, so that the lines add up to the subtotal. */
export function lineAmount({ subtotal, discountAllocations }: Pick<Cart['lines'][number], LinePart>) {
  const discount = discountAllocations.reduce((sum, { amount }) => sum + amount.amount, 0)
  return { ...subtotal, amount: subtotal.amount - discount }
}

type LinePart = 'subtotal' | 'discountAllocations'
