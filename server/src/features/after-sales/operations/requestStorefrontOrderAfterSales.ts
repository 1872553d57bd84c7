import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { lockOrder, openOptionalToken, refuseInvalidLines } from '../../orders/index.ts'
import { openAfterSales } from '../change.ts'
import { refuseMisplacedExchange } from '../request.ts'
import { presentAfterSales } from '../view.ts'

type Row = typeof operations.requestStorefrontOrderAfterSales

/** POST /api/v1/open/storefront/orders/{orderId}/after-sales */
export function requestStorefrontOrderAfterSales(secret: Secret): Handler<Row> {
  return async ({ params: { orderId }, body }, { tx, principal, ids, now }) => {
    const answered = openOptionalToken(secret, body.eligibilityToken, { question: 'after_sales', orderId, now })
    refuseMisplacedExchange(body)
    refuseInvalidLines(body.lines)
    const shown = await lockOrder(tx, principal, orderId)
    const request = await openAfterSales(tx, shown, { ...body, answered, actor: 'installation' }, { ids, now })
    return presentAfterSales(shown, request)
  }
}
