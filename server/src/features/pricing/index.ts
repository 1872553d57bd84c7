export { type ExplainedPromotion, explainPromotions, type PromotionReason } from './explain-promotions.ts'
export { type PricingDeps, priceCart, recalculatePrice } from './price-cart.ts'
export { type RuleFault, shippingZoneFaults, taxRateFaults } from './rule-faults.ts'
export { type PricingFacts, type RuleQuery, RuleSnapshots } from './rule-snapshots.ts'
export { loadPricingRules, rulesVersion, saveShippingZones, saveTaxRates, shippingNames } from './rule-store.ts'
export type { ShippingQuery, ShippingRates } from './shipping.ts'
export type { TaxCalculator, TaxQuery } from './tax.ts'
export type {
  AppliedPromotion,
  DiscountAllocation,
  PricedCart,
  PricedLine,
  PricedMessage,
  PricedShipping,
  PricedTax,
  PricedTotals,
  PricingInput,
  PricingLine,
  PricingRules,
  PromotionRequirement,
  PromotionSlot,
  RecalculationInput,
  SelectedShipping,
  ShippingMethod,
  ShippingOption,
  ShippingPlace,
  ShippingRate,
  ShippingZone,
  StoreFacts,
  StoreTotals,
  TaxLine,
  TaxRate,
  Totals,
} from './types.ts'
