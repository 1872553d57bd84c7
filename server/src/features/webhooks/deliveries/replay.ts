import { refuse } from '../../../kernel/refusal.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { DeliveryStatus } from './delivery.ts'

/** From where an event may be delivered again. @see CONTRACT, State machines, Delivery */
const REPLAYED_FROM: readonly DeliveryStatus[] = ['succeeded', 'dead']

/** Why a delivery cannot be repeated, and what is allowed instead. */
export interface ReplayProblem {
  readonly code: 'delivery_in_progress' | 'endpoint_disabled'
  readonly currentState: DeliveryStatus | Endpoint['status']
  readonly allowed: readonly string[]
}

/** What stands in the way of delivering an event again, or `null`. */
export function replayProblem(status: DeliveryStatus, endpoint: Pick<Endpoint, 'status'>): ReplayProblem | null {
  if (!REPLAYED_FROM.includes(status)) {
    return { code: 'delivery_in_progress', currentState: status, allowed: REPLAYED_FROM }
  }
  if (endpoint.status === 'enabled') return null
  return { code: 'endpoint_disabled', currentState: endpoint.status, allowed: ['updateInstallationWebhook'] }
}

/** Refuses `delivery_in_progress`, and `endpoint_disabled` where nothing goes out. */
export function refuseUnlessReplayable(status: DeliveryStatus, endpoint: Pick<Endpoint, 'status'>): void {
  const problem = replayProblem(status, endpoint)
  if (!problem) return
  const { code, currentState, allowed } = problem
  refuse(code, { conflict: { currentState, allowed: [...allowed] } })
}
