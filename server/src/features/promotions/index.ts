/** Exports for other features. */
export {
  byPriority,
  canCombine,
  discountLines,
  discountShipping,
  phaseOf,
} from './discount.ts'
export { type Eligibility, evaluatePromotion, type PromotionContext } from './eligibility.ts'
export { promotionFaults } from './faults.ts'
export {
  type AmountByCurrency,
  type Audience,
  amountsOf,
  DISCOUNT_PHASES,
  type DiscountPhase,
  FOR_EVERYONE,
  type InapplicableReason,
  type LocalizedText,
  localizedText,
  type Promotion,
  type PromotionEffect,
  type PromotionUsage,
} from './promotion.ts'
export {
  findPromotion,
  listPromotionRecords,
  listPromotionsForStore,
  lockPromotion,
  lockPromotionCodes,
  type PromotionRecord,
  type PromotionUses,
} from './records.ts'
export {
  addEarlierUses,
  type EarlierUse,
  loadPromotionsById,
  releaseRedemptions,
  reserveRedemptions,
} from './redemptions.ts'
export {
  loadAutomaticPromotions,
  loadPromotionsByCode,
  loadPromotionUsage,
  MARKETPLACE,
  promotionCodesExist,
  RULES,
  rulesSubject,
  savePromotion,
} from './store.ts'
