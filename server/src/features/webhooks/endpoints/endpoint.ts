import { eventKindNames, limits } from '@vitrine/contract'
import type { Environment } from '../../../kernel/environment.ts'
import { type FieldFault, refuse } from '../../../kernel/refusal.ts'

/** All event types, including future ones. */
const ALL_KINDS = '*'

interface EndpointFacts {
  readonly id: string
  /** An installation or an integration. */
  readonly ownerId: string
  readonly environment: Environment
  /** Normalized by WHATWG URL. */
  readonly url: string
  /** Event types, or only `*`. */
  readonly events: readonly string[]
  readonly description: string | null
  /** The last characters of the current secret. */
  readonly secretHint: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The events during a pause are not delivered later. */
interface EnabledOrPausedEndpoint extends EndpointFacts {
  readonly status: 'enabled' | 'paused'
}

/** Disabled by the server, because it answered 410 or only failed for days. */
interface DisabledEndpoint extends EndpointFacts {
  readonly status: 'disabled'
  readonly disabledReason: string
  readonly disabledAt: Date
}

/** A URL of an installation or an integration that receives events. */
export type Endpoint = EnabledOrPausedEndpoint | DisabledEndpoint

/** Why an endpoint was disabled: `gone` (410), or `failing` for days. */
export type DisabledReason = 'gone' | 'failing'

/** A partial update. */
interface EndpointChange {
  readonly url?: string | undefined
  readonly events?: readonly string[]
  readonly description?: string
  readonly status?: 'enabled' | 'paused'
  readonly secretHint?: string | undefined
}

export function newEndpoint({
  now,
  ...facts
}: Omit<EndpointFacts, 'version' | 'createdAt' | 'updatedAt'> & { readonly now: Date }): Endpoint {
  return { ...facts, status: 'enabled', version: 1, createdAt: now, updatedAt: now }
}

/** Applies an update. Any status may follow any other; a new status clears the reason for which the endpoint was disabled. */
export function changeEndpoint(endpoint: Endpoint, change: EndpointChange, now: Date): Endpoint {
  const { url, events, description, status, secretHint } = change
  const facts = {
    ...factsOf(endpoint),
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: subscription(events) }),
    ...(description !== undefined && { description }),
    ...(secretHint !== undefined && { secretHint }),
    version: endpoint.version + 1,
    updatedAt: now,
  }
  if (status !== undefined) return { ...facts, status }
  if (endpoint.status !== 'disabled') return { ...facts, status: endpoint.status }
  const { disabledReason, disabledAt } = endpoint
  return { ...facts, status: 'disabled', disabledReason, disabledAt }
}

/** Disables an endpoint. `null` if it is not enabled. */
export function disableEndpoint(endpoint: Endpoint, reason: DisabledReason, now: Date): DisabledEndpoint | null {
  if (endpoint.status !== 'enabled') return null
  return {
    ...factsOf(endpoint),
    status: 'disabled',
    disabledReason: reason,
    disabledAt: now,
    version: endpoint.version + 1,
    updatedAt: now,
  }
}

function factsOf(endpoint: Endpoint): EndpointFacts {
  const { id, ownerId, environment, url, events, description, secretHint, version, createdAt, updatedAt } = endpoint
  return { id, ownerId, environment, url, events, description, secretHint, version, createdAt, updatedAt }
}

/**
 * The event types of an endpoint, deduplicated and in the order of the contract. `*` includes all others.
 *
 * Refusals: `unknown_event_type`, with a fault for each unknown type.
 */
export function subscription(requested: readonly string[]): readonly string[] {
  const kinds: readonly string[] = eventKindNames
  const unknown = requested.flatMap((kind, index) => (kind === ALL_KINDS || kinds.includes(kind) ? [] : [index]))
  if (unknown.length > 0) refuse('unknown_event_type', { faults: unknown.map((index) => unknownKind(index)) })
  return requested.includes(ALL_KINDS) ? [ALL_KINDS] : kinds.filter((kind) => requested.includes(kind))
}

function unknownKind(index: number): FieldFault {
  const message = 'Unknown event type. listInstallationWebhookEvents lists all types.'
  return { field: `events/${index}`, code: 'unknown_event_type', message }
}

/** The first free slot. Refuses `endpoint_limit_reached`. */
export function freeSlot(taken: readonly number[]): number {
  const { endpointsMax } = limits.webhooks
  const slots = Array.from({ length: endpointsMax }, (_, index) => index + 1)
  const slot = slots.find((each) => !taken.includes(each))
  const allowed = ['updateInstallationWebhook']
  return slot ?? refuse('endpoint_limit_reached', { params: { endpointsMax }, conflict: { allowed } })
}
