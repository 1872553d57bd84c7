import type { OperatorProduct } from '@vitrine/contract/operator'
import { formatAmount } from '../../ui/format/values.tsx'

type Sku = OperatorProduct['skus'][number]

/** A price before and after a change, as shown. */
interface PriceChange {
  readonly code: string
  readonly before: string
  readonly after: string
}

/** The amount changed by a percentage, half up, and never below zero. */
function changedAmount(amount: number, percent: number): number {
  return Math.max(0, Math.round((amount * (100 + percent)) / 100))
}

/**
 * The SKUs with changed prices. A compare-at price stays while it is above the price. With `keepFormer`, a reduced price without one
 * gets the former price as its compare-at price.
 */
export function withPrices(skus: readonly Sku[], percent: number, keepFormer: boolean) {
  return skus.map(({ id, prices }) => ({
    id,
    prices: prices.map(({ currency, amount, compareAt }) => {
      const changed = changedAmount(amount, percent)
      const former = compareAt ?? (keepFormer && changed < amount ? amount : undefined)
      return { currency, amount: changed, ...(former !== undefined && former > changed && { compareAt: former }) }
    }),
  }))
}

export function priceChanges(skus: readonly Sku[], percent: number): readonly PriceChange[] {
  return skus.flatMap(({ code, prices }) =>
    prices.map(({ currency, amount }) => ({
      code,
      before: formatAmount({ amount, currency }),
      after: formatAmount({ amount: changedAmount(amount, percent), currency }),
    })),
  )
}
