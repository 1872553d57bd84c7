import { createHash } from 'node:crypto'
import { limits } from '@vitrine/contract'
import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { refuse } from '../../kernel/refusal.ts'
import { claimProof } from '../../platform/auth/proof-replay.ts'
import type { OAuthWriteContext } from '../../platform/http/handler.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { Client } from './client.ts'
import { findClient } from './client-store.ts'
import type { AuthorizationServer } from './server-metadata.ts'

/** The client authentication parameters of the token and revocation endpoints. */
interface ClientAuthentication {
  readonly client_id?: string
  readonly client_assertion?: string
  readonly client_assertion_type?: string
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
/** A longer-lived assertion could be replayed for longer. */
const ASSERTION_SECONDS_MAX = 600
const CLOCK_SKEW_SECONDS = 10
/** @see FAPI 2.0 Security Profile §5.3.2.1 */
const ISSUED_AHEAD_SECONDS_MAX = 60

function refuseClient(reason: string): never {
  refuse('oauth_invalid_client', { reason })
}

/**
 * Finds and authenticates the client. Refusal: `oauth_invalid_client`.
 *
 * @see RFC 6749 §3.2.1, RFC 7523 §3
 */
export async function authenticateClient(
  request: ClientAuthentication,
  server: AuthorizationServer,
  { tx, now, commitEvenIfRefused }: Pick<OAuthWriteContext, 'tx' | 'now' | 'commitEvenIfRefused'>,
): Promise<Client> {
  const clientId = request.client_id ?? subjectOf(request.client_assertion)
  if (clientId === undefined) refuseClient('no client_id')
  const client = await findClient(tx, clientId)
  if (!client) refuseClient('no such client')
  if (client.authMethod === 'none') {
    if (request.client_assertion !== undefined) refuseClient('assertion from a public client')
    return client
  }
  const assertion = await verifyAssertion(request, client, server, now)
  await consumeAssertion(tx, client, assertion)
  // As with DPoP proofs, an assertion is accepted once, even if the request is refused.
  commitEvenIfRefused()
  return client
}

function subjectOf(assertion: string | undefined): string | undefined {
  try {
    return assertion === undefined ? undefined : decodeJwt(assertion).sub
  } catch {
    return undefined
  }
}

type Assertion = JWTPayload & { readonly jti: string; readonly exp: number }

async function verifyAssertion(
  request: ClientAuthentication,
  client: Client,
  { issuer, tokenEndpoint }: AuthorizationServer,
  now: Date,
): Promise<Assertion> {
  if (request.client_assertion === undefined) refuseClient('no assertion')
  if (request.client_assertion_type !== ASSERTION_TYPE) refuseClient('unsupported client_assertion_type')
  const payload = await verifySignature(client, request.client_assertion, {
    issuer: client.id,
    subject: client.id,
    audience: [issuer, tokenEndpoint],
    algorithms: [...limits.dpop.algorithms],
    requiredClaims: ['exp', 'jti'],
    clockTolerance: CLOCK_SKEW_SECONDS,
    currentDate: now,
  })
  const { jti, exp = 0 } = payload
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > 255) refuseClient('invalid jti in assertion')
  const nowSeconds = now.getTime() / 1000
  if (exp > nowSeconds + ASSERTION_SECONDS_MAX) refuseClient('assertion lifetime too long')
  if ((payload.iat ?? 0) > nowSeconds + ISSUED_AHEAD_SECONDS_MAX) refuseClient('assertion issued in the future')
  return { ...payload, jti, exp }
}

async function verifySignature(
  { jwks }: Client,
  assertion: string,
  options: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  try {
    const keys = createLocalJWKSet({ keys: [...(jwks?.keys ?? [])] })
    return (await jwtVerify(assertion, keys, options)).payload
  } catch (error) {
    return refuseClient(error instanceof Error ? error.message : 'assertion')
  }
}

/** Records an assertion as used, on all nodes. @see RFC 7523 §3, 7 */
async function consumeAssertion(tx: Transaction, client: Client, { jti, exp }: Assertion): Promise<void> {
  const hash = createHash('sha256').update(`assertion ${client.id} ${jti}`).digest()
  const endsAt = new Date((exp + CLOCK_SKEW_SECONDS) * 1000)
  if (!(await claimProof(tx, hash, endsAt))) refuseClient('assertion already used')
}
