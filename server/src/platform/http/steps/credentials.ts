import { type RefusalCode, refusals } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import { blocked } from '../../../kernel/capabilities.ts'
import { Refusal, refuse } from '../../../kernel/refusal.ts'
import { judgeCredential, principalOf, readAuthorization, requireScopes } from '../../auth/authenticate.ts'
import type { VerifiedProof } from '../../auth/dpop.ts'
import { addressForLimits } from '../address.ts'
import { type Exchange, headerValues, pathOf } from '../exchange.ts'

export async function authenticate(exchange: Exchange): Promise<void> {
  const { house, request, now } = exchange
  try {
    const presented = readAuthorization(request.headers.authorization)
    const stored = judgeCredential(presented, await house.credentials.find(presented.token), now)
    exchange.principal = principalOf(stored)
    exchange.origins = stored.origins
    house.credentials.used(stored, now)
  } catch (failure) {
    await countGuess(exchange, failure)
    throw failure
  }
}

/** A key that is known, and may not be used at the moment, is no guess. */
async function countGuess({ house, address, now }: Exchange, failure: unknown): Promise<void> {
  if (!(failure instanceof Refusal) || refusals[failure.code as RefusalCode].status !== 401) return
  await house.limiter.take('auth-fail', addressForLimits(address), now.getTime())
}

export function checkScopes(exchange: Exchange): void {
  requireScopes(present(exchange.principal, 'authenticated'), exchange.route.scopes)
}

export async function checkSenderProof(exchange: Exchange): Promise<void> {
  const { request, route } = exchange
  const principal = present(exchange.principal, 'authenticated')
  const writes = route.kind === 'W'
  if (!principal.senderConstrained) {
    if (writes) refuse('sender_constraint_required', blocked('installation_write'))
    return
  }
  const authorization = present(request.headers.authorization, 'authenticated')
  const token = authorization.slice(authorization.lastIndexOf(' ') + 1)
  const proof = await verifyProofOf(exchange, { token, nonceRequired: writes })
  if (proof.jkt !== principal.jkt) refuse('invalid_dpop_proof', { reason: 'other key' })
  exchange.proof = proof
  tellNextNonce(exchange)
}

/**
 * The proof of a request that shows no token: its key is the one that tokens are bound to. A nonce must be in it.
 *
 * @see RFC 9449 §5 and 8
 */
export async function checkKeyProof(exchange: Exchange): Promise<void> {
  exchange.proof = await verifyProofOf(exchange, { token: null, nonceRequired: true })
  tellNextNonce(exchange)
}

function verifyProofOf(
  { house, request, now }: Exchange,
  asked: { readonly token: string | null; readonly nonceRequired: boolean },
): Promise<VerifiedProof> {
  const url = house.publicUrl + pathOf(request.url)
  return house.verifyProof({ proofs: headerValues(request, 'dpop'), method: request.method, url, now, ...asked })
}

/** RFC 9449 §8.2: the next nonce comes with each answer, so that no request is refused only to be told one. */
function tellNextNonce({ house, reply, now }: Exchange): void {
  reply.header('dpop-nonce', house.nonces.current(now))
}

/** Whoever keeps guessing clients is stopped like whoever guesses keys. */
export async function countWrongClients(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  try {
    await next()
  } catch (failure) {
    await countGuess(exchange, failure)
    throw failure
  }
}
