import { fulfillableUnits, isRelease, isUnpaid, type Order } from '../order/order.ts'
import { type OrderMail, orderMail } from './compose.ts'
import type { DocumentLink } from './notifications.ts'

/** A mail about an order that can be sent again: what it says is still true. */
export interface RepeatableMail {
  /** The parcel, refund or request that it is about; `null`: the order itself. */
  readonly reference: string | null
  /** When it was first sent. */
  readonly at: Date
  readonly mail: OrderMail
}

/**
 * The mails about an order that can be sent again, as the order is now: its confirmation, parcels on their way, and refunds. None
 * of an imported order, whose shopper hears from elsewhere.
 */
export function repeatableMails(order: Order, documents: readonly DocumentLink[]): readonly RepeatableMail[] {
  if (order.source !== 'hosted_checkout' || order.status === 'canceled') return refundMails(order)
  const isLast = order.lines.every(({ units }) => fulfillableUnits(units) === 0)
  const confirmation = orderMail({ kind: isUnpaid(order) ? 'received' : 'confirmed', documents })
  const parcels = order.parcels.filter(({ status }) => status === 'dispatched')
  return [
    { reference: null, at: order.placedAt, mail: confirmation },
    ...parcels.map((parcel) => {
      return { reference: parcel.id, at: parcel.dispatchedAt, mail: orderMail({ kind: 'parcel', parcel, isLast }) }
    }),
    ...refundMails(order),
  ]
}

function refundMails({ source, adjustments }: Order): readonly RepeatableMail[] {
  if (source !== 'hosted_checkout') return []
  return adjustments
    .filter((each) => each.state === 'succeeded' && !isRelease(each))
    .map(({ reference, amount, at }) => ({ reference, at, mail: orderMail({ kind: 'refunded', amount, reference }) }))
}
