import { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { listDeliveries } from '../deliveries/log.ts'
import { presentDelivery } from '../deliveries/view.ts'
import type { WebhookDeps } from '../deps.ts'
import { beginOf, nextOf, PAGE_LIMIT, pageOf, type WalkedList } from '../page.ts'

/** GET /api/v1/open/webhooks/deliveries */
export function listInstallationWebhookDeliveries({
  cursorSecret,
}: WebhookDeps): Handler<typeof operations.listInstallationWebhookDeliveries> {
  return async ({ query }, { reader, principal }) => {
    const { path } = operations.listInstallationWebhookDeliveries
    const { cursor, ...filters } = query
    const list: WalkedList = { cursorSecret, path, principal, filters }
    const behind = beginOf(list, cursor)

    const { endpointId = null, status = null, eventType = null } = filters
    const question = { endpointId, status, eventType, behind, limit: PAGE_LIMIT + 1 }
    const { shown, lastId } = pageOf(await listDeliveries(reader, principal, question))

    return { deliveries: shown.map(presentDelivery), next: nextOf(list, lastId) }
  }
}
