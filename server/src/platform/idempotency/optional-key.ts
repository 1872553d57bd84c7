import { createHash } from 'node:crypto'
import type { Operation } from '@vitrine/contract'
import type { CanonicalValue } from '../../kernel/json.ts'
import type { OpenTransaction } from '../postgres/reader.ts'
import {
  type Claim,
  claimKey,
  dataWithoutSecrets,
  fingerprintOf,
  readIdempotencyKey,
  storedResponse,
  storeResponse,
} from './idempotency.ts'

const CLAIM_MS = 60_000

/** A request of the operator API, which may have an Idempotency-Key. */
interface Repeatable {
  /** The values of the header. */
  readonly keys: readonly string[]
  readonly requestId: string
  readonly operationId: string
  /** The owner of the key. */
  readonly caller: string
  readonly params: unknown
  readonly body: unknown
  readonly now: Date
}

/** The claim of the key of a request; `null` if it has none. Refusals: `idempotency_key_invalid`. */
export function claimOf({ keys, requestId, operationId, caller, params, body, now }: Repeatable): Claim | null {
  if (keys.length === 0) return null
  return {
    principal: { installationId: `operator/${caller}`, environment: 'live', narrowedTo: null },
    operationId: `operator.${operationId}`,
    key: readIdempotencyKey(keys),
    fingerprint: fingerprintOf(operationId, params as CanonicalValue, body as CanonicalValue),
    // Operators send no proof. This one only this request has.
    proofHash: createHash('sha256').update(requestId).digest(),
    proofExpiresAt: new Date(now.getTime() + CLAIM_MS),
    now,
  }
}

/**
 * Executes a change, unless its key was claimed before: then its stored answer is returned, without its secrets.
 *
 * Refusals: `idempotency_key_reused`, `idempotency_in_progress`, those of the change.
 */
export async function executeOnce(
  tx: OpenTransaction,
  claim: Claim | null,
  secrets: Operation['secrets'],
  execute: () => Promise<object>,
): Promise<unknown> {
  if (claim === null) return execute()
  const claimed = await claimKey(tx, claim)
  const earlier = await storedResponse(tx, claimed, claim)
  if (earlier) return JSON.parse(earlier.toString())
  const result = await execute()
  const stored = secrets ? dataWithoutSecrets(result, secrets) : result
  storeResponse(tx, claim, claimed, Buffer.from(JSON.stringify(stored)))
  return result
}
