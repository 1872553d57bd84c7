import type { Decimal } from '../../kernel/money.ts'
import type {
  DiscountPhase,
  InapplicableReason,
  LocalizedText,
  Promotion,
  PromotionUsage,
} from '../promotions/index.ts'

/** Everything that a price depends on. The same input always gives the same price. Amounts are minor units. */
export interface PricingInput {
  /** ISO 4217: the one currency of every amount here. */
  readonly currency: string
  /** BCP 47: chooses the language of titles and names. */
  readonly locale: string
  /** ISO 3166-1 alpha-2: where the cart is going, as long as no shipping address says it. */
  readonly country: string
  readonly region?: string | null
  readonly now: Date
  /** In the cart's order, which decides ties. */
  readonly lines: readonly PricingLine[]
  /** Every store that a line names. */
  readonly stores: readonly StoreFacts[]
  /** Of those stores and of the marketplace: the automatic ones, and all that bear the code of the slot. */
  readonly promotions: readonly Promotion[]
  /** What stands in the cart's code slot. */
  readonly code?: string | null
  readonly customer?: { readonly id: string } | null
  /** By promotion id. Absent: never used. */
  readonly usage?: ReadonlyMap<string, PromotionUsage>
  /** The id of an option of `shipping.options`, or, where several stores ship, one of each, joined by `+`. */
  readonly shippingOptionId?: string | null
  readonly shippingAddress?: ShippingPlace | null
  readonly rules: PricingRules
}

/** A cart whose items are promised already, at the `unitPrice` of its lines. */
export interface CompletionInput extends PricingInput {
  readonly promised: {
    /** By line id. Absent: nothing was taken off. */
    readonly allocations: ReadonlyMap<string, readonly DiscountAllocation[]>
    /** All that applied, the code's included. */
    readonly applied: readonly AppliedPromotion[]
    readonly slot: PromotionSlot
    /** The rules of those that applied, as far as they are still there. */
    readonly rules: readonly Promotion[]
  }
}

export interface PricingLine {
  readonly lineId: string
  readonly skuId: string
  readonly productId: string
  readonly storeId: string
  /** With their ancestors. */
  readonly categoryIds: readonly string[]
  readonly quantity: number
  readonly unitPrice: bigint
  readonly weightGrams: number
  readonly taxCategory: string
}

export interface StoreFacts {
  readonly storeId: string
  readonly pricesIncludeTax: boolean
}

export interface ShippingPlace {
  readonly country: string
  readonly region?: string | null
}

/** The rule tables of all stores of the cart. */
export interface PricingRules {
  readonly taxRates: readonly TaxRate[]
  readonly shippingZones: readonly ShippingZone[]
}

/** All rates that match a place and a category apply together, each on the same net amount. */
export interface TaxRate {
  readonly storeId: string
  readonly country: string
  /** `null`: everywhere in the country. */
  readonly region: string | null
  readonly category: string
  /** Tells the rates of one place and category apart, such as `gst` and `pst`. */
  readonly code: string
  readonly name: LocalizedText
  /** `'0.19'` for 19 %. `'0'` says that the category is known and untaxed. */
  readonly rate: Decimal
}

export interface ShippingZone {
  readonly zoneId: string
  readonly storeId: string
  /** For the operator alone. */
  readonly name: string
  /** The closest place wins: region, then country, then `*` for the rest of the world. */
  readonly places: readonly { readonly country: string; readonly region: string | null }[]
  readonly methods: readonly ShippingMethod[]
}

export interface ShippingMethod {
  /** Stands for the option as well, so that a chosen option stays the same when its price changes. */
  readonly methodId: string
  readonly name: LocalizedText
  /** What the rates are stepped by: the store's items after their discounts (minor units), or their weight (grams). */
  readonly basis: 'subtotal' | 'weight'
  readonly minDays: number
  readonly maxDays: number
  readonly taxCategory: string
  readonly rates: readonly ShippingRate[]
}

export interface ShippingRate {
  readonly currency: string
  /** Inclusive. */
  readonly from: bigint
  /** Exclusive; `null`: without end. */
  readonly upTo: bigint | null
  readonly amount: bigint
}

