import { refuseField } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { type Capability, READINESS_PROOFS, readinessOf } from './readiness.ts'

/** The subject of cached responses that depend on the recorded proofs. */
export const READINESS = 'readiness'

const recordedProofs = statement<{ code: string }>('installations.recorded_proofs', 'select code from readiness_proofs')
const recordProof = statement(
  'installations.record_proof',
  `insert into readiness_proofs (code, note, recorded_at) values ($1, $2, $3)
   on conflict (code) do update set note = excluded.note, recorded_at = excluded.recorded_at`,
)

export async function loadRecordedProofs(reader: Reader): Promise<ReadonlySet<string>> {
  return new Set((await reader.rows(recordedProofs)).map((row) => row.code))
}

/**
 * Records a proof of external readiness. All proofs together unblock live keys.
 *
 * Refuses `validation_failed` for an unknown proof.
 */
export function recordReadinessProof(tx: Transaction, code: string, note: string, now: Date): void {
  const known = READINESS_PROOFS.some((proof) => proof.code === code)
  if (!known) {
    const codes = READINESS_PROOFS.map((proof) => proof.code)
    refuseField('code', 'not_found', `There is no proof "${code}". Proofs: ${codes.join(', ')}.`)
  }
  tx.write(recordProof, [code, note, now])
  bumpRevision(tx, READINESS)
}

/** The capabilities of the service, with the blockers for an unbound key. */
export async function publicCapabilities(reader: Reader): Promise<Capability[]> {
  const recorded = await loadRecordedProofs(reader)
  const { capabilities } = readinessOf({ senderConstrained: false, environment: 'live', recordedProofs: recorded })
  return [...capabilities]
}
