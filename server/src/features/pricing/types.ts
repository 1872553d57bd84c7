import type { Saying, ShopperTexts } from '../../kernel/languages/texts.ts'
import type { Decimal } from '../../kernel/money.ts'
import type {
  DiscountPhase,
  InapplicableReason,
  LocalizedText,
  Promotion,
  PromotionUsage,
} from '../promotions/index.ts'
import type { TaxAddress, TaxReply, TaxRequest } from './tax-provider/provider.ts'

/** Everything that a price depends on. Amounts are minor units. */
export interface PricingInput {
  /** ISO 4217, the currency of all amounts. */
  readonly currency: string
  /** BCP 47, the language of titles and names. */
  readonly locale: string
  /** ISO 3166-1 alpha-2: the country to estimate tax for until `destination` is known. */
  readonly country: string
  readonly region?: string | null
  readonly postalCode?: string | null
  readonly now: Date
  /** In the cart's order, which breaks ties. */
  readonly lines: readonly PricingLine[]
  /** The stores of the lines. */
  readonly stores: readonly StoreFacts[]
  /** The promotions of those stores and of the marketplace: automatic ones, and all with the code below. */
  readonly promotions: readonly Promotion[]
  /** The cart's promotion code. */
  readonly code?: string | null
  readonly customer?: { readonly id: string } | null
  /** Keyed by promotion id. Absent: unused. */
  readonly usage?: ReadonlyMap<string, PromotionUsage>
  /** Option ids, one for each store that ships, joined by `+`. */
  readonly shippingOptionId?: string | null
  /** Set once the address is complete enough for shipping and tax. */
  readonly destination?: ShippingPlace | null
  /** ISO 3166-1 alpha-2: the country of the buyer's valid VAT number. Absent: a consumer. */
  readonly vatCountry?: string | null
  /** The tax providers of some stores, used instead of their tables. Absent: all stores use their tables. */
  readonly providedTax?: ProvidedTaxSource | null
  /** The buyer's data for a tax provider. */
  readonly buyer?: TaxRequest['buyer'] & { readonly shipTo: TaxAddress | null }
  readonly rules: PricingRules
}

/** The tax providers of stores. */
export interface ProvidedTaxSource {
  isOf(storeId: string): boolean
  /** The checked reply; `null` if the provider failed: the tables are used. Throws `AskFirst` if the provider has to be called first. */
  replyTo(request: Omit<TaxRequest, 'environment'>, now: Date): TaxReply | null
}

/** A quoted cart. The `unitPrice` of its lines is the quoted price. */
export interface RecalculationInput extends PricingInput {
  readonly quoted: {
    /** Keyed by line id. Absent: no discount. */
    readonly allocations: ReadonlyMap<string, readonly DiscountAllocation[]>
    /** All applied promotions, including the code's. */
    readonly applied: readonly AppliedPromotion[]
    readonly slot: PromotionSlot
    /** The rules of the applied promotions, except deleted ones. */
    readonly rules: readonly Promotion[]
  }
}

export interface PricingLine {
  readonly lineId: string
  readonly skuId: string
  readonly productId: string
  readonly storeId: string
  /** Including ancestors. */
  readonly categoryIds: readonly string[]
  readonly quantity: number
  readonly unitPrice: bigint
  readonly weightGrams: number
  /** `false`: the line counts for tax only, not for shipping rates. */
  readonly requiresShipping: boolean
  readonly taxCategory: string
}

export interface StoreFacts {
  readonly storeId: string
  readonly pricesIncludeTax: boolean
}

export interface ShippingPlace {
  readonly country: string
  readonly region?: string | null
  /** For taxes that depend on it. */
  readonly postalCode?: string | null
}

/** The tax and shipping tables of the cart's stores. */
export interface PricingRules {
  readonly taxRates: readonly TaxRate[]
  /** The provider that calculates the taxes of a store. A store without one uses its table. */
  readonly taxSources?: readonly TaxSource[]
  /** The tax schemes of the stores. A store without one charges the rates of the destination. */
  readonly taxSchemes?: readonly TaxScheme[]
  readonly shippingZones: readonly ShippingZone[]
}

/** A store's country of establishment and its tax scheme. @see docs/reference/rules.md#tax */
export interface TaxScheme {
  readonly storeId: string
  /** ISO 3166-1 alpha-2, where the seller is established. */
  readonly country: string
  /**
   * `destination`: the rates of the destination, as with OSS. `origin`: consumers in other member states pay the rates of the
   * seller's country, below the EU-wide threshold. `exempt`: the seller charges no tax, as a small business.
   */
  readonly kind: 'destination' | 'origin' | 'exempt'
}

/** A store with a tax provider, by the provider's name in the configuration. */
export interface TaxSource {
  readonly storeId: string
  readonly provider: string
}

