import { fulfillableUnits, isRelease, isUnpaid, type LineQuantity, type Order, type Parcel } from '../order/order.ts'

/** An accepted document, and its permanent link. */
export interface DocumentLink {
  readonly title: string
  readonly url: string
}

/** An update that the shopper gets a mail about. */
export type OrderNotification =
  /** `received`: the order is not paid yet. */
  | { readonly kind: 'confirmed' | 'received'; readonly documents: readonly DocumentLink[] }
  | { readonly kind: 'parcel'; readonly parcel: Parcel; readonly isLast: boolean }
  | {
      readonly kind: 'canceled'
      readonly units: readonly LineQuantity[]
      readonly refund: bigint
      readonly isWhole: boolean
      /** The payment failed. */
      readonly isUnpaid: boolean
    }
  | { readonly kind: 'refunded'; readonly amount: bigint; readonly reference: string }
  | { readonly kind: 'paid'; readonly amount: bigint }

/** The notifications of a change. A change is saved once, so each is sent once. */
export function notificationsOfChange(before: Order, after: Order): readonly OrderNotification[] {
  return [
    ...parcelNotifications(before, after),
    ...cancellationNotifications(before, after),
    ...refundNotifications(before, after),
    ...paymentNotifications(before, after),
  ]
}

/** A parcel that is delivered at once needs no mail: its license keys were mailed, or its goods were handed over. */
function parcelNotifications(before: Order, after: Order): readonly OrderNotification[] {
  const isLast = after.lines.every(({ units }) => fulfillableUnits(units) === 0)
  return after.parcels
    .slice(before.parcels.length)
    .filter(({ status }) => status === 'dispatched')
    .map((parcel) => ({ kind: 'parcel', parcel, isLast }))
}

function cancellationNotifications(before: Order, after: Order): readonly OrderNotification[] {
  const units = after.lines.flatMap(({ id, units: { canceled } }, index) => {
    const quantity = canceled - (before.lines[index]?.units.canceled ?? 0)
    return quantity > 0 ? [{ lineId: id, quantity }] : []
  })
  if (units.length === 0) return []
  const refund = after.money.refundPending - before.money.refundPending
  const isUnpaidFor = after.money.charge === 'failed' && before.money.charge !== 'failed'
  return [{ kind: 'canceled', units, refund, isWhole: after.status === 'canceled', isUnpaid: isUnpaidFor }]
}

function refundNotifications(before: Order, after: Order): readonly OrderNotification[] {
  const paid = new Set(before.adjustments.filter(({ state }) => state === 'succeeded').map((each) => each.reference))
  return after.adjustments
    .filter((each) => each.state === 'succeeded' && !paid.has(each.reference) && !isRelease(each))
    .map(({ amount, reference }) => ({ kind: 'refunded', amount, reference }))
}

/** The payment of an order that was placed unpaid. */
function paymentNotifications(before: Order, after: Order): readonly OrderNotification[] {
  const isPaid = isUnpaid(before) && after.money.charge === 'captured'
  return isPaid ? [{ kind: 'paid', amount: after.money.charged }] : []
}
