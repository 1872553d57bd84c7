export { type ExplainedPromotion, explainPromotions, type PromotionReason } from './explain-promotions.ts'
export { completePrice, type PricingDeps, priceCart } from './price-cart.ts'
export { faultsOfShippingZones, faultsOfTaxRates, type RuleFault } from './rule-faults.ts'
export { type PricingFacts, type RuleQuestion, RuleSnapshots } from './rule-snapshots.ts'
export { loadPricingRules, rulesVersion, saveShippingZones, saveTaxRates } from './rule-store.ts'
export type { ShippingQuestion, ShippingRates } from './shipping.ts'
export type { TaxCalculator, TaxQuestion } from './tax.ts'
export type {
  AppliedPromotion,
  CompletionInput,
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
