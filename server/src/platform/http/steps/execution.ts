import { limits } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { claimProof, replayed } from '../../auth/proof-replay.ts'
import {
  type Claimed,
  claimKey,
  claimNewKey,
  fingerprintOf,
  isKnownRequest,
  readIdempotencyKey,
  storedResponse,
  storeResponse,
  withoutSecrets,
} from '../../idempotency/idempotency.ts'
import type { OpenTransaction } from '../../postgres/reader.ts'
import { NotModified, type PreparationContext } from '../handler.ts'
import {
  type AnyInput,
  envelope,
  factsOf,
  headerValues,
  type RequestContext,
  storeAccessOf,
} from '../request-context.ts'
import { matchesEtag } from '../response-cache.ts'
import { revalidateCredential } from './authentication.ts'

export function parseInput(context: RequestContext): void {
  const { request, route } = context
  context.input = route.parse({
    // The router's object has no prototype, and a fingerprint needs plain objects.
    params: { ...(request.params as Record<string, string>) },
    query: request.query as Record<string, unknown>,
    url: request.url,
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
    bytes: (request.body as Buffer | undefined) ?? null,
  }) as AnyInput
}

/** One transaction contains the claim of the key, the change, its events and the response that a retry receives. */
export async function claimIdempotency(context: RequestContext, next: () => Promise<void>): Promise<void> {
  const { deps, route, now } = context
  const { params, body } = present(context.input, 'parsed')
  const claim = {
    principal: present(context.principal, 'authenticated'),
    operationId: route.operationId,
    key: readIdempotencyKey(headerValues(context.request, 'idempotency-key')),
    fingerprint: fingerprintOf(route.operationId, params, body),
    proofHash: present(context.proof, 'proven').proofHash,
    proofExpiresAt: new Date(now.getTime() + PROOF_RETENTION_MS),
    now,
  }
  const execute = async (tx: OpenTransaction, handled: Promise<void>, claimed: Pick<Claimed, 'has_partition'>) => {
    await handled
    const answer = present(context.responseBody, 'handled')
    storeResponse(tx, claim, claimed, route.row.secrets ? withoutSecrets(answer, route.row.secrets) : answer)
    return false
  }
  /** The first queries of the handler are sent together with the claim. */
  const asNew = async (tx: OpenTransaction) => {
    context.tx = tx
    const started = [claimNewKey(tx, claim), revalidateCredential(context, tx), next()] as const
    const [claimed, revalidated] = await Promise.allSettled(started)
    // A request that is not new or not authorized gets that response, whatever the handler has found.
    if (claimed.status === 'rejected') throw claimed.reason
    if (revalidated.status === 'rejected') throw revalidated.reason
    return execute(tx, started[2], claimed.value)
  }
  const asKnown = async (tx: OpenTransaction) => {
    const [claimed] = await Promise.all([claimKey(tx, claim), revalidateCredential(context, tx)])
    const stored = await storedResponse(tx, claimed, claim)
    context.responseBody = stored
    if (stored) {
      context.reply.header('idempotent-replayed', 'true')
      return true
    }
    context.tx = tx
    return execute(tx, next(), claimed)
  }
  const isReplay = await deps.database.transaction(asNew).catch((failure: unknown) => {
    if (!isKnownRequest(failure)) throw failure
    return deps.database.transaction(asKnown)
  })
  if (!isReplay) route.handler.committed?.()
}

const { iatPastSecondsMax, nonceStepSeconds, nonceStepsAccepted } = limits.dpop
/** The time for which the nonce of a proof is accepted: all accepted steps, and a minute of clock skew. */
const PROOF_RETENTION_MS = ((2 * nonceStepsAccepted + 1) * nonceStepSeconds + iatPastSecondsMax) * 1000

/** Runs slow work that needs no transaction. */
export async function prepare(context: RequestContext): Promise<void> {
  const { deps, route } = context
  const { database } = deps
  const transaction: PreparationContext['transaction'] = (work) => database.transaction(work)
  const facts = { ...factsOf(context), reader: database.reader, transaction }
  context.prepared = await route.handler.prepare?.(present(context.input, 'parsed'), facts)
}

/** Claims the proof in the transaction of the request. The claim is committed even if the request is refused. */
export async function claimKeyProof(context: RequestContext): Promise<void> {
  const tx = present(context.tx, 'opened')
  if (!context.proof) return
  const { proofHash } = context.proof
  const isFirstUse = claimProof(tx, proofHash, new Date(context.now.getTime() + PROOF_RETENTION_MS))
  tx.savepointHere()
  if (!(await isFirstUse)) refuse('invalid_dpop_proof', { reason: 'replayed', details: [replayed] })
}

export async function openTransaction(context: RequestContext, next: () => Promise<void>): Promise<void> {
  await context.deps.database.transaction(async (tx) => {
    context.tx = tx
    await next()
  })
}

export async function handle(context: RequestContext): Promise<void> {
  const { deps, route } = context
  const { 'if-none-match': ifNoneMatch } = context.request.headers
  const handlerContext = {
    ...factsOf(context),
    principal: context.principal,
    ids: deps.ids,
    revisionOf: (subject: string) => String(deps.revisions.of(subject)),
    reader: deps.database.reader,
    tx: context.tx,
    prepared: context.prepared,
    proof: context.proof,
    storeAccess: storeAccessOf(context.request),
    commitEvenIfRefused: () => present(context.tx, 'opened').savepointHere(),
    isConditional: ifNoneMatch !== undefined,
    notModified(version: string) {
      const etag = `"${version}"`
      context.reply.header('etag', etag)
      return matchesEtag(ifNoneMatch, etag) ? new NotModified() : null
    },
  }
  const handled = () => route.handler(present(context.input, 'parsed'), handlerContext)
  const result = await (context.tx ? handled() : withRevalidation(context, handled))
  if (result instanceof NotModified) context.reply.code(304)
  else context.responseBody = envelope(route, result, context.principal)
}

/** Runs a read while the stored credential is read in the round trip of its first queries. */
async function withRevalidation(context: RequestContext, read: () => Promise<unknown>): Promise<unknown> {
  const [current, result] = await Promise.allSettled([
    revalidateCredential(context, context.deps.database.reader),
    read(),
  ])
  if (current.status === 'rejected') throw current.reason
  if (result.status === 'rejected') throw result.reason
  return result.value
}
