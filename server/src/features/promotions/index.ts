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
export { faultsOfPromotion, type PromotionFault } from './faults.ts'
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
export {
  findPromotion,
  lockPromotion,
  type PromotionRecord,
  pageOfPromotions,
  promotionsTouching,
} from './records.ts'
export { claimUses, giveBackUses, loadPromotionsById, type UsesWanted } from './redemptions.ts'
export {
  loadAutomaticPromotions,
  loadPromotionsByCode,
  loadPromotionUsage,
  MARKETPLACE,
  rulesSubject,
  savePromotion,
} from './store.ts'
