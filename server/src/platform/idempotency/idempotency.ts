import { createHash } from 'node:crypto'
import { type CanonicalValue, canonicalJson } from '../../kernel/canonical-json.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Principal } from '../http/handler.ts'
import type { OpenTransaction, Transaction } from '../postgres/access.ts'
import { statement } from '../postgres/statement.ts'

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/
/** An RFC 8941 string: what draft-ietf-httpapi-idempotency-key-header asks for. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** Reads the key. Refusals: `idempotency_key_required`, `idempotency_key_invalid`. */
export function readIdempotencyKey(values: readonly string[]): string {
  const [value, second] = values
  if (value === undefined) refuse('idempotency_key_required', place('required', 'Send an Idempotency-Key header.'))
  if (second !== undefined) refuse('idempotency_key_invalid', place('not_unique', 'Send one Idempotency-Key header.'))
  const key = QUOTED.exec(value)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? value
  if (!VISIBLE_ASCII.test(key)) {
    refuse('idempotency_key_invalid', place('wrong_format', '1 to 255 visible ASCII characters.'))
  }
  return key
}

function place(code: string, message: string) {
  return { details: [{ in: 'header' as const, pointer: 'Idempotency-Key', code, message }] }
}

/** What makes two requests the same: operation, path and the body as it was understood. */
export function fingerprintOf(operationId: string, params: CanonicalValue, body: CanonicalValue): Buffer {
  return createHash('sha256')
    .update(canonicalJson([operationId, params, body]))
    .digest()
}

export interface Claim {
  readonly principal: Principal
  readonly key: string
  readonly fingerprint: Buffer
  /** The hash of the DPoP proof, taken once. */
  readonly proofHash: Buffer
  readonly proofExpiresAt: Date
  readonly now: Date
}

// Two statements, because the second must see what was committed before the first got its lock.
const tryLock = statement<{ locked: boolean }>('idempotency.try_lock', 'select pg_try_advisory_xact_lock($1) as locked')
const findKept = statement<{ fingerprint: Buffer; answer: Buffer }>(
  'idempotency.find',
  'select fingerprint, answer from idempotency_keys where environment = $1 and installation_id = $2 and key = $3',
)
const claimProof = statement(
  'dpop.claim',
  'insert into dpop_proofs (proof, expires_at) values ($1, $2) on conflict do nothing',
)
const keep = statement(
  'idempotency.keep',
  `insert into idempotency_keys (environment, installation_id, key, fingerprint, status, answer, created_at)
   values ($1, $2, $3, $4, 200, $5, $6)`,
)

/** The lock of a key: 64 bits of its hash. Two keys that share them would only make one of them try again. */
function lockOf(claim: Claim): bigint {
  const { environment, installationId } = claim.principal
  return createHash('sha256').update(`${environment} ${installationId} ${claim.key}`).digest().readBigInt64BE()
}

/**
 * Claims a key for this transaction, in one round trip together with its beginning.
 *
 * @returns the first answer where the same request was already answered, or `null` where it is ours to do
 *
 * Refusals: `invalid_dpop_proof` (taken before), `idempotency_key_reused`, `idempotency_in_progress`.
 *
 * @see CONTRACT, Idempotency
 */
export async function claimKey(tx: OpenTransaction, claim: Claim): Promise<Buffer | null> {
  const { environment, installationId } = claim.principal
  const proofTaken = tx.change(claimProof, [claim.proofHash, claim.proofExpiresAt])
  // What follows is undone by a refusal; the proof stays taken, so that a stolen one cannot be tried again.
  tx.savepointHere()
  const [proofs, lock, kept] = await Promise.all([
    proofTaken,
    tx.row(tryLock, [lockOf(claim)]),
    tx.row(findKept, [environment, installationId, claim.key]),
  ])
  if (proofs !== 1) refuse('invalid_dpop_proof', { reason: 'replayed', details: [replayed] })
  if (kept) {
    if (!kept.fingerprint.equals(claim.fingerprint)) refuse('idempotency_key_reused')
    return kept.answer
  }
  if (!lock?.locked) refuse('idempotency_in_progress')
  return null
}

const replayed = {
  in: 'header',
  pointer: 'DPoP',
  code: 'replayed',
  message: 'This proof was taken before: make one for each request.',
} as const

/** Keeps the answer beside the change that it reports. The primary key says once more that a key has one effect. */
export function keepAnswer(tx: Transaction, claim: Claim, answer: Buffer): void {
  const { environment, installationId } = claim.principal
  tx.write(keep, [environment, installationId, claim.key, claim.fingerprint, answer, claim.now])
}
