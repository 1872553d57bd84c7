import type { RowLimit } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import { comparableEmail } from '../../../kernel/email.ts'
import { hashOfToken } from '../../auth/authenticate.ts'
import type { PolicyName } from '../../rate-limit/policy.ts'
import { rateLimitHeaders, refuseOverLimit } from '../../rate-limit/rate-limiter.ts'
import { addressForLimits } from '../client-address.ts'
import type { RequestContext } from '../request-context.ts'

export async function limitByAddress(context: RequestContext): Promise<void> {
  const { deps, route, now } = context
  const who = addressForLimits(context.address)
  if (route.kind === 'P' || route.kind === 'A') {
    await takeCell(context, 'public-read', who)
    return
  }
  // Whoever keeps guessing credentials is stopped before the next guess is looked up.
  refuseOverLimit(deps.limiter.peek('auth-fail', who, now.getTime()))
  if (route.kind === 'D') await takeCell(context, 'public-read', who)
}

export function limitRowByAddress(context: RequestContext): Promise<void> {
  return takeRowCells(context, 'address', addressForLimits(context.address), 'rate_limited')
}

/** By the address as it was written, known or not: so the limit tells nobody which addresses are customers. */
export async function limitRowByAccount(context: RequestContext): Promise<void> {
  const { email } = present(context.input, 'parsed').body as { readonly email?: string }
  if (email === undefined) return
  const who = hashOfToken(comparableEmail(email)).toString('base64url')
  await takeRowCells(context, 'account', who, 'quota_exceeded')
}

/** By client and address: an address may be a whole office's, and a client's users are everywhere. */
export async function limitRowByClient(context: RequestContext): Promise<void> {
  const { client_id: clientId = '' } = present(context.input, 'parsed').body as { readonly client_id?: string }
  await takeRowCells(context, 'client', `${clientId} ${addressForLimits(context.address)}`, 'rate_limited')
}

async function takeRowCells(
  context: RequestContext,
  by: RowLimit['by'],
  who: string,
  code: 'rate_limited' | 'quota_exceeded',
): Promise<void> {
  const limits = context.route.row.limits?.filter((limit) => limit.by === by) ?? []
  for (const { policy } of limits) await takeCell(context, policy, who, code)
}

async function takeCell(
  context: RequestContext,
  policy: PolicyName,
  who: string,
  code: 'rate_limited' | 'quota_exceeded' = 'rate_limited',
): Promise<void> {
  const rateLimit = await context.deps.limiter.take(policy, who, context.now.getTime())
  if (!rateLimit) return
  if (!context.rateLimit || rateLimit.remaining < context.rateLimit.remaining) context.rateLimit = rateLimit
  context.reply.headers(rateLimitHeaders(context.rateLimit))
  refuseOverLimit(rateLimit, code)
}

export async function limitRowByOwner(context: RequestContext): Promise<void> {
  await takeRowCells(context, 'installation', installationOf(context), 'rate_limited')
}

/** Whose credential it is, whichever of its keys came. */
function installationOf(context: RequestContext): string {
  const { environment, installationId } = present(context.principal, 'authenticated')
  return `${environment} ${installationId}`
}

export async function limitByCredential(context: RequestContext): Promise<void> {
  const principal = present(context.principal, 'authenticated')
  const who = installationOf(context)
  await takeCell(context, context.route.kind === 'W' ? 'key-write' : 'key-read', who)
  if (principal.storeId) await takeCell(context, 'store', `${principal.environment} ${principal.storeId}`)
}

export async function limitByCart(context: RequestContext): Promise<void> {
  const { cartId } = present(context.input, 'parsed').params
  const { installationId } = present(context.principal, 'authenticated')
  // By its owner as well: a stranger who knows the id uses up a bucket of its own.
  if (cartId !== undefined) await takeCell(context, 'cart-write', `${installationId} ${cartId}`)
}
