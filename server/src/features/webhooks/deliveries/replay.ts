import { refuse } from '../../../kernel/refusal.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { DeliveryStatus } from './delivery.ts'

/** The states that allow a replay. @see docs/reference/rules.md#delivery */
const REPLAYABLE: readonly DeliveryStatus[] = ['succeeded', 'dead']

const CANCELED = {
  field: '',
  code: 'canceled',
  message:
    'The delivery was canceled while its endpoint was paused, disabled or suspended. Read the current state of its object.',
}

/** Refusals: `delivery_in_progress`, `endpoint_disabled`. */
export function assertReplayable(status: DeliveryStatus, endpoint: Pick<Endpoint, 'status'>): void {
  if (!REPLAYABLE.includes(status)) {
    refuse('delivery_in_progress', {
      conflict: { currentState: status, allowed: [...REPLAYABLE] },
      // It stays canceled: the same request later would be refused again.
      ...(status === 'canceled' && { advice: 'do_not_retry', faults: [CANCELED] }),
    })
  }
  if (endpoint.status !== 'enabled') {
    refuse('endpoint_disabled', {
      conflict: { currentState: endpoint.status, allowed: ['updateInstallationWebhook'] },
    })
  }
}
