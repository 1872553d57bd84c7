import { limits } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { replayed, takeOnce } from '../../auth/taken-proofs.ts'
import { claimKey, fingerprintOf, firstAnswer, keepAnswer, readIdempotencyKey } from '../../idempotency/idempotency.ts'
import { withoutSecrets } from '../../idempotency/shown-once.ts'
import { type AnyInput, type Exchange, envelope, factsOf, headerValues, storeAccessOf } from '../exchange.ts'
import { confirmCredential } from './authenticating.ts'

export function parseInput(exchange: Exchange): void {
  const { request, route } = exchange
  exchange.input = route.parse({
    // The router's object has no prototype; a fingerprint is made of plain ones.
    params: { ...(request.params as Record<string, string>) },
    query: request.query as Record<string, unknown>,
    contentType: request.headers['content-type'],
    bytes: (request.body as Buffer | undefined) ?? null,
  }) as AnyInput
}

/** One transaction holds the claim of the key, the change, its events and the answer that a repetition gets again. */
export async function claimIdempotency(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  const { house, route, now } = exchange
  const { params, body } = present(exchange.input, 'parsed')
  const claim = {
    principal: present(exchange.principal, 'authenticated'),
    key: readIdempotencyKey(headerValues(exchange.request, 'idempotency-key')),
    fingerprint: fingerprintOf(route.operationId, params, body),
    proofHash: present(exchange.proof, 'proven').proofHash,
    proofExpiresAt: new Date(now.getTime() + PROOF_REMEMBERED_MS),
    now,
  }
  const isReplayed = await house.database.transaction(async (tx) => {
    const [claimed] = await Promise.all([claimKey(tx, claim), confirmCredential(exchange, tx)])
    const first = firstAnswer(claimed, claim)
    exchange.answer = first
    if (first) {
      exchange.reply.header('idempotent-replayed', 'true')
      return true
    }
    exchange.tx = tx
    await next()
    const answer = present(exchange.answer, 'handled')
    keepAnswer(tx, claim, route.row.secrets ? withoutSecrets(answer, route.row.secrets) : answer)
    return false
  })
  if (!isReplayed) route.handler.committed?.()
}

const { iatPastSecondsMax, nonceStepSeconds, nonceStepsAccepted } = limits.dpop
/** A proof is taken as long as its nonce is, whatever its age: all accepted steps, and a minute for clocks that differ. */
const PROOF_REMEMBERED_MS = ((2 * nonceStepsAccepted + 1) * nonceStepSeconds + iatPastSecondsMax) * 1000

/** What takes long and needs no transaction. */
export async function prepare(exchange: Exchange): Promise<void> {
  const { house, route } = exchange
  const context = { ...factsOf(exchange), reader: house.database.reader }
  exchange.prepared = await route.handler.prepare?.(present(exchange.input, 'parsed'), context)
}

/** Takes the proof in the transaction of what it is shown for. It stays taken, whatever becomes of that. */
export async function takeKeyProof(exchange: Exchange): Promise<void> {
  const tx = present(exchange.tx, 'opened')
  const { proofHash } = present(exchange.proof, 'proven')
  const isFirstUse = takeOnce(tx, proofHash, new Date(exchange.now.getTime() + PROOF_REMEMBERED_MS))
  tx.savepointHere()
  if (!(await isFirstUse)) refuse('invalid_dpop_proof', { reason: 'replayed', details: [replayed] })
}

export async function openTransaction(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  await exchange.house.database.transaction(async (tx) => {
    exchange.tx = tx
    await next()
  })
}

export async function handle(exchange: Exchange): Promise<void> {
  const { house, route } = exchange
  const common = {
    ...factsOf(exchange),
    principal: exchange.principal,
    ids: house.ids,
    revisionOf: (subject: string) => String(house.revisions.of(subject)),
    reader: house.database.reader,
    tx: exchange.tx,
    prepared: exchange.prepared,
    proof: exchange.proof,
    storeAccess: storeAccessOf(exchange.request),
    commitEvenIfRefused: () => present(exchange.tx, 'opened').savepointHere(),
  }
  exchange.answer = envelope(route, await route.handler(present(exchange.input, 'parsed'), common))
}
