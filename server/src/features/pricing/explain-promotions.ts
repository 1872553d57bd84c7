import {
  byPriority,
  DISCOUNT_PHASES,
  evaluatePromotion,
  type InapplicableReason,
  type Promotion,
  type PromotionContext,
  phaseOf,
} from '../promotions/index.ts'
import { isExcluded } from './price-cart.ts'
import type { PricedCart, PricingInput } from './types.ts'

/** The reason that a promotion does or does not apply to a cart. */
type PromotionReason = InapplicableReason | 'applied' | 'paused' | 'code_not_given' | 'nothing_to_take_off'

export interface ExplainedPromotion {
  readonly promotion: Promotion
  readonly reason: PromotionReason
  /** Its discount; `null`: it does not apply. */
  readonly amount: bigint | null
  /** The amount that eligible lines lack to its minimum. Minor units. */
  readonly missing: bigint | null
}

/** Explain why each promotion does or does not apply, including paused promotions and those whose code was not entered. Pure. */
export function explainPromotions(
  input: PricingInput,
  priced: PricedCart,
  promotions: readonly Promotion[],
): readonly ExplainedPromotion[] {
  const context: PromotionContext = {
    currency: input.currency,
    now: input.now,
    customerId: input.customer?.id ?? null,
    usage: input.usage ?? new Map(),
    lines: input.lines.map((line) => ({ ...line, subtotal: line.unitPrice * BigInt(line.quantity) })),
  }
  const slot = priced.promotion.status === 'applied' ? [priced.promotion] : []
  const applied = new Map([...priced.automaticPromotions, ...slot].map((each) => [each.promotionId, each.amount]))
  const isCodeGiven = ({ code }: Promotion) => code === null || code.toUpperCase() === input.code?.toUpperCase()

  return promotions.map((promotion) => {
    const amount = applied.get(promotion.id)
    if (amount !== undefined) return { promotion, reason: 'applied', amount, missing: null }
    const because = (reason: PromotionReason, missing: bigint | null = null) => ({
      promotion,
      reason,
      amount: null,
      missing,
    })
    if (promotion.status === 'paused') return because('paused')
    if (!isCodeGiven(promotion)) return because('code_not_given')
    const eligibility = evaluatePromotion(promotion, context)
    if (!eligibility.eligible) return because(eligibility.reason, eligibility.missing)
    const earlier = promotions.filter((each) => applied.has(each.id) && isBefore(each, promotion))
    // An eligible code applies even without a discount, unless another promotion excludes it or has the same code.
    const isDisallowed = promotion.code !== null || isExcluded(promotion, earlier)
    return because(isDisallowed ? 'combination_disallowed' : 'nothing_to_take_off')
  })
}

/** Whether a promotion applies before another. */
function isBefore(one: Promotion, other: Promotion): boolean {
  const placeOf = ({ effect }: Promotion) => DISCOUNT_PHASES.indexOf(phaseOf(effect))
  return (placeOf(one) - placeOf(other) || byPriority(one, other)) < 0
}
