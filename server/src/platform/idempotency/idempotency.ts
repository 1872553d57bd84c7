import { createHash } from 'node:crypto'
import { type CanonicalValue, canonicalJson } from '../../kernel/canonical-json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { replayed } from '../auth/proof-replay.ts'
import type { Principal } from '../http/handler.ts'
import type { OpeningRow, OpenTransaction, Transaction } from '../postgres/reader.ts'
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

/** What is found where a key is claimed. */
export interface Claimed extends OpeningRow {
  readonly proof_taken: boolean
  readonly locked: boolean
  readonly kept_fingerprint: Buffer | null
  readonly kept_answer: Buffer | null
}

const claimRequest = statement<Claimed>('idempotency.claim', 'select * from claim_request($1, $2, $3, $4, $5, $6)')
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

/** Opens a transaction with the claim of a key. What is asked beside it comes in the same round trip. */
export function claimKey(tx: OpenTransaction, claim: Claim): Promise<Claimed> {
  const { environment, installationId } = claim.principal
  const { proofHash, proofExpiresAt, key } = claim
  const claiming = tx.opening(claimRequest, [
    proofHash,
    proofExpiresAt,
    lockOf(claim),
    environment,
    installationId,
    key,
  ])
  // What follows is undone by a refusal; the proof stays taken, so that a stolen one cannot be tried again.
  tx.savepointHere()
  return claiming
}

/**
 * Judges what a claim has found.
 *
 * @returns the first answer where the same request was already answered, or `null` where it is ours to do
 *
 * Refusals: `invalid_dpop_proof` (taken before), `idempotency_key_reused`, `idempotency_in_progress`.
 *
 * @see CONTRACT, Idempotency
 */
export function storedResponse(claimed: Claimed, { fingerprint }: Pick<Claim, 'fingerprint'>): Buffer | null {
  if (!claimed.proof_taken) refuse('invalid_dpop_proof', { reason: 'replayed', details: [replayed] })
  if (claimed.kept_answer) {
    if (!claimed.kept_fingerprint?.equals(fingerprint)) refuse('idempotency_key_reused')
    return claimed.kept_answer
  }
  if (!claimed.locked) refuse('idempotency_in_progress')
  return null
}

/** Keeps the answer beside the change that it reports. The primary key says once more that a key has one effect. */
export function storeResponse(tx: Transaction, claim: Claim, answer: Buffer): void {
  const { environment, installationId } = claim.principal
  tx.write(keep, [environment, installationId, claim.key, claim.fingerprint, answer, claim.now])
}
