import { loadRecordedProofs, READINESS_PROOFS, recordReadinessProof } from '@vitrine/server'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'

/** `vitrine readiness list`: what must be proven before live keys work. */
export async function listReadinessCommand(output: Output): Promise<void> {
  const recorded = await inHouse(output, ({ database }) => loadRecordedProofs(database.reader))
  const proofs = READINESS_PROOFS.map((proof) => ({ ...proof, recorded: recorded.has(proof.code) }))
  output.result(
    { activated: proofs.every((proof) => proof.recorded), proofs },
    columns(
      proofs.map((proof) => [proof.recorded ? 'recorded' : 'missing', proof.code, proof.recorded ? '' : proof.remedy]),
    ),
  )
}

/** `vitrine readiness record CODE --note TEXT`: says that it was seen. All of them together activate live keys. */
export async function recordReadinessCommand(code: string, note: string, output: Output): Promise<void> {
  await inHouse(output, ({ database, now }) =>
    database.transaction(async (tx) => recordReadinessProof(tx, code, note, now())),
  )
  output.result({ code, recorded: true }, [`Recorded ${code}.`])
}
