import type { INAPPLICABLE_REASONS } from '@vitrine/contract'
import type { Decimal } from '../../kernel/money.ts'

/** Text by BCP 47 locale, such as `{ en: 'Summer sale', de: 'Sommerschlussverkauf' }`. Never empty. */
export type LocalizedText = Readonly<Record<string, string>>

/** The text for a locale: exact match, then shorter tags (RFC 4647 §3.4), then the first tag in alphabetical order. */
export function localizedText(text: LocalizedText, locale: string): string {
  for (let tag = locale; tag; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const found = text[tag]
    if (found !== undefined) return found
  }
  return text[Object.keys(text).sort()[0] ?? ''] ?? ''
}

/** Minor units, keyed by ISO 4217 currency. The promotion is not available in other currencies. */
export type AmountByCurrency = Readonly<Record<string, bigint>>

export function amountsOf(amounts: Readonly<Record<string, number | bigint>>): AmountByCurrency {
  return Object.fromEntries(Object.entries(amounts).map(([currency, amount]) => [currency, BigInt(amount)]))
}

/** The phases of discounting, in order. @see docs/reference/rules.md#discounts */
export const DISCOUNT_PHASES = ['line', 'order', 'shipping'] as const
export type DiscountPhase = (typeof DISCOUNT_PHASES)[number]

/** @see docs/reference/rules.md#promotions */
export type PromotionEffect =
  /** `rate` off, `'0.15'` for 15 %. Off an order: computed once and allocated over its lines. */
  | { readonly kind: 'percentage'; readonly target: DiscountPhase; readonly rate: Decimal }
  /** An amount off each unit of a line, or once off the order or its shipping. */
  | { readonly kind: 'fixed_amount'; readonly target: DiscountPhase; readonly amounts: AmountByCurrency }
  /**
   * For each `buyQuantity` units, `getQuantity` units at `rate` off (`'1'`: free), cheapest first, at most `setsMax` times.
   * `gets`: the lines to discount; `null`: the bought ones. Lines in `gets` never count as bought.
   */
  | {
      readonly kind: 'buy_x_get_y'
      readonly buyQuantity: number
      readonly getQuantity: number
      readonly rate: Decimal
      readonly gets: LineSelection | null
      readonly setsMax: number | null
    }
  /** Free shipping with the selected option. */
  | { readonly kind: 'free_shipping' }

/** Lines of any of the products or categories (descendants included); all lines if both are empty. */
export interface LineSelection {
  readonly productIds: readonly string[]
  readonly categoryIds: readonly string[]
}

/** The customers who can use a promotion. */
export type Audience =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'known_customers' }
  | { readonly kind: 'listed_customers'; readonly customerIds: readonly string[] }

/** A discount rule: automatic, or with a code. */
export interface Promotion {
  readonly id: string
  /** The store whose lines it discounts; `null`: a marketplace promotion. */
  readonly storeId: string | null
  /** Case-insensitive. `null`: automatic. */
  readonly code: string | null
  readonly title: LocalizedText
  /** Archived: as if deleted, but kept for orders and for restoring it. Its code is free. */
  readonly status: 'active' | 'paused' | 'archived'
  readonly effect: PromotionEffect
  readonly lines: LineSelection
  /** Marketplace promotions only: the participating stores; empty for all. */
  readonly storeIds: readonly string[]
  readonly audience: Audience
  /** Inclusive. */
  readonly startsAt: Date | null
  /** Exclusive. */
  readonly endsAt: Date | null
  /** Minimum subtotal of eligible lines, before discounts. Empty: none. */
  readonly minimumSubtotal: AmountByCurrency
  readonly usageLimit: number | null
  readonly usageLimitPerCustomer: number | null
  /** Lower applies first within the phase, then by id. */
  readonly priority: number
  /** Phases it combines with. Two promotions combine if each allows the other's phase. */
  readonly combinesWith: readonly DiscountPhase[]
  /** Excludes later promotions of its phase. */
  readonly stopAfter: boolean
}

/** The fields of a promotion that applies to everything, for everyone, at any time. */
export const FOR_EVERYONE: Omit<Promotion, 'id' | 'title' | 'effect'> = {
  storeId: null,
  code: null,
  status: 'active',
  lines: { productIds: [], categoryIds: [] },
  storeIds: [],
  audience: { kind: 'anyone' },
  startsAt: null,
  endsAt: null,
  minimumSubtotal: {},
  usageLimit: null,
  usageLimitPerCustomer: null,
  priority: 0,
  combinesWith: [],
  stopAfter: false,
}

/** The redemptions of a promotion in one environment, in total and by one customer. */
export interface PromotionUsage {
  readonly total: number
  readonly byCustomer: number
}

export type InapplicableReason = (typeof INAPPLICABLE_REASONS)[number]
