import { type TInteger, type TOptional, Type } from 'typebox'
import type { LineQuantity, Order } from '../../features/orders/index.ts'
import type { Field } from '../toolkit/index.ts'

const LINES_MAX = 100
type UnitsOf = Readonly<Record<string, TOptional<TInteger>>>

/** Form fields with the units of each line: `u1` for the first line. */
export const unitFields: UnitsOf = Object.fromEntries(
  Array.from({ length: LINES_MAX }, (_, index) => [
    `u${index + 1}`,
    Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
  ]),
)

/** The chosen units of an order. */
export function chosenUnits({ lines }: Order, sent: Readonly<Record<string, unknown>>): LineQuantity[] {
  return lines.flatMap(({ id }, index) => {
    const quantity = Number(sent[`u${index + 1}`] ?? 0)
    return quantity > 0 ? [{ lineId: id, quantity }] : []
  })
}

/** The chosen units as URL parameters. */
export function unitParameters(order: Order, units: readonly LineQuantity[]): Readonly<Record<string, string>> {
  const chosen = new Map(units.map(({ lineId, quantity }) => [lineId, quantity]))
  return Object.fromEntries(
    order.lines.flatMap(({ id }, index) => {
      const quantity = chosen.get(id)
      return quantity === undefined ? [] : [[`u${index + 1}`, String(quantity)]]
    }),
  )
}

/** A select field from 0 to the maximum, for each line with a maximum. */
export function unitChoices({ lines }: Order, max: readonly LineQuantity[]): Field[] {
  const most = new Map(max.map(({ lineId, quantity }) => [lineId, quantity]))
  return lines.flatMap(({ id, name, optionLabels }, index) => {
    const units = most.get(id)
    if (units === undefined) return []
    const options = optionLabels.map(({ value }) => value).join(', ')
    return [
      {
        name: `u${index + 1}`,
        label: options === '' ? name : `${name} (${options})`,
        type: 'select' as const,
        options: Array.from({ length: units + 1 }, (_, count) => ({ value: String(count), label: String(count) })),
      },
    ]
  })
}
