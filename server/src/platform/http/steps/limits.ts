import type { RowLimit } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import { comparableEmail } from '../../../kernel/email.ts'
import { hashOfToken } from '../../auth/authenticate.ts'
import type { PolicyName } from '../../rate-limit/policy.ts'
import { rateLimitHeaders, refuseBeyondLimit } from '../../rate-limit/rate-limiter.ts'
import { addressForLimits } from '../address.ts'
import type { Exchange } from '../exchange.ts'

export async function limitByAddress(exchange: Exchange): Promise<void> {
  const { house, route, now } = exchange
  const who = addressForLimits(exchange.address)
  if (route.kind === 'P' || route.kind === 'A') {
    await takeCell(exchange, 'public-read', who)
    return
  }
  // Whoever keeps guessing credentials is stopped before the next guess is looked up.
  refuseBeyondLimit(house.limiter.peek('auth-fail', who, now.getTime()))
  if (route.kind === 'D') await takeCell(exchange, 'public-read', who)
}

export function limitRowByAddress(exchange: Exchange): Promise<void> {
  return takeRowCells(exchange, 'address', addressForLimits(exchange.address), 'rate_limited')
}

/** By the address as it was written, known or not: so the limit tells nobody which addresses are customers. */
export async function limitRowByAccount(exchange: Exchange): Promise<void> {
  const { email } = present(exchange.input, 'parsed').body as { readonly email?: string }
  if (email === undefined) return
  const who = hashOfToken(comparableEmail(email)).toString('base64url')
  await takeRowCells(exchange, 'account', who, 'quota_exceeded')
}

/** By client and address: an address may be a whole office's, and a client's users are everywhere. */
export async function limitRowByClient(exchange: Exchange): Promise<void> {
  const { client_id: clientId = '' } = present(exchange.input, 'parsed').body as { readonly client_id?: string }
  await takeRowCells(exchange, 'client', `${clientId} ${addressForLimits(exchange.address)}`, 'rate_limited')
}

async function takeRowCells(
  exchange: Exchange,
  by: RowLimit['by'],
  who: string,
  code: 'rate_limited' | 'quota_exceeded',
): Promise<void> {
  const limits = exchange.route.row.limits?.filter((limit) => limit.by === by) ?? []
  for (const { policy } of limits) await takeCell(exchange, policy, who, code)
}

async function takeCell(
  exchange: Exchange,
  policy: PolicyName,
  who: string,
  code: 'rate_limited' | 'quota_exceeded' = 'rate_limited',
): Promise<void> {
  const standing = await exchange.house.limiter.take(policy, who, exchange.now.getTime())
  if (!standing) return
  if (!exchange.standing || standing.remaining < exchange.standing.remaining) exchange.standing = standing
  exchange.reply.headers(rateLimitHeaders(exchange.standing))
  refuseBeyondLimit(standing, code)
}

export async function limitRowByOwner(exchange: Exchange): Promise<void> {
  await takeRowCells(exchange, 'installation', installationOf(exchange), 'rate_limited')
}

/** Whose credential it is, whichever of its keys came. */
function installationOf(exchange: Exchange): string {
  const { environment, installationId } = present(exchange.principal, 'authenticated')
  return `${environment} ${installationId}`
}

export async function limitByCredential(exchange: Exchange): Promise<void> {
  const principal = present(exchange.principal, 'authenticated')
  const who = installationOf(exchange)
  await takeCell(exchange, exchange.route.kind === 'W' ? 'key-write' : 'key-read', who)
  if (principal.storeId) await takeCell(exchange, 'store', `${principal.environment} ${principal.storeId}`)
}

export async function limitByCart(exchange: Exchange): Promise<void> {
  const { cartId } = present(exchange.input, 'parsed').params
  const { installationId } = present(exchange.principal, 'authenticated')
  // By its owner as well: a stranger who knows the id uses up a bucket of its own.
  if (cartId !== undefined) await takeCell(exchange, 'cart-write', `${installationId} ${cartId}`)
}
