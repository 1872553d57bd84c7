import { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { listDeliveries } from '../deliveries/log.ts'
import { presentDelivery } from '../deliveries/view.ts'
import type { WebhookDeps } from '../deps.ts'
import { type CursorList, nextPageLink, openPageCursor, PAGE_LIMIT, trimPage } from '../page.ts'

/** GET /api/v1/open/webhooks/deliveries */
export function listInstallationWebhookDeliveries({
  cursorSecret,
}: WebhookDeps): Handler<typeof operations.listInstallationWebhookDeliveries> {
  return async ({ query }, { reader, principal }) => {
    const { path } = operations.listInstallationWebhookDeliveries
    const { cursor, ...filters } = query
    const list: CursorList = { cursorSecret, path, principal, filters }
    const afterId = openPageCursor(list, cursor)

    const { endpointId = null, status = null, eventType = null } = filters
    const page = { endpointId, status, eventType, afterId, limit: PAGE_LIMIT + 1 }
    const { shown, lastId } = trimPage(await listDeliveries(reader, principal, page))

    return { deliveries: shown.map(presentDelivery), next: nextPageLink(list, lastId) }
  }
}
