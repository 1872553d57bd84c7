import { refuse } from '../../../kernel/refusal.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { DeliveryStatus } from './delivery.ts'

/** The states that allow a replay. @see docs/reference/rules.md#delivery */
const REPLAYABLE: readonly DeliveryStatus[] = ['succeeded', 'dead']

/** Refusals: `delivery_in_progress`, `endpoint_disabled`. */
export function assertReplayable(status: DeliveryStatus, endpoint: Pick<Endpoint, 'status'>): void {
  if (!REPLAYABLE.includes(status)) {
    refuse('delivery_in_progress', { conflict: { currentState: status, allowed: [...REPLAYABLE] } })
  }
  if (endpoint.status !== 'enabled') {
    refuse('endpoint_disabled', {
      conflict: { currentState: endpoint.status, allowed: ['updateInstallationWebhook'] },
    })
  }
}
