import { present } from '../../../kernel/assert.ts'
import { allocate, sum } from '../../../kernel/money.ts'
import type { OrderStatus } from './machine.ts'
import {
  type Adjustment,
  type AmountByStore,
  currentUnits,
  fulfillableUnits,
  isRelease,
  type LineQuantity,
  type Order,
  type OrderLine,
  storesOf,
} from './order.ts'

/**
 * The share of one store in an order, which a credential narrowed to that store sees: its lines, shipping, parcels, totals and money,
 * and the timeline without entries about other stores. An order with lines of that store only is returned as it is.
 *
 * A share has no cart, session and metadata, because these describe the whole purchase.
 *
 * @see docs/decisions/0080-the-order-whole-and-shared.md
 */
export function shareOf(order: Order, storeId: string): Order {
  if (order.storeId === storeId) return order
  const lines = order.lines.filter((line) => line.storeId === storeId)
  const shipping = order.shipping.filter((each) => each.storeId === storeId)
  const { charge } = order.money
  const adjustments = adjustmentsOf(order, storeId)
  const refunds = adjustments.filter((each) => !isRelease(each))
  const { storeId: _, ...totals } = present(
    order.totals.byStore.find((each) => each.storeId === storeId),
    `totals of ${storeId}`,
  )
  return {
    ...order,
    storeId,
    share: { storeId, whole: order },
    status: statusOf(order, lines),
    cartId: null,
    sessionId: null,
    metadata: {},
    lines,
    shipping,
    totals: { ...totals, byStore: [{ storeId, ...totals }], rounding: order.totals.rounding },
    money: {
      charge,
      charged: chargeOf(order, storeId) - sum(adjustments.filter(isRelease).map(({ amount }) => amount)),
      refunded: sumOf(refunds, 'succeeded'),
      refundPending: sumOf(refunds, 'pending') + sumOf(refunds, 'failed'),
      unknown: sumOf(refunds, 'unknown'),
      disputed: disputedOf(order, storeId),
    },
    parcels: order.parcels.flatMap((parcel) => {
      const own = ofLines({ lines }, parcel.lines)
      return own.length === 0 ? [] : [{ ...parcel, lines: own }]
    }),
    adjustments,
    timeline: order.timeline.filter(({ code, storeIds }) => {
      return !OF_ALL_STORES.has(code) && (storeIds ?? []).every((each) => each === storeId)
    }),
  }
}

/** The whole order of a share; the order itself if it is whole. Changes are made to whole orders only. */
export function wholeOf(order: Order): Order {
  return order.share?.whole ?? order
}

/** An order after a change, narrowed to the share that was shown before. */
export function asShown(before: Order, after: Order): Order {
  return before.share === null ? after : shareOf(after, before.share.storeId)
}

/** The units that belong to lines of an order or a share. */
export function ofLines<Units extends LineQuantity>(
  { lines }: { readonly lines: readonly Pick<OrderLine, 'id'>[] },
  units: readonly Units[],
): readonly Units[] {
  const ids = new Set(lines.map(({ id }) => id))
  return units.filter(({ lineId }) => ids.has(lineId))
}

/** Codes of entries about the goods of all stores. */
const OF_ALL_STORES: ReadonlySet<string> = new Set(['canceled', 'completed'])

/** The status of a share: all its units may be dispatched or canceled before those of other stores. */
function statusOf({ status }: Order, lines: readonly OrderLine[]): OrderStatus {
  if (status === 'on_hold') return status
  if (lines.every(({ units }) => currentUnits(units) === 0)) return 'canceled'
  return lines.every(({ units }) => fulfillableUnits(units) === 0) ? 'completed' : status
}

function chargeOf({ lines, shipping, money }: Order, storeId: string): bigint {
  if (money.charged === 0n) return 0n
  return sum([...lines, ...shipping].filter((part) => part.storeId === storeId).map(({ total }) => total))
}

/** The disputed amount of a store, in proportion to its part of the charge. */
function disputedOf(order: Order, storeId: string): bigint {
  const { disputed } = order.money
  if (disputed === 0n) return 0n
  return split(disputed, new Map(storesOf(order).map((each) => [each, chargeOf(order, each)])))[storeId] ?? 0n
}

/**
 * The refunds of a store. A refund without units is split in proportion to what the others leave of each store's charge, so that all
 * shares add up to the whole.
 */
function adjustmentsOf(order: Order, storeId: string): readonly Adjustment[] {
  const stores = storesOf(order)
  const left = new Map(stores.map((each) => [each, chargeOf(order, each)]))
  const take = (byStore: AmountByStore) => {
    for (const [each, amount] of Object.entries(byStore)) left.set(each, (left.get(each) ?? 0n) - amount)
    return byStore
  }
  for (const { byStore } of order.adjustments) if (byStore !== null) take(byStore)
  return order.adjustments.flatMap((adjustment) => {
    const byStore = adjustment.byStore ?? take(split(adjustment.amount, left))
    const amount = byStore[storeId] ?? 0n
    return amount > 0n ? [{ ...adjustment, amount, byStore: null }] : []
  })
}

function split(amount: bigint, left: ReadonlyMap<string, bigint>): AmountByStore {
  const amounts = allocate(amount, [...left.values()])
  return Object.fromEntries([...left.keys()].map((storeId, index) => [storeId, amounts[index] ?? 0n]))
}

function sumOf(adjustments: readonly Adjustment[], state: Adjustment['state']): bigint {
  return sum(adjustments.filter((each) => each.state === state).map(({ amount }) => amount))
}
