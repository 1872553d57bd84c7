import type { RowLimit } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import { comparableEmail } from '../../../kernel/email.ts'
import { hashOfToken } from '../../auth/authenticate.ts'
import type { PolicyName } from '../../rate-limit/policy.ts'
import { rateLimitHeaders, refuseOverLimit } from '../../rate-limit/rate-limiter.ts'
import { addressForLimits } from '../client-address.ts'
import type { RequestContext } from '../request-context.ts'

export async function limitByAddress(context: RequestContext): Promise<void> {
  const { route } = context
  const key = addressForLimits(context.address)
  if (route.kind === 'publicRead' || route.kind === 'publicWrite') {
    await takeCell(context, 'public-read', key)
    return
  }
  if (route.kind === 'oauthMetadata') await takeCell(context, 'public-read', key)
}

export function limitRowByAddress(context: RequestContext): Promise<void> {
  return takeRowCells(context, 'address', addressForLimits(context.address), 'rate_limited')
}

/** Counts by the email address as entered, known or not: the limit does not reveal which addresses are customers. */
export async function limitRowByAccount(context: RequestContext): Promise<void> {
  const { email } = present(context.input, 'parsed').body as { readonly email?: string }
  if (email === undefined) return
  const key = hashOfToken(comparableEmail(email)).toString('base64url')
  await takeRowCells(context, 'account', key, 'quota_exceeded')
}

/** Counts by store, so that many addresses together cannot guess its password faster. */
export async function limitRowByStore(context: RequestContext): Promise<void> {
  const { store } = present(context.input, 'parsed').params
  if (store !== undefined) await takeRowCells(context, 'store', store, 'rate_limited')
}

/** Counts by client and address: an office shares one address, and a client's users have many. */
export async function limitRowByClient(context: RequestContext): Promise<void> {
  const { client_id: clientId = '' } = present(context.input, 'parsed').body as { readonly client_id?: string }
  await takeRowCells(context, 'client', `${clientId} ${addressForLimits(context.address)}`, 'rate_limited')
}

async function takeRowCells(
  context: RequestContext,
  by: RowLimit['by'],
  key: string,
  code: 'rate_limited' | 'quota_exceeded',
): Promise<void> {
  const limits = context.route.row.limits?.filter((limit) => limit.by === by) ?? []
  for (const { policy } of limits) await takeCell(context, policy, key, code)
}

async function takeCell(
  context: RequestContext,
  policy: PolicyName,
  key: string,
  code: 'rate_limited' | 'quota_exceeded' = 'rate_limited',
): Promise<void> {
  const status = await context.deps.limiter.take(policy, key, context.now.getTime())
  if (!status) return
  // The headers show the limit with the fewest remaining requests.
  if (!context.rateLimit || status.remaining < context.rateLimit.remaining) context.rateLimit = status
  context.reply.headers(rateLimitHeaders(context.rateLimit))
  refuseOverLimit(status, code)
}

export async function limitRowByOwner(context: RequestContext): Promise<void> {
  await takeRowCells(context, 'installation', installationOf(context), 'rate_limited')
}

/** The installation that owns the credential: all of its keys share one limit. */
function installationOf(context: RequestContext): string {
  const { environment, installationId } = present(context.principal, 'authenticated')
  return `${environment} ${installationId}`
}

export async function limitByCredential(context: RequestContext): Promise<void> {
  const principal = present(context.principal, 'authenticated')
  await takeCell(context, context.route.kind === 'write' ? 'key-write' : 'key-read', installationOf(context))
  if (principal.storeId) await takeCell(context, 'store', `${principal.environment} ${principal.storeId}`)
}

export async function limitByCart(context: RequestContext): Promise<void> {
  const { cartId } = present(context.input, 'parsed').params
  const { installationId } = present(context.principal, 'authenticated')
  // By owner as well: another installation that knows the id cannot use up the owner's limit.
  if (cartId !== undefined) await takeCell(context, 'cart-write', `${installationId} ${cartId}`)
}
