import type { Secret } from '../../platform/secrets/rotating-secret.ts'
import { getStorefrontOrder, type OrderPorts } from './operations/getStorefrontOrder.ts'
import { listStorefrontOrders } from './operations/listStorefrontOrders.ts'

interface OrderDeps extends OrderPorts {
  /** Shared by all nodes. */
  readonly cursorSecret: Secret
}

/** Rows 44 and 45 of the contract. */
export function orderOperations({ cursorSecret, ...ports }: OrderDeps) {
  return { listStorefrontOrders: listStorefrontOrders(cursorSecret), getStorefrontOrder: getStorefrontOrder(ports) }
}
