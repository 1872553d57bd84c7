import type { OperatorSales } from '@vitrine/contract/operator'
import { locale, translate } from '../../language.ts'
import type { Point } from '../../ui/chart.tsx'
import { digitsOf } from '../../ui/form/amount-input.ts'
import { formatAmount, formatNumber } from '../../ui/format/values.tsx'

type Period = OperatorSales['current']

const DAY_MS = 86_400_000
const dayOf = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

/** The sums of one or more days. */
interface Sums {
  readonly charged: number
  readonly refunded: number
  readonly orders: number
  readonly ordersOfAll: number
  readonly begun: number
  readonly completed: number
}

/** A sales figure. Its value for a day or a period is `NaN` if there is none. */
export interface Figure {
  readonly title: string
  readonly valueOf: (sums: Sums) => number
  readonly text: (value: number) => string
  /** A short text for the axis of the chart. */
  readonly axis: (value: number) => string
}

/** The figures of a currency. The conversion and the number of orders cover all currencies. */
export function figuresOf(currency: string): readonly Figure[] {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, notation: 'compact' })
  const minor = 10 ** digitsOf(currency)
  const amount = orDash((value) => formatAmount({ amount: Math.round(value), currency }))
  const axis = (value: number) => format.format(value / minor)
  return [
    { title: translate('Revenue'), valueOf: ({ charged, refunded }) => charged - refunded, text: amount, axis },
    { title: translate('Orders'), valueOf: ({ ordersOfAll }) => ordersOfAll, text: formatNumber, axis: formatNumber },
    {
      title: translate('Conversion'),
      valueOf: ({ completed, begun }) => completed / begun,
      text: orDash((value) => percent.format(value)),
      axis: (value) => percent.format(value),
    },
    {
      title: translate('Average order'),
      valueOf: ({ charged, orders }) => charged / orders,
      text: amount,
      axis,
    },
  ]
}

/** Formats a value, or shows a dash for `NaN`: without orders there is no rate and no average. */
function orDash(text: (value: number) => string): (value: number) => string {
  return (value) => (Number.isNaN(value) ? '–' : text(value))
}

/** The currencies of both periods, the one with the most orders first. */
export function currenciesOf({ current, before }: OperatorSales): readonly string[] {
  const orders = new Map<string, number>()
  for (const day of [...current.orders, ...before.orders]) {
    orders.set(day.currency, (orders.get(day.currency) ?? 0) + day.orders)
  }
  return [...orders].toSorted(([, one], [, other]) => other - one).map(([currency]) => currency)
}

/** The sums of a period, or of one day of it. */
export function sumsOf({ orders, checkouts }: Period, currency: string, day?: string): Sums {
  const sum = { charged: 0, refunded: 0, orders: 0, ordersOfAll: 0, begun: 0, completed: 0 }
  for (const each of orders) {
    if (day !== undefined && each.day !== day) continue
    sum.ordersOfAll += each.orders
    if (each.currency !== currency) continue
    sum.orders += each.orders
    sum.charged += each.charged.amount
    sum.refunded += each.refunded.amount
  }
  for (const each of checkouts) {
    if (day !== undefined && each.day !== day) continue
    sum.begun += each.begun
    sum.completed += each.completed
  }
  return sum
}

/** One point per day, including days without sales, compared with the same day of the previous period. */
export function pointsOf({ current, before, now }: OperatorSales, figure: Figure, currency: string): Point[] {
  const points: Point[] = []
  const [start, startBefore] = [Date.parse(current.since), Date.parse(before.since)]
  for (let at = start; at <= Date.parse(now); at += DAY_MS) {
    points.push({
      label: dayOf.format(at),
      value: figure.valueOf(sumsOf(current, currency, isoDay(at))) || 0,
      compared: figure.valueOf(sumsOf(before, currency, isoDay(startBefore + at - start))) || 0,
    })
  }
  return points
}

const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10)