/** A cart with its prices: names as in CONTRACT, Resources, so that a view is a plain mapping. */
export interface PricedCart {
  readonly currency: string
  readonly lines: readonly PricedLine[]
  readonly promotion: PromotionSlot
  /** Those that apply, in the order in which they were taken off. */
  readonly automaticPromotions: readonly AppliedPromotion[]
  readonly shipping: PricedShipping
  readonly totals: PricedTotals
  readonly messages: readonly PricedMessage[]
}

export interface PricedLine {
  readonly lineId: string
  readonly skuId: string
  readonly storeId: string
  readonly quantity: number
  readonly unitPrice: bigint
  /** Unit price times quantity. */
  readonly subtotal: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  readonly taxLines: readonly TaxLine[]
  /** What the buyer pays for the line: subtotal − discounts + the tax that its prices do not include. */
  readonly total: bigint
}

export interface DiscountAllocation {
  readonly promotionId: string
  readonly code: string | null
  readonly title: string
  readonly amount: bigint
}

export interface TaxLine {
  readonly name: string
  readonly rate: Decimal
  readonly category: string
  /** The net amount that is taxed, without the tax. */
  readonly taxable: bigint
  readonly amount: bigint
  /** Whether the price already held it. */
  readonly included: boolean
}

export interface AppliedPromotion {
  readonly promotionId: string
  readonly code: string | null
  readonly title: string
  readonly phase: DiscountPhase
  /** What it takes off altogether. */
  readonly amount: bigint
}

/** The one code slot of a cart. @see CONTRACT, Money 4 */
export type PromotionSlot =
  | { readonly status: 'none' }
  | ({ readonly status: 'applied'; readonly code: string } & Omit<AppliedPromotion, 'code'>)
  | {
      readonly status: 'inapplicable'
      readonly code: string
      readonly promotionId: string | null
      readonly title: string | null
      readonly reasonCode: InapplicableReason
      readonly requirement: PromotionRequirement | null
    }

export interface PromotionRequirement {
  /** Minor units that the eligible lines still lack. */
  readonly missing: bigint
}

export interface PricedShipping {
  /** Of all stores, in the order of the stores' first lines, the cheapest first. */
  readonly options: readonly ShippingOption[]
  /** One for each store that has an option. */
  readonly selected: readonly SelectedShipping[]
}

export interface ShippingOption {
  readonly id: string
  readonly storeId: string
  readonly name: string
  readonly amount: bigint
  readonly minDays: number
  readonly maxDays: number
  readonly taxCategory: string
}

export interface SelectedShipping {
  readonly storeId: string
  readonly optionId: string
  /** Whether the caller chose it; otherwise the cheapest was preselected. */
  readonly chosen: boolean
  readonly amount: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  readonly discount: bigint
  readonly taxLines: readonly TaxLine[]
  /** amount − discount + the tax that it does not include. */
  readonly total: bigint
}

export interface Totals {
  readonly itemsSubtotal: bigint
  readonly itemsDiscount: bigint
  /** `null` as long as no store has a way to ship to this place; `byStore` says which have. */
  readonly shipping: bigint | null
  readonly shippingDiscount: bigint | null
  readonly tax: PricedTax
  /** itemsSubtotal − itemsDiscount + shipping − shippingDiscount + `tax.added`: the sum of what lines and shipping cost. */
  readonly total: bigint
}

export interface PricedTax {
  readonly amount: bigint
  /** The part of `amount` that is added to prices rather than included in them. */
  readonly added: bigint
  /** Whether prices include the tax. Where stores differ it is `false`, and `byStore` says which do. */
  readonly included: boolean
  /** `estimated` until a shipping address is known; `not_calculated` where some category has no rate for the place. */
  readonly status: 'estimated' | 'final' | 'not_calculated'
}

export interface PricedTotals extends Totals {
  /** In the order of the stores' first lines. Each member is summed over the stores in `Totals`. */
  readonly byStore: readonly StoreTotals[]
}

export interface StoreTotals extends Totals {
  readonly storeId: string
}

/** Something to tell about a cart that is healthy all the same. */
export interface PricedMessage {
  readonly code: 'promotion_inapplicable' | 'shipping_unavailable' | 'shipping_option_unavailable'
  readonly severity: 'warning' | 'blocking'
  /** A JSON pointer into the cart. */
  readonly path: string
  readonly text: string
}
