import { assert } from '../../../kernel/assert.ts'
import {
  type CommandContext,
  type LineQuantity,
  type LineUnits,
  lineOf,
  type Order,
  type OrderLine,
  type TimelineEntry,
} from './order.ts'

/** Applies a decision to the units of some lines. Each line is listed once. */
export function withUnits(
  order: Order,
  wishes: readonly LineQuantity[],
  decide: (units: LineUnits, quantity: number) => LineUnits,
): readonly OrderLine[] {
  for (const { lineId, quantity } of wishes) {
    assert(quantity > 0, 'at least one unit')
    lineOf(order, lineId)
  }
  assert(new Set(wishes.map(({ lineId }) => lineId)).size === wishes.length, 'each line is listed once')
  return order.lines.map((line) => {
    const wish = wishes.find(({ lineId }) => lineId === line.id)
    return wish === undefined ? line : { ...line, units: decide(line.units, wish.quantity) }
  })
}

/** The order after a change: the next version, with a timeline entry. */
export function changed(
  order: Order,
  context: CommandContext,
  change: Partial<Order>,
  code: string,
  text: string,
): Order {
  const updatedAt = context.now > order.updatedAt ? context.now : order.updatedAt
  const timeline = [...order.timeline, entryOf(context, code, text)]
  return { ...order, ...change, version: order.version + 1, updatedAt, timeline }
}

/** A timeline entry. */
export function entryOf({ now, actor }: CommandContext, code: string, text: string): TimelineEntry {
  return { at: now, code, text, actor }
}

/** `1 unit was` or `7 units were`. */
export function countOf(lines: readonly LineQuantity[]): string {
  const units = lines.reduce((total, { quantity }) => total + quantity, 0)
  return units === 1 ? '1 unit was' : `${units} units were`
}
