export { type ExplainedPromotion, explainPromotions, type PromotionReason } from './explain-promotions.ts'
export { priceCart, recalculatePrice } from './price-cart.ts'
export { type RuleFault, shippingZoneFaults, taxRateFaults } from './rule-faults.ts'
export { type PricingFacts, type RuleQuery, RuleSnapshots } from './rule-snapshots.ts'
export {
  loadPricingRules,
  rulesVersion,
  type StoreWithoutRules,
  saveShippingZones,
  saveTaxRates,
  saveTaxScheme,
  saveTaxSource,
  shippingNamesSql,
  storesWithoutRules,
} from './rule-store.ts'
export type { ShippingQuery, ShippingRates } from './shipping.ts'
export { compactPostalCode, exemptionNotes, type TaxCalculator, type TaxQuery } from './tax.ts'
export type { TaxAddress, TaxProvider } from './tax-provider/provider.ts'
export {
  lastTaxFailure,
  sweepTaxAnswers,
  TAX_ANSWER_RETENTION_DAYS,
  TaxAnswers,
  type TaxFailure,
  type TaxProviders,
} from './tax-provider/tax-answers.ts'
export { type TaxServiceSettings, taxService } from './tax-provider/tax-service.ts'
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
  TaxExemption,
  TaxLine,
  TaxRate,
  TaxScheme,
  Totals,
} from './types.ts'
export {
  type CheckVatIds,
  keepVatCheckOfOrder,
  sweepVatChecks,
  VAT_CHECK_RETENTION_DAYS,
  type VatCheck,
  vatChecker,
  vatCheckOfOrder,
} from './vat-registry/checks.ts'
export { type ViesSettings, viesProblem, viesRegistry } from './vat-registry/vies.ts'
