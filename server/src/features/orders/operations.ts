import type { CancellationDeps } from '../cancellations/effects.ts'
import { cancelStorefrontOrder } from '../cancellations/operations/cancelStorefrontOrder.ts'
import { getStorefrontOrder } from './operations/getStorefrontOrder.ts'
import { getStorefrontOrderAfterSalesEligibility } from '../after-sales/operations/getStorefrontOrderAfterSalesEligibility.ts'
import { getStorefrontOrderCancellationEligibility } from '../cancellations/operations/getStorefrontOrderCancellationEligibility.ts'
import { listStorefrontOrders } from './operations/listStorefrontOrders.ts'
import { requestStorefrontOrderAfterSales } from '../after-sales/operations/requestStorefrontOrderAfterSales.ts'

/** What the operations of orders stand on, beside the request. */
export interface OrderDeps {
  /** Shared by all nodes. */
  readonly cursorSecret: Buffer
  /** Seals answers about what may be asked for. Shared by all nodes. */
  readonly eligibilitySecret: Buffer
  /** What stands above orders. */
  readonly ports: CancellationDeps
}

/** Rows 44 to 49 of the contract. */
export function orderOperations({ cursorSecret, eligibilitySecret, ports }: OrderDeps) {
  return {
    listStorefrontOrders: listStorefrontOrders(cursorSecret),
    getStorefrontOrder,
    getStorefrontOrderCancellationEligibility: getStorefrontOrderCancellationEligibility(eligibilitySecret),
    cancelStorefrontOrder: cancelStorefrontOrder(eligibilitySecret, ports),
    getStorefrontOrderAfterSalesEligibility: getStorefrontOrderAfterSalesEligibility(eligibilitySecret),
    requestStorefrontOrderAfterSales: requestStorefrontOrderAfterSales(eligibilitySecret),
  }
}
