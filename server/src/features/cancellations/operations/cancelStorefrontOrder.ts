import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { lockOrder, openOptionalToken, refuseInvalidLines } from '../../orders/index.ts'
import { cancelOrder } from '../cancel-order.ts'
import type { CancellationDeps } from '../effects.ts'
import { presentCancellation } from '../view.ts'

type Row = typeof operations.cancelStorefrontOrder

/** POST /api/v1/open/storefront/orders/{orderId}/cancellations */
export function cancelStorefrontOrder(secret: Secret, ports: CancellationDeps): Handler<Row> {
  return async ({ params: { orderId }, body }, { tx, principal, ids, now }) => {
    const answered = openOptionalToken(secret, body.eligibilityToken, { question: 'cancellation', orderId, now })
    if (body.lines) refuseInvalidLines(body.lines)
    const shown = await lockOrder(tx, principal, orderId)
    const request = { ...body, answered, actor: 'installation' } as const
    const { order, cancellation } = await cancelOrder(tx, shown, request, { ...ports, ids, now })
    return presentCancellation(order, cancellation)
  }
}
