export { type ExplainedPromotion, explainPromotions } from './explain-promotions.ts'
export { priceCart, recalculatePrice } from './price-cart.ts'
export { type RuleFault, shippingZoneFaults, taxRateFaults } from './rule-faults.ts'
export { type PricingFacts, RuleSnapshots } from './rule-snapshots.ts'
export {
  loadPricingRules,
  rulesVersion,
  saveShippingZones,
  saveTaxRates,
  saveTaxScheme,
  saveTaxSource,
  shippingNamesSql,
  storesWithoutRules,
} from './rule-store.ts'
export { compactPostalCode, exemptionNotes } from './tax.ts'
export type { TaxAddress } from './tax-provider/provider.ts'
export {
  lastTaxFailure,
  sweepTaxAnswers,
  TAX_ANSWER_RETENTION_DAYS,
  TaxAnswers,
  type TaxProviders,
} from './tax-provider/tax-answers.ts'
export { taxService } from './tax-provider/tax-service.ts'
export type {
  DiscountAllocation,
  PricedCart,
  PricedLine,
  PricedMessage,
  PricingInput,
  PricingLine,
  PromotionSlot,
  RecalculationInput,
  SelectedShipping,
  ShippingRate,
  ShippingZone,
  StoreFacts,
  TaxExemption,
  TaxLine,
  TaxRate,
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
export { viesProblem, viesRegistry } from './vat-registry/vies.ts'
