import { AFTER_SALES_KINDS } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'

export type AfterSalesKind = (typeof AFTER_SALES_KINDS)[number]

/** What a store promises after the sale. Saved whole, as a new version each time; a version never changes. */
export interface OrderPolicy {
  readonly cancellation: CancellationRules
  readonly afterSales: AfterSalesRules
  readonly finalSale: FinalSale
}

export interface CancellationRules {
  /** How long after the order it may be asked for. Minutes; `null`: as long as nothing has shipped. */
  readonly windowMinutes: number | null
  /** Whether it is done at once before fulfilment. Otherwise an operator decides each time. */
  readonly automatic: boolean
  readonly restocks: boolean
  /** Whether what a store took for shipping goes back with the last unit of its goods, as long as none has shipped. */
  readonly refundsShipping: boolean
}

export interface AfterSalesRules {
  readonly kinds: Readonly<Record<AfterSalesKind, KindRules>>
  /** When a parcel counts as delivered that nobody has reported. Days after it was dispatched. */
  readonly deliveredAfterDays: number
  /** How long the goods may be on their way back before a request expires. Days after the approval. */
  readonly returnWithinDays: number
  /** By when an operator is to decide. Days after the request; what it says is told, and nothing happens by itself. */
  readonly decideWithinDays: number
  /** What the buyer does with goods that come back, where the operator says nothing else. */
  readonly instructions: string | null
  /** Whether goods that come back are expected on the shelf again. The inspection decides. */
  readonly restocks: boolean
  /** Whether what a store took for shipping goes back with the last unit of its goods. */
  readonly refundsShipping: boolean
}

export interface KindRules {
  readonly offered: boolean
  /** How long after its delivery a unit may be asked about. Days. */
  readonly windowDays: number
  /** Whether a request within the rules is approved at once. Otherwise an operator decides each time. */
  readonly automatic: boolean
}

/** What is sold for good: neither returned nor refunded but by an operator's own decision. Categories hold those below. */
export interface FinalSale {
  readonly skuIds: readonly string[]
  readonly productIds: readonly string[]
  readonly categoryIds: readonly string[]
}

/** What holds for a store that has said nothing: its version is 0. */
export const DEFAULT_POLICY: OrderPolicy = {
  cancellation: { windowMinutes: null, automatic: true, restocks: true, refundsShipping: true },
  afterSales: {
    kinds: {
      refund_only: { offered: true, windowDays: 30, automatic: false },
      return: { offered: true, windowDays: 30, automatic: false },
      exchange: { offered: true, windowDays: 30, automatic: false },
      // Goods are to work for two years: Directive (EU) 2019/771, Article 10.
      repair: { offered: true, windowDays: 730, automatic: false },
    },
    deliveredAfterDays: 14,
    returnWithinDays: 14,
    decideWithinDays: 3,
    instructions: null,
    restocks: true,
    refundsShipping: true,
  },
  finalSale: { skuIds: [], productIds: [], categoryIds: [] },
}

/** A policy with the version by which it is named. */
export interface VersionedPolicy {
  readonly storeId: string
  /** 0: the store has said nothing. */
  readonly version: number
  readonly policy: OrderPolicy
}

const YEARS_10 = 3650
const INSTRUCTIONS_MAX = 2000
const FINAL_SALE_MAX = 10_000

interface Bound {
  readonly field: string
  readonly value: number
  readonly min: number
  readonly max: number
}

/** Refuses `validation_failed` with each number that is out of its bounds. */
export function refusePolicyFaults(policy: OrderPolicy): void {
  const faults = boundsOf(policy).filter(
    ({ value, min, max }) => !(Number.isInteger(value) && value >= min && value <= max),
  )
  if (faults.length === 0) return
  refuse('validation_failed', {
    faults: faults.slice(0, 20).map(({ field, min, max }) => {
      return { field, code: 'out_of_range', message: `${min} to ${max}`, params: { min, max } }
    }),
  })
}

function boundsOf({ cancellation, afterSales, finalSale }: OrderPolicy): readonly Bound[] {
  const days = (field: string, value: number, min: number) => ({ field, value, min, max: YEARS_10 })
  return [
    { field: 'cancellation/windowMinutes', value: cancellation.windowMinutes ?? 1, min: 1, max: YEARS_10 * 1440 },
    ...AFTER_SALES_KINDS.map((kind) =>
      days(`afterSales/kinds/${kind}/windowDays`, afterSales.kinds[kind].windowDays, 0),
    ),
    days('afterSales/deliveredAfterDays', afterSales.deliveredAfterDays, 0),
    days('afterSales/returnWithinDays', afterSales.returnWithinDays, 1),
    days('afterSales/decideWithinDays', afterSales.decideWithinDays, 1),
    {
      field: 'afterSales/instructions',
      value: afterSales.instructions?.length ?? 1,
      min: 1,
      max: INSTRUCTIONS_MAX,
    },
    ...Object.entries(finalSale).map(([name, ids]) => {
      return { field: `finalSale/${name}`, value: ids.length, min: 0, max: FINAL_SALE_MAX }
    }),
  ]
}

/** What of a SKU decides whether it is sold for good. */
export interface SoldThing {
  readonly skuId: string
  readonly productId: string
  /** With their ancestors. */
  readonly categoryIds: readonly string[]
}

export function isFinalSale({ finalSale }: OrderPolicy, { skuId, productId, categoryIds }: SoldThing): boolean {
  return (
    finalSale.skuIds.includes(skuId) ||
    finalSale.productIds.includes(productId) ||
    categoryIds.some((id) => finalSale.categoryIds.includes(id))
  )
}
