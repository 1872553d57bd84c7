import { operations, PAGE_LIMIT_INSTALLATION } from '@vitrine/contract'
import { ownerKey } from '../../../kernel/owner.ts'
import { hashOfFilters, openCursor, sealCursor } from '../../../platform/http/cursor.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { type OrderPosition, ordersOf } from '../order/list.ts'
import { presentSummary } from '../order/view.ts'

/** GET /api/v1/open/storefront/orders */
export function listStorefrontOrders(cursorSecret: Secret): Handler<typeof operations.listStorefrontOrders> {
  return async ({ query }, { reader, principal }) => {
    const { path } = operations.listStorefrontOrders
    const list = hashOfFilters([path, ownerKey(principal), principal.environment])
    const behind = query.cursor === undefined ? null : (openCursor(cursorSecret, list, query.cursor) as OrderPosition)

    const rows = await ordersOf(reader, principal, behind, PAGE_LIMIT_INSTALLATION + 1)

    const shown = rows.slice(0, PAGE_LIMIT_INSTALLATION)
    const last = shown.at(-1)
    const hasNextPage = rows.length > shown.length && last !== undefined
    const position = hasNextPage && { placedAt: last.placedAt.toISOString(), id: last.id }
    return {
      orders: shown.map(presentSummary),
      next: position ? `${path}?cursor=${sealCursor(cursorSecret, list, position satisfies OrderPosition)}` : null,
    }
  }
}
