import type {
  CreateInstallationWebhookRequest,
  UpdateInstallationWebhookRequest,
  WebhookEndpointWithSecret,
} from '@vitrine/contract'
import type { IdSource } from '../../../kernel/ids.ts'
import { refuseStale } from '../../../kernel/refusal.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { cancelWaiting } from '../deliveries/claim.ts'
import type { WebhookDeps } from '../deps.ts'
import { changeEndpoint, newEndpoint, subscription } from './endpoint.ts'
import { newSecret } from './secret.ts'
import { insertFirstSecret, replaceSecret } from './secret-store.ts'
import { NO_STATS, readStats, resetFailures } from './stats.ts'
import { type EndpointOwner, insertEndpoint, lockEndpoint, reserveSlot, saveEndpoint } from './store.ts'
import { parseTarget } from './target.ts'
import { presentChangedEndpoint } from './view.ts'

export type EndpointDeps = Pick<WebhookDeps, 'keyring' | 'randomness' | 'allowedTargets'>

/** Creates an endpoint with its first secret. Refusals: `webhook_url_invalid`, `unknown_event_type`, `endpoint_limit_reached`. */
export async function createEndpoint(
  tx: Transaction,
  owner: EndpointOwner,
  body: CreateInstallationWebhookRequest,
  { keyring, randomness, allowedTargets, ids, now }: EndpointDeps & { readonly ids: IdSource; readonly now: Date },
): Promise<WebhookEndpointWithSecret> {
  const url = parseTarget(body.url, allowedTargets)
  const events = subscription(body.events)
  const slot = await reserveSlot(tx, owner)

  const secret = newSecret(randomness)
  const { installationId: ownerId, environment } = owner
  const endpoint = newEndpoint({
    id: ids.next('whe'),
    ownerId,
    environment,
    url,
    events,
    description: body.description ?? null,
    secretHint: secret.hint,
    now,
  })

  insertEndpoint(tx, owner, endpoint, slot)
  insertFirstSecret(tx, keyring, endpoint.id, secret, now)
  return presentChangedEndpoint(endpoint, NO_STATS, secret)
}

/** Updates an endpoint. Refusals: `not_found`, `webhook_url_invalid`, `unknown_event_type`, `version_conflict`. */
export async function updateEndpoint(
  tx: Transaction,
  owner: EndpointOwner,
  endpointId: string,
  body: UpdateInstallationWebhookRequest,
  { keyring, randomness, allowedTargets, now }: EndpointDeps & { readonly now: Date },
): Promise<WebhookEndpointWithSecret> {
  const { url: requestedUrl, rotateSecret = false, expectedVersion, ...rest } = body
  const url = requestedUrl === undefined ? undefined : parseTarget(requestedUrl, allowedTargets)
  if (rest.status === 'enabled' || url !== undefined) resetFailures(tx, owner, endpointId)
  const [endpoint, stats] = await Promise.all([lockEndpoint(tx, owner, endpointId), readStats(tx, [endpointId])])

  refuseStale(endpoint.version, expectedVersion, { currentState: endpoint.status })
  const secret = rotateSecret ? newSecret(randomness) : null
  const next = changeEndpoint(endpoint, { ...rest, url, secretHint: secret?.hint }, now)

  saveEndpoint(tx, next)
  if (next.status === 'paused') cancelWaiting(tx, next.id, now)
  if (secret) await replaceSecret(tx, keyring, next.id, secret, { now, dropsOld: rotateSecret === 'now' })
  return presentChangedEndpoint(next, stats(next.id), secret)
}
