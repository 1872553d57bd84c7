import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { findOrder } from '../order/store.ts'
import { presentOrder } from '../order/view.ts'

/** GET /api/v1/open/storefront/orders/{orderId} */
export const getStorefrontOrder: Handler<typeof operations.getStorefrontOrder> = async (
  { params },
  { reader, principal },
) => presentOrder(await findOrder(reader, principal, params.orderId))
