/**
 * What the service can do once nothing stands in its way, and what stands there. Refusals and readiness name both alike, so
 * that a machine that is refused finds the same word where it reads what to do.
 *
 * @see INTERFACE.md, What the service does 6
 */
export const BLOCKERS = {
  installation_write: 'sender_constrained_credential_required',
  final_order_creation: 'reviewed_public_contract_required',
  production_activation: 'external_readiness_not_proven',
} as const

export type CapabilityId = keyof typeof BLOCKERS

/** What a refusal says of a capability that is blocked. */
export function blocked(capability: CapabilityId) {
  return { params: { capability, blocker: BLOCKERS[capability] } }
}
