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

/** A cart half priced: what each step takes, and answers with its own part filled in. */
export interface Draft {
  readonly input: PricingInput
  readonly shippingRates: ShippingRates
  readonly taxation: Taxation
  /** Those that may take something off, in the order in which they get their turn. */
  readonly promotions: readonly Promotion[]
  /** What stands in the code slot, and why it gives nothing, once that is known. */
  readonly slot: DraftSlot | null
  /** The rule is `null` where it was promised and is gone. */
  readonly applied: readonly { readonly promotion: Promotion | null; readonly answer: AppliedPromotion }[]
  readonly lines: readonly DraftLine[]
  readonly shippingOptions: readonly ShippingOption[]
  readonly shipments: readonly DraftShipment[]
}

export interface DraftSlot {
  readonly code: string
  /** The one promotion of that code that counts; `null` where there is none. */
  readonly promotion: Promotion | null
  readonly obstacle: {
    readonly reasonCode: InapplicableReason
    readonly requirement: PromotionRequirement | null
  } | null
}

/** A line; `remaining` is what discounts have left of its subtotal. */
export interface DraftLine extends PricingLine {
  readonly subtotal: bigint
  readonly remaining: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  /** `null`: no rate is known. */
  readonly taxLines: readonly TaxLine[] | null
}

/** The shipping of one store; `remaining` is what discounts have left of its option's amount. */
export interface DraftShipment {
  readonly storeId: string
  readonly option: ShippingOption
  readonly chosen: boolean
  readonly remaining: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  readonly taxLines: readonly TaxLine[] | null
}

/** The stores of the cart, in the order of their first lines. */
export function storeIdsOf(lines: readonly { readonly storeId: string }[]): readonly string[] {
  return [...new Set(lines.map((line) => line.storeId))]
}

/** What discounts have taken off. */
export function discountOf(part: { readonly discountAllocations: readonly DiscountAllocation[] }): bigint {
  return sum(part.discountAllocations.map((allocation) => allocation.amount))
}
