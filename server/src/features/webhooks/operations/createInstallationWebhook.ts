import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { opened, subscription } from '../endpoint.ts'
import { NO_STATS } from '../endpoint-stats.ts'
import { insertEndpoint, takeSlot } from '../endpoint-store.ts'
import { presentChangedEndpoint } from '../endpoint-view.ts'
import type { WebhookDeps } from '../parts.ts'
import { newSecret } from '../secret.ts'
import { insertFirstSecret } from '../secret-store.ts'
import { targetOf } from '../target.ts'

/** POST /api/v1/open/webhooks/endpoints */
export function createInstallationWebhook({
  keyring,
  randomness,
  allowedTargets,
}: WebhookDeps): Handler<typeof operations.createInstallationWebhook> {
  return async ({ body }, { tx, principal, ids, now }) => {
    const url = targetOf(body.url, allowedTargets)
    const events = subscription(body.events)
    const slot = await takeSlot(tx, principal)

    const secret = newSecret(randomness)
    const { installationId, environment } = principal
    const endpoint = opened({
      id: ids.next('whe'),
      installationId,
      environment,
      url,
      events,
      description: body.description ?? null,
      secretHint: secret.hint,
      now,
    })

    insertEndpoint(tx, endpoint, slot)
    insertFirstSecret(tx, keyring, endpoint.id, secret, now)
    return presentChangedEndpoint(endpoint, NO_STATS, secret)
  }
}
