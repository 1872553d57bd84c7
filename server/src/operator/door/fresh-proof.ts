import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Operator } from './handler.ts'

/** How long a proof of identity is fresh. */
const PROOF_MS = 10 * 60_000

const save = statement('operators.save_proof', 'update operator_sessions set proved_at = $2 where token_hash = $1')
const readLimit = statement<{ proof_for_refunds_over: number }>(
  'operators.proof_limit',
  'select proof_for_refunds_over from operator_policy',
)
const saveLimit = statement('operators.save_proof_limit', 'update operator_policy set proof_for_refunds_over = $1')

/** Refuses a session without a fresh proof of identity, and a token of an integration, which has none. Refusals: `fresh_proof_required`. */
export function refuseStaleProof(operator: Operator | null, now: Date): void {
  // The token of the data directory needs none: each command reads it from disk, and there is no session to steal.
  if (operator?.via !== 'session' && operator?.via !== 'integration') return
  if (!operator.provedAt || proofEnd(operator.provedAt) <= now) refuse('fresh_proof_required')
}

export function proofEnd(provedAt: Date): Date {
  return new Date(provedAt.getTime() + PROOF_MS)
}

export function saveProof(tx: Transaction, sessionToken: string, now: Date): void {
  tx.write(save, [hashOfToken(sessionToken), now])
}

/** Refunds above this amount, in units of the order's currency, need a fresh proof. */
export async function readRefundLimit(reader: Reader): Promise<number> {
  return (await reader.row(readLimit))?.proof_for_refunds_over ?? 0
}

export function saveRefundLimit(tx: Transaction, units: number): void {
  tx.write(saveLimit, [units], { rows: 1 })
}
