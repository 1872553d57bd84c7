import { present } from '../../../kernel/assert.ts'
import { blocked } from '../../../kernel/capabilities.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { requireScopes } from '../../auth/authenticate.ts'
import type { VerifiedProof } from '../../auth/dpop.ts'
import { type Exchange, headerValues, pathOf } from '../exchange.ts'
import { countingGuesses } from './authenticating.ts'

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
export function countWrongClients(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  return countingGuesses(exchange, next)
}
