import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { cancelWaiting } from '../deliveries/claim.ts'
import type { WebhookDeps } from '../deps.ts'
import { changeEndpoint, refuseStale } from '../endpoints/endpoint.ts'
import { newSecret } from '../endpoints/secret.ts'
import { replaceSecret } from '../endpoints/secret-store.ts'
import { readStats, resetFailures } from '../endpoints/stats.ts'
import { lockEndpoint, saveEndpoint } from '../endpoints/store.ts'
import { parseTarget } from '../endpoints/target.ts'
import { presentChangedEndpoint } from '../endpoints/view.ts'

/** PATCH /api/v1/open/webhooks/endpoints/{id} */
export function updateInstallationWebhook({
  keyring,
  randomness,
  allowedTargets,
}: WebhookDeps): Handler<typeof operations.updateInstallationWebhook> {
  return async ({ params, body }, { tx, principal, now }) => {
    const { url: requestedUrl, rotateSecret = false, expectedVersion, ...rest } = body
    const url = requestedUrl === undefined ? undefined : parseTarget(requestedUrl, allowedTargets)
    if (rest.status === 'enabled' || url !== undefined) resetFailures(tx, principal, params.id)
    const [endpoint, stats] = await Promise.all([lockEndpoint(tx, principal, params.id), readStats(tx, [params.id])])

    refuseStale(endpoint, expectedVersion)
    const secret = rotateSecret ? newSecret(randomness) : null
    const next = changeEndpoint(endpoint, { ...rest, url, secretHint: secret?.hint }, now)

    saveEndpoint(tx, next)
    if (next.status === 'paused') cancelWaiting(tx, next.id, now)
    if (secret) await replaceSecret(tx, keyring, next.id, secret, { now, dropsOld: rotateSecret === 'now' })
    return presentChangedEndpoint(next, stats(next.id), secret)
  }
}
