/**
 * The gated capabilities and their blockers. Refusals and readiness use the same names, so that a client finds the blocker of
 * a refusal in the readiness report.
 *
 * @see docs/reference/interface.md#what-the-service-does
 */
export const BLOCKERS = {
  installation_write: 'sender_constrained_credential_required',
  final_order_creation: 'reviewed_public_contract_required',
  production_activation: 'external_readiness_not_proven',
} as const

export type CapabilityId = keyof typeof BLOCKERS

/** The facts of a refusal for a blocked capability. */
export function blocked(capability: CapabilityId) {
  return { params: { capability, blocker: BLOCKERS[capability] } }
}
