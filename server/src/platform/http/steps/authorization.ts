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
  const isWrite = route.kind === 'write'
  if (!principal.senderConstrained) {
    if (isWrite) refuse('sender_constraint_required', blocked('installation_write'))
    return
  }
  const authorization = present(request.headers.authorization, 'authenticated')
  const token = authorization.slice(authorization.lastIndexOf(' ') + 1)
  context.proof = await countFailedAuth(context, async () => {
    const proof = await verifyProofOf(context, { token, nonceRequired: isWrite })
    if (proof.jkt !== principal.jkt) refuse('invalid_dpop_proof', { reason: 'other key' })
    return proof
  })
  sendNextNonce(context)
}

/**
 * Verifies the proof of a request without a token. New tokens are bound to its key. The nonce is required.
 *
 * @see RFC 9449 §5 and 8
 */
export async function checkKeyProof(context: RequestContext): Promise<void> {
  if (context.route.row.proofOptional && headerValues(context.request, 'dpop').length === 0) return
  context.proof = await verifyProofOf(context, { token: null, nonceRequired: true })
  sendNextNonce(context)
}

function verifyProofOf(
  { deps, request, now }: RequestContext,
  requirements: { readonly token: string | null; readonly nonceRequired: boolean },
): Promise<VerifiedProof> {
  const url = deps.publicUrl + pathOf(request.url)
  return deps.verifyProof({ proofs: headerValues(request, 'dpop'), method: request.method, url, now, ...requirements })
}

/** RFC 9449 §8.2: every response carries the next nonce, so that a client never has to be refused to learn it. */
function sendNextNonce({ deps, reply, now }: RequestContext): void {
  reply.header('dpop-nonce', deps.nonces.current(now))
}

/** Failed OAuth client authentication counts like a failed API key. */
export function countFailedClientAuth(context: RequestContext, next: () => Promise<void>): Promise<void> {
  return countFailedAuth(context, () => {
    refuseSecret(context)
    return next()
  })
}

/** No client has a secret, and one that sends a secret would expect it to be checked. @see RFC 6749 §2.3 and 5.2 */
function refuseSecret({ request }: RequestContext): void {
  if (!/^basic(\s|$)/i.test(request.headers.authorization ?? '')) return
  refuse('oauth_invalid_client', {
    reason: 'client_secret_basic',
    headers: { 'www-authenticate': 'Basic realm="vitrine", error="invalid_client"' },
  })
}
