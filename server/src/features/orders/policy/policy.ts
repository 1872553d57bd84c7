import { AFTER_SALES_KINDS } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'

export type AfterSalesKind = (typeof AFTER_SALES_KINDS)[number]

/** A store's cancellation and after-sales rules. Saved as a whole, as a new version; a version never changes. */
export interface OrderPolicy {
  readonly cancellation: CancellationRules
  readonly afterSales: AfterSalesRules
  readonly finalSale: FinalSale
}

export interface CancellationRules {
  /** How long an order can be canceled. Minutes after placing; `null`: until it ships. */
  readonly windowMinutes: number | null
  /** Whether a cancellation before fulfillment is approved at once. Otherwise an operator decides. */
  readonly automatic: boolean
  readonly restocks: boolean
  /** Whether a store's shipping is refunded with its last unit, as long as none has shipped. */
  readonly refundsShipping: boolean
}

export interface AfterSalesRules {
  readonly kinds: Readonly<Record<AfterSalesKind, KindRules>>
  /** When a parcel without a delivery report counts as delivered. Days after dispatch. */
  readonly deliveredAfterDays: number
  /** How long a return may take before its request expires. Days after the approval. */
  readonly returnWithinDays: number
  /** The deadline for an operator's decision. Days after the request. Displayed only: nothing happens when it passes. */
  readonly decideWithinDays: number
  /** The default return instructions. The operator may give others. */
  readonly instructions: string | null
  /** The return address, as on a label. */
  readonly returnAddress: string | null
  /** Whether returned goods usually go back to stock. The inspection decides. */
  readonly restocks: boolean
  /** Whether a store's shipping is refunded with its last unit. */
  readonly refundsShipping: boolean
}

export interface KindRules {
  readonly offered: boolean
  /** Return window of a unit. Days after its delivery. */
  readonly windowDays: number
  /** Whether a request within the rules is approved at once. Otherwise an operator decides. */
  readonly automatic: boolean
}

/** Items that are final sale: not returned and not refunded, except by an operator. Categories include their subcategories. */
export interface FinalSale {
  readonly skuIds: readonly string[]
  readonly productIds: readonly string[]
  readonly categoryIds: readonly string[]
}

/** The policy of a store that has not set one. Its version is 0. */
export const DEFAULT_POLICY: OrderPolicy = {
  cancellation: { windowMinutes: null, automatic: true, restocks: true, refundsShipping: true },
  afterSales: {
    kinds: {
      refund_only: { offered: true, windowDays: 30, automatic: false },
      return: { offered: true, windowDays: 30, automatic: false },
      exchange: { offered: true, windowDays: 30, automatic: false },
      // Statutory warranty of two years: Directive (EU) 2019/771, Article 10.
      repair: { offered: true, windowDays: 730, automatic: false },
    },
    deliveredAfterDays: 14,
    returnWithinDays: 14,
    decideWithinDays: 3,
    instructions: null,
    returnAddress: null,
    restocks: true,
    refundsShipping: true,
  },
  finalSale: { skuIds: [], productIds: [], categoryIds: [] },
}

/** A policy and its version. */
export interface VersionedPolicy {
  readonly storeId: string
  /** 0: the store has not set a policy. */
  readonly version: number
  readonly policy: OrderPolicy
}

const YEARS_10 = 3650
const INSTRUCTIONS_MAX = 2000
const RETURN_ADDRESS_MAX = 500
const FINAL_SALE_MAX = 10_000

interface Bound {
  readonly field: string
  readonly value: number
  readonly min: number
  readonly max: number
}

/** Refuses `validation_failed` with each number that is out of bounds. */
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
    {
      field: 'afterSales/returnAddress',
      value: afterSales.returnAddress?.length ?? 1,
      min: 1,
      max: RETURN_ADDRESS_MAX,
    },
    ...Object.entries(finalSale).map(([name, ids]) => {
      return { field: `finalSale/${name}`, value: ids.length, min: 0, max: FINAL_SALE_MAX }
    }),
  ]
}

/** The parts of a SKU that final-sale rules match. */
interface SoldItem {
  readonly skuId: string
  readonly productId: string
  /** With their ancestors. */
  readonly categoryIds: readonly string[]
}

export function isFinalSale({ finalSale }: OrderPolicy, { skuId, productId, categoryIds }: SoldItem): boolean {
  return (
    finalSale.skuIds.includes(skuId) ||
    finalSale.productIds.includes(productId) ||
    categoryIds.some((id) => finalSale.categoryIds.includes(id))
  )
}
