import { refuse } from '../../../kernel/refusal.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { DeliveryStatus } from './delivery.ts'

/** The states that allow a replay. @see CONTRACT, State machines, Delivery */
const REPLAYABLE: readonly DeliveryStatus[] = ['succeeded', 'dead']

/** Why a delivery cannot be replayed, and what is allowed instead. */
export interface ReplayProblem {
  readonly code: 'delivery_in_progress' | 'endpoint_disabled'
  readonly currentState: DeliveryStatus | Endpoint['status']
  readonly allowed: readonly string[]
}

/** Why a delivery cannot be replayed; `null` if it can. */
export function replayProblem(status: DeliveryStatus, endpoint: Pick<Endpoint, 'status'>): ReplayProblem | null {
  if (!REPLAYABLE.includes(status)) {
    return { code: 'delivery_in_progress', currentState: status, allowed: REPLAYABLE }
  }
  if (endpoint.status === 'enabled') return null
  return { code: 'endpoint_disabled', currentState: endpoint.status, allowed: ['updateInstallationWebhook'] }
}

/** Refusals: `delivery_in_progress`, `endpoint_disabled`. */
export function assertReplayable(status: DeliveryStatus, endpoint: Pick<Endpoint, 'status'>): void {
  const problem = replayProblem(status, endpoint)
  if (!problem) return
  const { code, currentState, allowed } = problem
  refuse(code, { conflict: { currentState, allowed: [...allowed] } })
}
