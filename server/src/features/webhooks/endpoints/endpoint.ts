import { eventKindNames, limits, type PublicErrorDetail } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'

/** All kinds, also those that come later. */
const ALL_KINDS = '*'

interface EndpointFacts {
  readonly id: string
  readonly installationId: string
  readonly environment: 'test' | 'live'
  /** As WHATWG URL spells it. */
  readonly url: string
  /** Kinds of event, or `*` alone. */
  readonly events: readonly string[]
  readonly description: string | null
  /** The last letters of its secret. */
  readonly secretHint: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Events go out, or wait for nobody: whoever pauses is told nothing of the meantime. */
export interface ListeningEndpoint extends EndpointFacts {
  readonly status: 'enabled' | 'paused'
}

/** Disabled by us, after failures alone or because it said that it is gone. */
export interface DisabledEndpoint extends EndpointFacts {
  readonly status: 'disabled'
  readonly disabledReason: string
  readonly disabledAt: Date
}

/** Where an installation is told what happened. */
export type Endpoint = ListeningEndpoint | DisabledEndpoint

/** Why an endpoint was disabled: `gone` (410), or `failing` for days. */
export type DisabledReason = 'gone' | 'failing'

/** What is absent stays. */
export interface EndpointChange {
  readonly url?: string | undefined
  readonly events?: readonly string[]
  readonly description?: string
  readonly status?: 'enabled' | 'paused'
  readonly secretHint?: string | undefined
}

/** A new endpoint, which listens from now on. */
export function opened({
  now,
  ...facts
}: Omit<EndpointFacts, 'version' | 'createdAt' | 'updatedAt'> & { readonly now: Date }): Endpoint {
  return { ...facts, status: 'enabled', version: 1, createdAt: now, updatedAt: now }
}

/** The endpoint as its installation changes it. Any state may follow any other: enabling ends what disabled it. */
export function changed(endpoint: Endpoint, change: EndpointChange, now: Date): Endpoint {
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

/** The endpoint as we disable it, or `null` where it listens no more and nothing is left to do. */
export function disabled(endpoint: Endpoint, reason: DisabledReason, now: Date): DisabledEndpoint | null {
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
  const { id, installationId, environment, url, events, description, secretHint, version, createdAt, updatedAt } =
    endpoint
  return { id, installationId, environment, url, events, description, secretHint, version, createdAt, updatedAt }
}

/**
 * What an endpoint listens to, in the order of the contract and each kind once. `*` beside other words is all of them.
 *
 * Refusals: `unknown_event_type`, naming each word that is no kind.
 */
export function subscription(asked: readonly string[]): readonly string[] {
  const kinds: readonly string[] = eventKindNames
  const unknown = asked.flatMap((kind, index) => (kind === ALL_KINDS || kinds.includes(kind) ? [] : [index]))
  if (unknown.length > 0) refuse('unknown_event_type', { details: unknown.map((index) => unknownKind(index)) })
  return asked.includes(ALL_KINDS) ? [ALL_KINDS] : kinds.filter((kind) => asked.includes(kind))
}

function unknownKind(index: number): PublicErrorDetail {
  const message = 'There is no such kind of event. listInstallationWebhookEvents lists those that there are.'
  return { in: 'body', pointer: `/events/${index}`, code: 'unknown_event_type', message }
}

/** Refuses `endpoint_limit_reached` where an installation has as many endpoints as it may have in the environment. */
export function freeSlot(endpoints: number): number {
  const { endpointsMax } = limits.webhooks
  if (endpoints >= endpointsMax) {
    refuse('endpoint_limit_reached', { params: { endpointsMax }, conflict: { allowed: ['updateInstallationWebhook'] } })
  }
  return endpoints + 1
}
