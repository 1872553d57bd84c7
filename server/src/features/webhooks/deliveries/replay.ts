import { refuse } from '../../../kernel/refusal.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { DeliveryStatus } from './delivery.ts'

/** From where an event may be delivered again. @see CONTRACT, State machines, Delivery */
const REPLAYED_FROM: readonly DeliveryStatus[] = ['succeeded', 'dead']

/** Refuses `delivery_in_progress`, and `endpoint_disabled` where the endpoint is not enabled. */
export function refuseUnlessReplayable(status: DeliveryStatus, endpoint: Pick<Endpoint, 'status'>): void {
  if (!REPLAYED_FROM.includes(status)) {
    refuse('delivery_in_progress', { conflict: { currentState: status, allowed: [...REPLAYED_FROM] } })
  }
  if (endpoint.status !== 'enabled') {
    refuse('endpoint_disabled', {
      conflict: { currentState: endpoint.status, allowed: ['updateInstallationWebhook'] },
    })
  }
}
