import { sum } from '../../kernel/money.ts'
import type { InapplicableReason, Promotion } from '../promotions/index.ts'
import type { ShippingRates } from './shipping.ts'
import type { Taxation } from './tax.ts'
import type {
  AppliedPromotion,
  DiscountAllocation,
  PricingInput,
  PricingLine,
  PromotionRequirement,
  ShippingOption,
  TaxLine,
} from './types.ts'

/** A cart being priced. Each step returns it with its own part filled in. */
export interface Draft {
  readonly input: PricingInput
  readonly shippingRates: ShippingRates
  readonly taxation: Taxation
  readonly isTaxFinal: boolean
  /** Eligible promotions, in the order they apply. */
  readonly promotions: readonly Promotion[]
  /** The promotion code, and the reason if it does not apply. */
  readonly slot: DraftSlot | null
  /** `promotion` is `null` if it was deleted after the quote. */
  readonly applied: readonly { readonly promotion: Promotion | null; readonly answer: AppliedPromotion }[]
  readonly lines: readonly DraftLine[]
  readonly shippingOptions: readonly ShippingOption[]
  readonly shipments: readonly DraftShipment[]
}

export interface DraftSlot {
  readonly code: string
  /** The promotion with the code; `null` for an unknown code. */
  readonly promotion: Promotion | null
  readonly failure: {
    readonly reasonCode: InapplicableReason
    readonly requirement: PromotionRequirement | null
  } | null
}

/** `remaining`: the subtotal less discounts so far. */
export interface DraftLine extends PricingLine {
  readonly subtotal: bigint
  readonly remaining: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  /** `null`: no rate known. */
  readonly taxLines: readonly TaxLine[] | null
}

/** Shipping of one store. `remaining`: the option's amount less discounts so far. */
export interface DraftShipment {
  readonly storeId: string
  readonly option: ShippingOption
  readonly chosen: boolean
  readonly remaining: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  readonly taxLines: readonly TaxLine[] | null
}

/** Store ids in the order of their first lines. */
export function storeIdsOf(lines: readonly { readonly storeId: string }[]): readonly string[] {
  return [...new Set(lines.map((line) => line.storeId))]
}

/** Total discount of a line or shipment. */
export function discountOf(part: { readonly discountAllocations: readonly DiscountAllocation[] }): bigint {
  return sum(part.discountAllocations.map((allocation) => allocation.amount))
}
