import { present } from '../../../kernel/assert.ts'
import { blocked } from '../../../kernel/capabilities.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { requireScopes } from '../../auth/authenticate.ts'
import type { VerifiedProof } from '../../auth/dpop.ts'
import { headerValues, pathOf, type RequestContext } from '../request-context.ts'
import { countFailedAuth } from './authentication.ts'

export function checkScopes(context: RequestContext): void {
  requireScopes(present(context.principal, 'authenticated'), context.route.scopes)
}

export async function checkSenderProof(context: RequestContext): Promise<void> {
  const { request, route } = context
  const principal = present(context.principal, 'authenticated')
  const writes = route.kind === 'W'
  if (!principal.senderConstrained) {
    if (writes) refuse('sender_constraint_required', blocked('installation_write'))
    return
  }
  const authorization = present(request.headers.authorization, 'authenticated')
  const token = authorization.slice(authorization.lastIndexOf(' ') + 1)
  const proof = await verifyProofOf(context, { token, nonceRequired: writes })
  if (proof.jkt !== principal.jkt) refuse('invalid_dpop_proof', { reason: 'other key' })
  context.proof = proof
  tellNextNonce(context)
}

/**
 * The proof of a request that shows no token: its key is the one that tokens are bound to. A nonce must be in it.
 *
 * @see RFC 9449 §5 and 8
 */
export async function checkKeyProof(context: RequestContext): Promise<void> {
  context.proof = await verifyProofOf(context, { token: null, nonceRequired: true })
  tellNextNonce(context)
}

function verifyProofOf(
  { deps, request, now }: RequestContext,
  asked: { readonly token: string | null; readonly nonceRequired: boolean },
): Promise<VerifiedProof> {
  const url = deps.publicUrl + pathOf(request.url)
  return deps.verifyProof({ proofs: headerValues(request, 'dpop'), method: request.method, url, now, ...asked })
}

/** RFC 9449 §8.2: the next nonce comes with each answer, so that no request is refused only to be told one. */
function tellNextNonce({ deps, reply, now }: RequestContext): void {
  reply.header('dpop-nonce', deps.nonces.current(now))
}

/** Whoever keeps guessing clients is stopped like whoever guesses keys. */
export function countFailedClientAuth(context: RequestContext, next: () => Promise<void>): Promise<void> {
  return countFailedAuth(context, next)
}
