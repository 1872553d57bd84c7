import { getStorefrontOrder } from './operations/getStorefrontOrder.ts'
import { listStorefrontOrders } from './operations/listStorefrontOrders.ts'

export interface OrderDeps {
  /** Shared by all nodes. */
  readonly cursorSecret: Buffer
}

/** Rows 44 and 45 of the contract. */
export function orderOperations({ cursorSecret }: OrderDeps) {
  return { listStorefrontOrders: listStorefrontOrders(cursorSecret), getStorefrontOrder }
}
