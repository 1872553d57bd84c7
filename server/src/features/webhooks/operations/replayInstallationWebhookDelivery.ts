import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { findDelivery, insertReplay } from '../deliveries/log.ts'
import { refuseUnlessReplayable } from '../deliveries/replay.ts'
import { presentDelivery } from '../deliveries/view.ts'
import { findEndpoint } from '../endpoints/store.ts'

/** POST /api/v1/open/webhooks/deliveries/{id}/replay */
export const replayInstallationWebhookDelivery: Handler<typeof operations.replayInstallationWebhookDelivery> = async (
  { params, body },
  { tx, principal, ids, now },
) => {
  const delivery = await findDelivery(tx, principal, params.id)
  const endpoint = await findEndpoint(tx, principal, delivery.endpointId)

  refuseUnlessReplayable(delivery.status, endpoint)

  const replay = insertReplay(tx, delivery, { id: ids.next('whd'), reason: body.reason ?? null, now })
  return { operation: 'replayInstallationWebhookDelivery', status: 'accepted', result: presentDelivery(replay) }
}
