import { type InapplicableReason, judgePromotion, type Occasion, type Promotion } from '../promotions/index.ts'
import type { PricedCart, PricingInput } from './types.ts'

/** Why a promotion applies to a cart, or does not. */
export type PromotionReason = InapplicableReason | 'applied' | 'paused' | 'code_not_given' | 'nothing_to_take_off'

export interface ExplainedPromotion {
  readonly promotion: Promotion
  readonly reason: PromotionReason
  /** What it takes off; `null`: it does not apply. */
  readonly amount: bigint | null
  /** What the lines lack of its minimum. */
  readonly missing: bigint | null
}

/**
 * The part of each promotion in a price: those of the input and any others, such as paused ones and those whose code nobody
 * has given. Pure.
 */
export function explainPromotions(
  input: PricingInput,
  priced: PricedCart,
  promotions: readonly Promotion[],
): readonly ExplainedPromotion[] {
  const occasion: Occasion = {
    currency: input.currency,
    now: input.now,
    customerId: input.customer?.id ?? null,
    usage: input.usage ?? new Map(),
    lines: input.lines.map((line) => ({ ...line, subtotal: line.unitPrice * BigInt(line.quantity) })),
  }
  const slot = priced.promotion.status === 'applied' ? [priced.promotion] : []
  const applied = new Map([...priced.automaticPromotions, ...slot].map((each) => [each.promotionId, each.amount]))
  const isGiven = ({ code }: Promotion) => code === null || code.toUpperCase() === input.code?.toUpperCase()

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
    if (!isGiven(promotion)) return because('code_not_given')
    const judgement = judgePromotion(promotion, occasion)
    if (!judgement.eligible) return because(judgement.reason, judgement.missing)
    return because(applied.size > 0 ? 'combination_disallowed' : 'nothing_to_take_off')
  })
}
