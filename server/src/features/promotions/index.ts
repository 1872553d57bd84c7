export { claimUses, giveBackUses, loadPromotionsById, type UsesWanted } from './claims.ts'
export {
  byPriority,
  type DiscountableLine,
  type DiscountableShipping,
  discountLines,
  discountShipping,
  mayStandTogether,
  phaseOf,
} from './discount.ts'
export { type Judgement, judgePromotion, type Occasion, type PromotableLine } from './eligibility.ts'
export { textFor } from './localised.ts'
export {
  type AmountByCurrency,
  type Audience,
  type DiscountPhase,
  INAPPLICABLE_REASONS,
  type InapplicableReason,
  type LineSelection,
  type LocalizedText,
  type Promotion,
  type PromotionEffect,
  type PromotionUsage,
} from './promotion.ts'
export { faultsOfPromotion, type PromotionFault } from './promotion-faults.ts'
export {
  findPromotion,
  lockPromotion,
  type PromotionRecord,
  pageOfPromotions,
  promotionsTouching,
} from './promotion-records.ts'
export {
  loadAutomaticPromotions,
  loadPromotionsByCode,
  loadPromotionUsage,
  MARKETPLACE,
  rulesSubject,
  savePromotion,
} from './promotion-store.ts'
