import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { insertReplay, loadDelivery } from '../deliveries/log.ts'
import { assertReplayable } from '../deliveries/replay.ts'
import { presentDelivery } from '../deliveries/view.ts'
import { loadEndpoint } from '../endpoints/store.ts'

/** POST /api/v1/open/webhooks/deliveries/{id}/replay */
export const replayInstallationWebhookDelivery: Handler<typeof operations.replayInstallationWebhookDelivery> = async (
  { params, body },
  { tx, principal, ids, now },
) => {
  const delivery = await loadDelivery(tx, principal, params.id)
  const endpoint = await loadEndpoint(tx, principal, delivery.endpointId)

  assertReplayable(delivery.status, endpoint)

  const replay = insertReplay(tx, delivery, { id: ids.next('whd'), reason: body.reason ?? null, now })
  return { operation: 'replayInstallationWebhookDelivery', status: 'accepted', result: presentDelivery(replay) }
}
