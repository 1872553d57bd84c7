import { getStorefrontOrder } from './operations/getStorefrontOrder.ts'
import { listStorefrontOrders } from './operations/listStorefrontOrders.ts'

/** What the operations of orders stand on, beside the request. */
export interface OrderParts {
  /** Shared by all nodes. */
  readonly cursorSecret: Buffer
}

/** Rows 44 and 45 of the contract. */
export function orderOperations({ cursorSecret }: OrderParts) {
  return { listStorefrontOrders: listStorefrontOrders(cursorSecret), getStorefrontOrder }
}
