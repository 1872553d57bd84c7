import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@vitrine/contract'
import type { Endpoint } from './endpoint.ts'
import type { NewSecret } from './secret.ts'
import type { EndpointStats } from './stats.ts'

export function presentEndpoint(endpoint: Endpoint, stats: EndpointStats): WebhookEndpoint {
  const { id, url, events, status, description, secretHint, version, createdAt, updatedAt } = endpoint
  const { lastSuccessAt, lastFailureAt, ...counts } = stats
  return {
    id,
    url,
    events: [...events],
    status,
    ...(endpoint.status === 'disabled' && { disabledReason: endpoint.disabledReason }),
    secretHint: `…${secretHint}`,
    ...(description !== null && { description }),
    stats: {
      ...counts,
      ...(lastSuccessAt && { lastSuccessAt: lastSuccessAt.toISOString() }),
      ...(lastFailureAt && { lastFailureAt: lastFailureAt.toISOString() }),
    },
    apiVersion: 'v1',
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** The response to a change, with the secret if a new one was created. */
export function presentChangedEndpoint(
  endpoint: Endpoint,
  stats: EndpointStats,
  secret: NewSecret | null,
): WebhookEndpointWithSecret {
  const view = presentEndpoint(endpoint, stats)
  return secret ? { ...view, secret: secret.text, secretState: 'shown' } : { ...view, secretState: 'unchanged' }
}
