import type { Secret } from '../../platform/secrets/rotating-secret.ts'
import type { CancellationDeps } from './effects.ts'
import { cancelStorefrontOrder } from './operations/cancelStorefrontOrder.ts'
import { getStorefrontOrderCancellationEligibility } from './operations/getStorefrontOrderCancellationEligibility.ts'

interface CancellationOperationDeps extends CancellationDeps {
  /** Signs eligibility tokens. Shared by all nodes. */
  readonly eligibilitySecret: Secret
}

/** Rows 46 and 47 of the contract. */
export function cancellationOperations({ eligibilitySecret, ...deps }: CancellationOperationDeps) {
  return {
    getStorefrontOrderCancellationEligibility: getStorefrontOrderCancellationEligibility(eligibilitySecret),
    cancelStorefrontOrder: cancelStorefrontOrder(eligibilitySecret, deps),
  }
}
