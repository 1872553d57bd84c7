import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { cancelWaiting } from '../delivery-claim.ts'
import { changed } from '../endpoint.ts'
import { forgetFailures, readStats } from '../endpoint-stats.ts'
import { lockEndpoint, saveEndpoint } from '../endpoint-store.ts'
import { presentChangedEndpoint } from '../endpoint-view.ts'
import type { WebhookDeps } from '../parts.ts'
import { newSecret } from '../secret.ts'
import { replaceSecret } from '../secret-store.ts'
import { targetOf } from '../target.ts'

/** PATCH /api/v1/open/webhooks/endpoints/{id} */
export function updateInstallationWebhook({
  keyring,
  randomness,
  allowedTargets,
}: WebhookDeps): Handler<typeof operations.updateInstallationWebhook> {
  return async ({ params, body }, { tx, principal, now }) => {
    const { url: asked, rotateSecret = false, ...rest } = body
    const url = asked === undefined ? undefined : targetOf(asked, allowedTargets)
    if (rest.status === 'enabled' || url !== undefined) forgetFailures(tx, principal, params.id)
    const [endpoint, stats] = await Promise.all([lockEndpoint(tx, principal, params.id), readStats(tx, [params.id])])

    const secret = rotateSecret ? newSecret(randomness) : null
    const next = changed(endpoint, { ...rest, url, secretHint: secret?.hint }, now)

    saveEndpoint(tx, next)
    if (next.status === 'paused') cancelWaiting(tx, next.id, now)
    if (secret) await replaceSecret(tx, keyring, next.id, secret, now)
    return presentChangedEndpoint(next, stats(next.id), secret)
  }
}
