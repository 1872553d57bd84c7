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
import type { Transaction } from '../../postgres/reader.ts'
import { addressForLimits } from '../client-address.ts'
import type { CachedCredential, RequestContext } from '../request-context.ts'

/**
 * Who is asking. A write goes by the credential as this process saw it last, until its transaction has looked: so it waits
 * once less for PostgreSQL. Nothing is refused and nothing is done by what was seen last alone.
 */
export async function authenticate(context: RequestContext, next: () => Promise<void>): Promise<void> {
  const { deps, route, request } = context
  const presented = await countFailedAuth(context, () => readAuthorization(request.headers.authorization))
  const authorizeWith = async (credential: StoredCredential | undefined) => {
    await countFailedAuth(context, () => authorize(context, presented, credential))
    await next()
  }
  const { token } = presented
  const lastSeen = route.kind === 'W' ? deps.credentials.lastSeen(token) : undefined
  if (!lastSeen) return authorizeWith(await deps.credentials.find(token))

  const cachedCredential: CachedCredential = { token, credential: lastSeen, isCurrent: false, authorizeWith }
  context.cachedCredential = cachedCredential
  await withCachedCredential(context, cachedCredential, async () => {
    authorize(context, presented, lastSeen)
    await next()
  })
}

/** Decides what comes after the body has been read, and all of it again where the credential is not what it was assumed to be. */
export async function authorizeOptimistically(context: RequestContext, next: () => Promise<void>): Promise<void> {
  const { cachedCredential } = context
  if (!cachedCredential) return next()
  const hasChanged = await withCachedCredential(context, cachedCredential, next)
  if (hasChanged) await next()
}

/** Looks at the credential in the transaction of what it is shown for. */
export async function revalidateCredential({ deps, cachedCredential }: RequestContext, tx: Transaction): Promise<void> {
  if (!cachedCredential) return
  const credential = await deps.credentials.find(cachedCredential.token, tx)
  cachedCredential.isCurrent = isDeepStrictEqual(credential, cachedCredential.credential)
  if (!cachedCredential.isCurrent) throw new CredentialChanged()
}

/** Undoes what a write has begun. It is done again. */
class CredentialChanged extends Error {
  override readonly name = 'CredentialChanged'
}

/**
 * Does work that goes by an assumed credential. Where the work is refused before that is confirmed, the refusal counts if
 * the credential is as it was assumed to be; if not, what came before the body is decided again.
 *
 * @returns whether it was
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
    const isDecided = cachedCredential.isCurrent || !(failure instanceof Refusal)
    if (isDecided && !(failure instanceof CredentialChanged)) throw failure
    const credential = await context.deps.credentials.find(cachedCredential.token)
    if (failure instanceof Refusal && isDeepStrictEqual(credential, cachedCredential.credential)) throw failure
    context.cachedCredential = null
    await cachedCredential.authorizeWith(credential)
    return true
  }
}

function authorize(context: RequestContext, presented: Presented, credential: StoredCredential | undefined): void {
  const { deps, now } = context
  const stored = checkCredential(presented, credential, now)
  context.principal = principalOf(stored)
  context.origins = stored.origins
  deps.recordUse(stored, now)
}

/** Whoever keeps guessing is stopped before long. A key that is known, and may not be used at the moment, is no guess. */
export async function countFailedAuth<Result>(
  { deps, address, now }: RequestContext,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (failure) {
    if (failure instanceof Refusal && refusals[failure.code as RefusalCode].status === 401) {
      await deps.limiter.take('auth-fail', addressForLimits(address), now.getTime())
    }
    throw failure
  }
}
