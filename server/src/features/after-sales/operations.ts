import type { Secret } from '../../platform/secrets/rotating-secret.ts'
import { getStorefrontOrderAfterSalesEligibility } from './operations/getStorefrontOrderAfterSalesEligibility.ts'
import { requestStorefrontOrderAfterSales } from './operations/requestStorefrontOrderAfterSales.ts'

interface AfterSalesDeps {
  /** Signs eligibility tokens. Shared by all nodes. */
  readonly eligibilitySecret: Secret
}

/** Rows 48 and 49 of the contract. */
export function afterSalesOperations({ eligibilitySecret }: AfterSalesDeps) {
  return {
    getStorefrontOrderAfterSalesEligibility: getStorefrontOrderAfterSalesEligibility(eligibilitySecret),
    requestStorefrontOrderAfterSales: requestStorefrontOrderAfterSales(eligibilitySecret),
  }
}
