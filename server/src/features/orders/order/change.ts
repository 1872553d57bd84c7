import { assert } from '../../../kernel/assert.ts'
import type { Saying, ShopperTexts } from '../../../kernel/languages/texts.ts'
import {
  type CommandContext,
  type LineQuantity,
  type LineUnits,
  lineOf,
  type Order,
  type OrderLine,
  type OrderTimelineEntry,
} from './order.ts'

/** The code and the facts of a timeline entry, without its text. */
type OrderNote = Saying<ShopperTexts['orderTimeline']>

/** Applies a decision to the units of some lines. Each line is listed once. */
export function withUnits(
  order: Order,
  requested: readonly LineQuantity[],
  decide: (units: LineUnits, quantity: number) => LineUnits,
): readonly OrderLine[] {
  for (const { lineId, quantity } of requested) {
    assert(quantity > 0, 'at least one unit')
    lineOf(order, lineId)
  }
  assert(new Set(requested.map(({ lineId }) => lineId)).size === requested.length, 'each line is listed once')
  return order.lines.map((line) => {
    const request = requested.find(({ lineId }) => lineId === line.id)
    return request === undefined ? line : { ...line, units: decide(line.units, request.quantity) }
  })
}

/** The order after a change: the next version, with a timeline entry. */
export function changed(order: Order, context: CommandContext, change: Partial<Order>, note: OrderNote): Order {
  const updatedAt = context.now > order.updatedAt ? context.now : order.updatedAt
  const timeline = [...order.timeline, { ...entryOf(context, note), storeIds: storesOfChange(order, change) }]
  return { ...order, ...change, version: order.version + 1, updatedAt, timeline }
}

/** A timeline entry about the order as a whole. */
export function entryOf({ now, actor }: CommandContext, note: OrderNote): OrderTimelineEntry {
  return { at: now, actor, ...note, storeIds: null }
}

/** The stores whose units, parcels or money a change is about; `null` if there are none, or the order has one store. */
function storesOfChange(order: Order, change: Partial<Order>): readonly string[] | null {
  if (order.storeId !== null) return null
  const isNew = (before: readonly object[]) => (part: object) => !before.includes(part)
  const lineIds = (change.parcels ?? []).filter(isNew(order.parcels)).flatMap(({ lines }) => lines)
  const storeIds = new Set([
    ...(change.lines ?? []).filter(isNew(order.lines)).map(({ storeId }) => storeId),
    ...(change.shipping ?? []).filter(isNew(order.shipping)).map(({ storeId }) => storeId),
    ...lineIds.map(({ lineId }) => lineOf(order, lineId).storeId),
    ...(change.adjustments ?? []).filter(isNew(order.adjustments)).flatMap(({ byStore }) => Object.keys(byStore ?? {})),
  ])
  return storeIds.size === 0 ? null : [...storeIds]
}

/** The number of units. */
export function countOf(lines: readonly LineQuantity[]): number {
  return lines.reduce((total, { quantity }) => total + quantity, 0)
}
