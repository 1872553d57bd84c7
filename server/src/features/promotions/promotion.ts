import type { Decimal } from '../../kernel/money.ts'

/** Text by BCP 47 locale, such as `{ en: 'Summer sale', de: 'Sommerschlussverkauf' }`. At least one. */
export type LocalizedText = Readonly<Record<string, string>>

/** Minor units by ISO 4217 currency. What is not listed is not offered in that currency. */
export type AmountByCurrency = Readonly<Record<string, bigint>>

/** The three phases of discounting, in their order. @see CONTRACT, Money 3 */
export const DISCOUNT_PHASES = ['line', 'order', 'shipping'] as const
export type DiscountPhase = (typeof DISCOUNT_PHASES)[number]

/** What a promotion gives. @see CONTRACT, Money 5 */
export type PromotionEffect =
  /** `rate` of the amount, `'0.15'` for 15 %. Of an order it is computed once and allocated over its lines. */
  | { readonly kind: 'percentage'; readonly target: DiscountPhase; readonly rate: Decimal }
  /** An amount off each unit of a line, or once off the order, or once off its shipping. */
  | { readonly kind: 'fixed_amount'; readonly target: DiscountPhase; readonly amounts: AmountByCurrency }
  /**
   * For each `buyQuantity` units bought, `getQuantity` units at `rate` off (`'1'` is free), the cheapest first, at most
   * `setsMax` times. `gets` says which lines may be got; `null`: the same as are bought. A line that `gets` names is
   * got, never bought.
   */
  | {
      readonly kind: 'buy_x_get_y'
      readonly buyQuantity: number
      readonly getQuantity: number
      readonly rate: Decimal
      readonly gets: LineSelection | null
      readonly setsMax: number | null
    }
  /** The selected shipping costs nothing. */
  | { readonly kind: 'free_shipping' }

/** Which lines: those of any of the products or categories (descendants included); all, where both lists are empty. */
export interface LineSelection {
  readonly productIds: readonly string[]
  readonly categoryIds: readonly string[]
}

/** Who may have it. */
export type Audience =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'known_customers' }
  | { readonly kind: 'listed_customers'; readonly customerIds: readonly string[] }

/** A rule that takes something off a cart, on its own (automatic) or through the cart's code slot. */
export interface Promotion {
  readonly id: string
  /** The store whose lines it may touch, or `null` for a promotion of the marketplace. */
  readonly storeId: string | null
  /** `null`: automatic. Compared without regard to case. */
  readonly code: string | null
  readonly title: LocalizedText
  readonly status: 'active' | 'paused'
  readonly effect: PromotionEffect
  readonly lines: LineSelection
  /** The marketplace's promotions alone: the stores that take part; empty for all. */
  readonly storeIds: readonly string[]
  readonly audience: Audience
  /** Inclusive. */
  readonly startsAt: Date | null
  /** Exclusive. */
  readonly endsAt: Date | null
  /** Of the eligible lines, before any discount. Empty: no minimum. */
  readonly minimumSubtotal: AmountByCurrency
  readonly usageLimit: number | null
  readonly usageLimitPerCustomer: number | null
  /** Lower comes first inside its phase; then the id decides. */
  readonly priority: number
  /** The phases of other promotions that it may stand beside. Two stand together when each allows the other's phase. */
  readonly combinesWith: readonly DiscountPhase[]
  /** Once it applies, no later promotion of its phase does. */
  readonly stopAfter: boolean
}

/** How often a promotion has been used so far, in one environment. */
export interface PromotionUsage {
  readonly total: number
  readonly byCustomer: number
}

/** Why a code gives nothing, in descending precedence. @see CONTRACT, Money 4 */
export const INAPPLICABLE_REASONS = [
  'invalid',
  'not_started',
  'expired',
  'customer_required',
  'customer_ineligible',
  'usage_limit_reached',
  'minimum_not_met',
  'combination_disallowed',
] as const
export type InapplicableReason = (typeof INAPPLICABLE_REASONS)[number]
