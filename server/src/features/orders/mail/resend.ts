import { fulfillableUnits, isRelease, isUnpaid, type Order } from '../order/order.ts'
import { type OrderMail, orderMail } from './compose.ts'
import type { DocumentLink } from './notifications.ts'

/** A mail about an order that can be sent again, because its content is still true. */
export interface RepeatableMail {
  /** The parcel, refund or request that it is about; `null`: the order itself. */
  readonly reference: string | null
  /** The time of what it reports: the order, the dispatch of the parcel, the refund request or the approval. */
  readonly at: Date
  readonly mail: OrderMail
}

/**
 * The mails about an order that can be sent again, composed from its current state: the confirmation, parcels in transit, and refunds.
 * An imported order has none, because the other system notifies its shopper.
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
