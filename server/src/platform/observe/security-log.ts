import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { isProtection } from '../rate-limit/policy.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

/** Events that may be signs of an attack. `docs/observability/README.md` lists them. */
export const SECURITY_EVENTS = [
  'credential_refused',
  'proof_refused',
  'proof_replayed',
  'code_reused',
  'refresh_reused',
  'sign_in_failed',
  'challenge_failed',
  'attempts_limited',
  'origin_refused',
  'setup_refused',
  'operator_set_up',
  'notification_forged',
] as const
export type SecurityEvent = (typeof SECURITY_EVENTS)[number]

/** The origin of an event. Never an email address: logs may be shared. */
interface SecurityFacts {
  readonly requestId: string
  readonly address: string
  /** The displayable part of the credential, or an id. */
  readonly who?: string | undefined
  readonly operationId?: string | null
}

export interface SecurityLog {
  record(event: SecurityEvent, facts: SecurityFacts): void
  /** Records a refusal if it is a security event. */
  refused(refusal: Refusal, facts: SecurityFacts): void
}

/** The maximum number of lines per event and address, so that a flood of requests does not fill the disk. */
const LINES_PER_MINUTE = 20
const MINUTE_MS = 60_000
const ADDRESSES_MAX = 10_000

interface SecurityLogDeps {
  readonly log: Logger
  readonly metrics: Metrics
  readonly clock: Clock
}

/** Writes the channel `security` of the log at level `warn`, and counts each event. */
export function securityLog({ log, metrics, clock }: SecurityLogDeps): SecurityLog {
  const lines = new LRUCache<string, { readonly since: number; count: number }>({ max: ADDRESSES_MAX })

  function record(event: SecurityEvent, facts: SecurityFacts): void {
    const key = `${event} ${facts.address}`
    const now = clock.now().getTime()
    metrics.recordSecurityEvent(event)
    let recent = lines.get(key)
    if (!recent || now - recent.since >= MINUTE_MS) recent = { since: now, count: 0 }
    recent.count += 1
    lines.set(key, recent)
    if (recent.count <= LINES_PER_MINUTE) log.warn({ channel: 'security', event, ...facts }, 'security event')
  }

  return {
    record,
    refused(refusal, facts) {
      const event = eventOf(refusal)
      if (event) record(event, facts)
    },
  }
}

const EVENTS: { readonly [Code in Refusal['code']]?: SecurityEvent } = {
  credential_invalid: 'credential_refused',
  credential_revoked: 'credential_refused',
  credential_expired: 'credential_refused',
  oauth_invalid_client: 'credential_refused',
  invalid_dpop_proof: 'proof_refused',
  oauth_invalid_dpop_proof: 'proof_refused',
  sign_in_failed: 'sign_in_failed',
  passkey_failed: 'sign_in_failed',
  provider_sign_in_failed: 'sign_in_failed',
  operator_unknown: 'sign_in_failed',
  challenge_failed: 'challenge_failed',
  challenge_attempts_exceeded: 'attempts_limited',
  origin_not_allowed: 'origin_refused',
  setup_token_invalid: 'setup_refused',
  setup_done: 'setup_refused',
}

function eventOf({ code, facts }: Refusal): SecurityEvent | null {
  const { reason, rateLimit } = facts
  if (reason === 'replayed') return 'proof_replayed'
  if (reason === 'code_reused' || reason === 'refresh_reused') return reason
  if (rateLimit) return isProtection(rateLimit.policy) ? 'attempts_limited' : null
  return EVENTS[code] ?? null
}
