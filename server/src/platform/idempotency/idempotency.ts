import { createHash } from 'node:crypto'
import type { Operation } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import { type CanonicalValue, canonicalJson } from '../../kernel/json.ts'
import { type Owner, ownerKey } from '../../kernel/owner.ts'
import { refuse } from '../../kernel/refusal.ts'
import { replayed } from '../auth/proof-replay.ts'
import { sqlStateOf } from '../postgres/errors.ts'
import { insertion } from '../postgres/insertion.ts'
import type { OpenTransaction, Reader } from '../postgres/reader.ts'
import { type Statement, statement } from '../postgres/statement.ts'
import { createAnswersPartition, packAnswer, unpackAnswer } from './answers.ts'

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/
/** An RFC 8941 string, as draft-ietf-httpapi-idempotency-key-header requires. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** Reads the Idempotency-Key header. Refusals: `idempotency_key_required`, `idempotency_key_invalid`. */
export function readIdempotencyKey(values: readonly string[]): string {
  const [value, second] = values
  if (value === undefined)
    refuse('idempotency_key_required', headerFault('required', 'Send an Idempotency-Key header.'))
  if (second !== undefined)
    refuse('idempotency_key_invalid', headerFault('not_unique', 'Send one Idempotency-Key header.'))
  const key = QUOTED.exec(value)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? value
  if (!VISIBLE_ASCII.test(key)) {
    refuse('idempotency_key_invalid', headerFault('wrong_format', '1 to 255 visible ASCII characters.'))
  }
  return key
}

function headerFault(code: string, message: string) {
  return { details: [{ in: 'header' as const, pointer: 'Idempotency-Key', code, message }] }
}

/** Identifies equal requests: operation, path parameters and parsed body. */
export function fingerprintOf(operationId: string, params: CanonicalValue, body: CanonicalValue): Buffer {
  return createHash('sha256')
    .update(canonicalJson([operationId, params, body]))
    .digest()
}

export interface Claim {
  readonly principal: Owner
  readonly operationId: string
  readonly key: string
  readonly fingerprint: Buffer
  /** The hash of the DPoP proof, which is accepted once. */
  readonly proofHash: Buffer
  readonly proofExpiresAt: Date
  readonly now: Date
}

/** The result of claiming a key. */
export interface Claimed {
  readonly proof_taken: boolean
  readonly locked: boolean
  readonly kept_fingerprint: Buffer | null
  readonly kept_answer: Buffer | null
  readonly kept_dictionary: bigint | null
  /** Whether the partition for an answer at this time exists. */
  readonly has_partition: boolean
}

const claimNewWrite = statement<Pick<Claimed, 'has_partition'>>(
  'idempotency.claim_new',
  'select claim_new_write($1, $2, $3, $4, $5, $6, $7) as has_partition',
)
const claimWrite = statement<Claimed>('idempotency.claim', 'select * from claim_write($1, $2, $3, $4, $5, $6, $7)')
const insertAnswers = insertion(
  'answers',
  {
    environment: 'text',
    owner: 'text',
    key: 'text',
    fingerprint: 'bytea',
    created_at: 'timestamptz',
    key_hash: 'bigint',
    dictionary: 'bigint',
    answer: 'bytea',
  },
  `answered as materialized (select * from ROWS),
   answers as (
     insert into idempotency_answers (created_at, key_hash, dictionary, answer)
     select created_at, key_hash, dictionary, answer from answered),
   keys as (
     insert into idempotency_keys (environment, installation_id, key, fingerprint, status, created_at)
     select environment, owner, key, fingerprint, 200, created_at from answered)`,
)

/** 64 bits of the hash of a key identify its advisory lock and its answer. On a collision one of the two requests has to retry. */
function hashOf(claim: Claim): bigint {
  const { principal, key } = claim
  return createHash('sha256')
    .update(`${principal.environment} ${ownerKey(principal)} ${key}`)
    .digest()
    .readBigInt64BE()
}

async function claimOn<Result extends Pick<Claimed, 'has_partition'>>(
  reader: Reader,
  claim: Claim,
  by: Statement<Result>,
): Promise<Result> {
  const { principal, proofHash, proofExpiresAt, key, now } = claim
  const values = [proofHash, proofExpiresAt, hashOf(claim), principal.environment, ownerKey(principal), key, now]
  return present(await reader.row(by, values), 'a claim returns a row')
}

/**
 * Claims a key. Queries issued at the same time share its round trip.
 *
 * A lost COMMIT is resolved by claiming again: that waits for the transaction that has claimed the proof, and claims it only if
 * that transaction was rolled back.
 */
