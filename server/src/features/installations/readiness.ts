import { BLOCKERS, type CapabilityId } from '../../kernel/capabilities.ts'
import type { Environment } from '../../kernel/environment.ts'

/**
 * The proofs that an operator must record before live keys work: facts outside the service, which it cannot check itself.
 *
 * @see docs/reference/interface.md#what-the-service-does
 */
export const READINESS_PROOFS = [
  { code: 'public_address_https', remedy: 'Serve PUBLIC_URL over https with a valid certificate.' },
  { code: 'mail_delivered', remedy: 'Send a message through SMTP_URL and see it arrive.' },
  { code: 'legal_documents_reviewed', remedy: 'Have the published legal documents reviewed.' },
  { code: 'payment_provider_live', remedy: 'Capture and refund a real payment with the provider.' },
  { code: 'backup_restored', remedy: 'Restore a backup on another machine.' },
] as const

interface ReadinessCheck {
  readonly code: string
  readonly status: 'pass' | 'fail' | 'blocked'
  readonly reason?: string
  readonly remedy?: string
}

export interface Capability {
  readonly id: CapabilityId
  readonly available: boolean
  readonly blocker?: string
}

export interface ReadinessResult {
  readonly status: 'ready' | 'not_ready'
  readonly checks: readonly ReadinessCheck[]
  readonly capabilities: readonly Capability[]
}

/**
 * The readiness of an installation with the current credential.
 *
 * @see docs/reference/interface.md#what-the-service-does
 */
export function readinessOf(facts: {
  readonly senderConstrained: boolean
  readonly environment: Environment
  readonly recordedProofs: ReadonlySet<string>
}): ReadinessResult {
  const proofChecks: ReadinessCheck[] = READINESS_PROOFS.map(({ code, remedy }) =>
    facts.recordedProofs.has(code)
      ? { code, status: 'pass' }
      : { code, status: facts.environment === 'live' ? 'fail' : 'blocked', reason: 'not_recorded', remedy },
  )
  const activated = proofChecks.every((check) => check.status === 'pass')
  const credentialCheck: ReadinessCheck = facts.senderConstrained
    ? { code: 'credential_sender_constrained', status: 'pass' }
    : {
        code: 'credential_sender_constrained',
        status: 'blocked',
        reason: BLOCKERS.installation_write,
        remedy: 'Bind a key: vitrine key create --generate-key FILE.',
      }
  const capabilities = [
    capability('installation_write', facts.senderConstrained),
    capability('final_order_creation', false),
    capability('production_activation', activated),
  ]
  // The proofs concern real money, so test installations are ready without them.
  const ready = facts.senderConstrained && (facts.environment === 'test' || activated)
  return { status: ready ? 'ready' : 'not_ready', checks: [credentialCheck, ...proofChecks], capabilities }
}

function capability(id: CapabilityId, available: boolean): Capability {
  return available ? { id, available } : { id, available, blocker: BLOCKERS[id] }
}