/** All rates matching a destination and category apply, each on the same net amount. */
export interface TaxRate {
  readonly storeId: string
  readonly country: string
  /** `null`: the whole country. */
  readonly region: string | null
  readonly category: string
  /** Distinguishes rates of one place and category, such as `gst` and `pst`. */
  readonly code: string
  /** A range of postal codes, inclusive. It replaces the wider rates of its code. Absent: everywhere in the place. */
  readonly postalCodes?: PostalRange | null
  readonly name: LocalizedText
  /** `'0.19'` for 19 %. `'0'`: known to be untaxed. */
  readonly rate: Decimal
}

/** Ends can be prefixes: `35` to `35` includes 35001. Without spaces and hyphens. */
export interface PostalRange {
  readonly from: string
  readonly to: string
}

export interface ShippingZone {
  readonly zoneId: string
  readonly storeId: string
  /** Shown to operators only. */
  readonly name: string
  /** The most specific match wins: region, country, then `*` for the rest of the world. */
  readonly places: readonly { readonly country: string; readonly region: string | null }[]
  readonly methods: readonly ShippingMethod[]
}

export interface ShippingMethod {
  /** Also the option's id, so that a choice survives a price change. */
  readonly methodId: string
  readonly name: LocalizedText
  /** The measure of rate ranges: the price of the store's items after discounts (minor units), or their weight (grams). */
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
  /** Exclusive; `null`: no upper bound. */
  readonly upTo: bigint | null
  readonly amount: bigint
}

/** A priced cart. Names as in docs/reference/rules.md#resources. */
export interface PricedCart {
  readonly currency: string
  readonly lines: readonly PricedLine[]
  readonly promotion: PromotionSlot
  /** The automatic promotions that apply, in the order applied. */
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
  /** The amount that the buyer pays: subtotal − discounts + tax not included in prices. */
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
  /** The net amount taxed. */
  readonly taxable: bigint
  readonly amount: bigint
  /** Whether the price includes it. */
  readonly included: boolean
  /** ISO 3166-1 alpha-2: the country that the tax is owed to. Absent in quotes and orders of earlier versions. */
  readonly country?: string
  /** The reason that no tax is charged. `note` is the text that the invoice must have. */
  readonly exemption?: TaxExemption
  readonly note?: string
  /** The authority within the country, if the tax provider names it. */
  readonly jurisdiction?: string
  /** Absent: the store's table. `fallback`: the store's table, because its tax provider failed. */
  readonly source?: 'provider' | 'fallback'
}

/** @see docs/reference/rules.md#tax */
export type TaxExemption = keyof ShopperTexts['tax']

export interface AppliedPromotion {
  readonly promotionId: string
  readonly code: string | null
  readonly title: string
  readonly phase: DiscountPhase
  /** Total discount. */
  readonly amount: bigint
}

/** The cart's promotion code and its effect. @see docs/reference/rules.md#promotions */
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
  /** The amount that eligible lines lack to the minimum. Minor units. */
  readonly missing: bigint
}

interface PricedShipping {
  /** In the order of the stores' first lines, cheapest first. */
  readonly options: readonly ShippingOption[]
  /** One per store with an option. */
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
  /** `false`: the cheapest was preselected. */
  readonly chosen: boolean
  readonly amount: bigint
  readonly discountAllocations: readonly DiscountAllocation[]
  readonly discount: bigint
  readonly taxLines: readonly TaxLine[]
  /** amount − discount + tax not included. */
  readonly total: bigint
}

export interface Totals {
  readonly itemsSubtotal: bigint
  readonly itemsDiscount: bigint
  /** `null` if nothing has to be shipped, or no store ships to the destination; see `byStore`. */
  readonly shipping: bigint | null
  readonly shippingDiscount: bigint | null
  readonly tax: PricedTax
  /** itemsSubtotal − itemsDiscount + shipping − shippingDiscount + `tax.added`. */
  readonly total: bigint
}

export interface PricedTax {
  readonly amount: bigint
  /** The part of `amount` not included in prices. */
  readonly added: bigint
  /** Whether prices include tax. `false` if stores differ; see `byStore`. */
  readonly included: boolean
  /** `estimated` while an address could change it; `not_calculated` if a category has no rate for the destination. */
  readonly status: 'estimated' | 'final' | 'not_calculated'
}

export interface PricedTotals extends Totals {
  /** In the order of the stores' first lines. `Totals` sums each field over the stores. */
  readonly byStore: readonly StoreTotals[]
}

export interface StoreTotals extends Totals {
  readonly storeId: string
}

/** A message about a priced cart. */
export type PricedMessage = {
  readonly severity: 'warning' | 'blocking'
  /** A JSON pointer into the cart. */
  readonly path: string
} & Saying<
  Pick<ShopperTexts['cart'], 'promotion_inapplicable' | 'shipping_unavailable' | 'shipping_option_unavailable'>
>