export function claimKey(tx: OpenTransaction, claim: Claim): Promise<Claimed> {
  return claiming(tx, claim, claimWrite)
}

/**
 * The same for a request that is new, as most are: its queries may be issued together with the claim. For a known request, nothing
 * is executed and the claim fails with an error for {@link isKnownRequest}.
 */
export function claimNewKey(tx: OpenTransaction, claim: Claim): Promise<Pick<Claimed, 'has_partition'>> {
  return claiming(tx, claim, claimNewWrite)
}

function claiming<Result extends Pick<Claimed, 'has_partition'>>(
  tx: OpenTransaction,
  claim: Claim,
  by: Statement<Result>,
): Promise<Result> {
  const claimed = claimOn(tx, claim, by)
  tx.resolveBy(async (reader) => !(await claimOn(reader, claim, claimWrite)).proof_taken)
  // A refusal rolls back to here: the proof stays claimed, so that a stolen one cannot be tried again.
  tx.savepointHere()
  return claimed
}

/** Whether a claim has failed because its key or its proof was used before: `claimKey` tells which. */
export function isKnownRequest(failure: unknown): boolean {
  return sqlStateOf(failure) === 'VT001'
}

/**
 * Checks the result of a claim.
 *
 * @returns the stored response of the same request, or `null` if the request has to be executed
 *
 * Refusals: `invalid_dpop_proof` (replayed), `idempotency_key_reused`, `idempotency_in_progress`.
 *
 * @see docs/reference/rules.md#idempotency
 */
export async function storedResponse(
  reader: Reader,
  claimed: Claimed,
  { fingerprint }: Pick<Claim, 'fingerprint'>,
): Promise<Buffer | null> {
  if (!claimed.proof_taken) {
    // A proxy may have sent the same bytes twice. The first request has taken effect, or still may: a retry with the same key and
    // a new proof gets its answer.
    const isRetry = claimed.kept_fingerprint?.equals(fingerprint) || !claimed.locked
    refuse('invalid_dpop_proof', { reason: 'replayed', details: [replayed], ...(isRetry && { advice: 'same_key' }) })
  }
  if (claimed.kept_answer) {
    if (!claimed.kept_fingerprint?.equals(fingerprint)) refuse('idempotency_key_reused')
    return unpackAnswer(reader, { dictionary: claimed.kept_dictionary, bytes: claimed.kept_answer })
  }
  if (!claimed.locked) refuse('idempotency_in_progress')
  return null
}

/**
 * Stores the response in the transaction of the change. The primary key ensures that a key has one effect.
 *
 * After a lost COMMIT, only exactly this stored response is proof: another attempt may have written the key since.
 */
export function storeResponse(
  tx: OpenTransaction,
  claim: Claim,
  claimed: Pick<Claimed, 'has_partition'>,
  response: Buffer,
): void {
  const { principal, operationId, key, fingerprint, now } = claim
  const { dictionary, bytes } = packAnswer(operationId, response)
  if (!claimed.has_partition) createAnswersPartition(tx, now)
  const owner = [principal.environment, ownerKey(principal)]
  tx.add(insertAnswers, [...owner, key, fingerprint, now, hashOf(claim), dictionary, bytes])
  tx.resolveBy(async (reader) => {
    const { proof_taken, kept_answer, kept_dictionary } = await claimOn(reader, claim, claimWrite)
    return !proof_taken && kept_dictionary === dictionary && kept_answer?.equals(bytes) === true
  })
}

/**
 * A response as it is stored: without the members that hold secrets, and with their state set to `already_shown`. Neither
 * the database nor a backup holds a secret in plain text.
 *
 * @see docs/reference/rules.md#idempotency
 */
export function withoutSecrets(response: Buffer, secrets: NonNullable<Operation['secrets']>): Buffer {
  const body = JSON.parse(response.toString()) as { readonly data: object }
  return Buffer.from(JSON.stringify({ ...body, data: dataWithoutSecrets(body.data, secrets) }))
}

/** The same for the data of a response. */
export function dataWithoutSecrets(data: object, secrets: NonNullable<Operation['secrets']>): object {
  const shown = Object.entries(secrets).filter(([member]) => member in data)
  const states = Object.fromEntries(shown.map(([, state]) => [state, 'already_shown']))
  const stored = Object.entries({ ...data, ...states }).filter(([member]) => !Object.hasOwn(secrets, member))
  return Object.fromEntries(stored)
}
