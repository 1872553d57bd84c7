import type { AfterSales, Carriage } from '../../after-sales/after-sales.ts'
import { fulfillableUnits, type LineQuantity, type Order, type Parcel } from '../order/order.ts'

/** A document that was accepted, and where it can be read for good. */
export interface DocumentLink {
  readonly title: string
  readonly url: string
}

/** Something that the shopper is told of, each by a mail of its own. */
export type OrderNews =
  | { readonly kind: 'confirmed'; readonly documents: readonly DocumentLink[] }
  | { readonly kind: 'parcel'; readonly parcel: Parcel; readonly isLast: boolean }
  | { readonly kind: 'canceled'; readonly units: readonly LineQuantity[]; readonly refund: bigint }
  | { readonly kind: 'refunded'; readonly amount: bigint }
  | { readonly kind: 'requested' | 'approved' | 'declined'; readonly request: AfterSales }
  | { readonly kind: 'sent'; readonly request: AfterSales; readonly carriage: Carriage }

/** What a change of an order tells its shopper. A change happens once, so each of its news does. */
export function newsOfChange(before: Order, after: Order): readonly OrderNews[] {
  return [...parcelNews(before, after), ...cancellationNews(before, after), ...refundNews(before, after)]
}

/** What a change of a request tells the shopper who made it; `before` is `null` of one that was just made. */
export function newsOfRequest(before: AfterSales | null, request: AfterSales): readonly OrderNews[] {
  if (request.declineReason !== null && before?.declineReason == null) return [{ kind: 'declined', request }]
  if (request.approval !== null && before?.approval == null) return [{ kind: 'approved', request }]
  return before === null ? [{ kind: 'requested', request }] : []
}

/** What arrived as it left was sent by mail, with the keys in it. */
function parcelNews(before: Order, after: Order): readonly OrderNews[] {
  const isLast = after.lines.every(({ units }) => fulfillableUnits(units) === 0)
  return after.parcels
    .slice(before.parcels.length)
    .filter(({ status }) => status === 'dispatched')
    .map((parcel) => ({ kind: 'parcel', parcel, isLast }))
}

function cancellationNews(before: Order, after: Order): readonly OrderNews[] {
  const units = after.lines.flatMap(({ id, units: { canceled } }, index) => {
    const quantity = canceled - (before.lines[index]?.units.canceled ?? 0)
    return quantity > 0 ? [{ lineId: id, quantity }] : []
  })
  if (units.length === 0) return []
  const refund = after.money.refundPending - before.money.refundPending
  return [{ kind: 'canceled', units, refund }]
}

function refundNews(before: Order, after: Order): readonly OrderNews[] {
  const paid = new Set(before.adjustments.filter(({ state }) => state === 'succeeded').map((each) => each.reference))
  return after.adjustments
    .filter(({ reference, state }) => state === 'succeeded' && !paid.has(reference))
    .map(({ amount }) => ({ kind: 'refunded', amount }))
}
