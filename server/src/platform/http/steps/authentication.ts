import { isDeepStrictEqual } from 'node:util'
import { type RefusalCode, refusals } from '@vitrine/contract'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  checkCredential,
  type Presented,
  principalOf,
  readAuthorization,
  type StoredCredential,
} from '../../auth/authenticate.ts'
import type { Reader } from '../../postgres/reader.ts'
import { refuseOverLimit } from '../../rate-limit/rate-limiter.ts'
import { addressForLimits } from '../client-address.ts'
import type { CachedCredential, RequestContext } from '../request-context.ts'

/**
 * Authenticates the caller. A request is authorized by the cached credential until the stored one has been read: in the
 * transaction of a write, or together with the first queries of a read. This saves a round trip. A cached credential alone never
 * refuses a request, never lets a write commit and never lets a response be sent.
 */
export async function authenticate(context: RequestContext, next: () => Promise<void>): Promise<void> {
  const { deps, request } = context
  const presented = await countFailedAuth(context, () => readAuthorization(request.headers.authorization))
  const authorizeWith = async (credential: StoredCredential | undefined) => {
    await countFailedAuth(context, () => authorize(context, presented, credential))
    await next()
  }
  const { token } = presented
  const cached = deps.credentials.cached(token)
  // A refusal is decided with the stored credential, and is counted.
  if (!cached || !isValid(presented, cached, context.now)) return authorizeWith(await deps.credentials.find(token))

  const cachedCredential: CachedCredential = { token, credential: cached, isCurrent: false, authorizeWith }
  context.cachedCredential = cachedCredential
  await withCachedCredential(context, cachedCredential, async () => {
    authorize(context, presented, cached)
    await next()
  })
}

/** Runs the steps after the body has been read, and runs them again if the cached credential was outdated. */
export async function authorizeOptimistically(context: RequestContext, next: () => Promise<void>): Promise<void> {
  const { cachedCredential } = context
  if (!cachedCredential) return next()
  const wasOutdated = await withCachedCredential(context, cachedCredential, next)
  if (wasOutdated) await next()
}

/** Compares the cached credential with the stored one. */
export async function revalidateCredential({ deps, cachedCredential }: RequestContext, reader: Reader): Promise<void> {
  if (!cachedCredential) return
  const credential = await deps.credentials.find(cachedCredential.token, reader)
  cachedCredential.isCurrent = isDeepStrictEqual(credential, cachedCredential.credential)
  if (!cachedCredential.isCurrent) throw new CredentialChanged()
}

/** The cached credential was outdated. A write is rolled back, and the request runs again with the stored one. */
class CredentialChanged extends Error {
  override readonly name = 'CredentialChanged'
}

/**
 * Runs work that a cached credential authorizes. A refusal before revalidation is final if the stored credential is the same;
 * otherwise the decisions made before the body was read are repeated with the stored one.
 *
 * @returns whether the cached credential was outdated
 */
async function withCachedCredential(
  context: RequestContext,
  cachedCredential: CachedCredential,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work()
    return false
  } catch (failure) {
    const isFinal = cachedCredential.isCurrent || !(failure instanceof Refusal)
    if (isFinal && !(failure instanceof CredentialChanged)) throw failure
    const credential = await context.deps.credentials.find(cachedCredential.token)
    if (failure instanceof Refusal && isDeepStrictEqual(credential, cachedCredential.credential)) throw failure
    context.cachedCredential = null
    await cachedCredential.authorizeWith(credential)
    return true
  }
}

function isValid(presented: Presented, credential: StoredCredential, now: Date): boolean {
  try {
    checkCredential(presented, credential, now)
    return true
  } catch {
    return false
  }
}

function authorize(context: RequestContext, presented: Presented, credential: StoredCredential | undefined): void {
  const { deps, now } = context
  const stored = checkCredential(presented, credential, now)
  context.principal = principalOf(stored)
  context.origins = stored.origins
  deps.recordUse(stored, now)
}

/**
 * Counts each 401 by the client's address, or by address and credential if the credential is valid and its proof is not. Beyond
 * the limit the response is 429. A valid request passes, whatever others do behind the same address or with the same credential.
 * A known but suspended key is a 403 and not counted; nor is a proof that only lacks the nonce.
 */
export async function countFailedAuth<Result>(
  { deps, address, now, principal }: RequestContext,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (failure) {
    if (failure instanceof Refusal && isFailedAuth(failure.code as RefusalCode)) {
      const key = [addressForLimits(address), ...(principal ? [principal.credential.id] : [])].join(' ')
      refuseOverLimit(await deps.limiter.take('auth-fail', key, now.getTime()))
    }
    throw failure
  }
}

function isFailedAuth(code: RefusalCode): boolean {
  return refusals[code].status === 401 && code !== 'use_dpop_nonce'
}
