import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { WebhookDeps } from '../deps.ts'
import { newEndpoint, subscription } from '../endpoints/endpoint.ts'
import { newSecret } from '../endpoints/secret.ts'
import { insertFirstSecret } from '../endpoints/secret-store.ts'
import { NO_STATS } from '../endpoints/stats.ts'
import { insertEndpoint, reserveSlot } from '../endpoints/store.ts'
import { parseTarget } from '../endpoints/target.ts'
import { presentChangedEndpoint } from '../endpoints/view.ts'

/** POST /api/v1/open/webhooks/endpoints */
export function createInstallationWebhook({
  keyring,
  randomness,
  allowedTargets,
}: WebhookDeps): Handler<typeof operations.createInstallationWebhook> {
  return async ({ body }, { tx, principal, ids, now }) => {
    const url = parseTarget(body.url, allowedTargets)
    const events = subscription(body.events)
    const slot = await reserveSlot(tx, principal)

    const secret = newSecret(randomness)
    const { installationId, environment } = principal
    const endpoint = newEndpoint({
      id: ids.next('whe'),
      installationId,
      environment,
      url,
      events,
      description: body.description ?? null,
      secretHint: secret.hint,
      now,
    })

    insertEndpoint(tx, principal, endpoint, slot)
    insertFirstSecret(tx, keyring, endpoint.id, secret, now)
    return presentChangedEndpoint(endpoint, NO_STATS, secret)
  }
}
