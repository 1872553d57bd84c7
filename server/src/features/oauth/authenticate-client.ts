import { createHash } from 'node:crypto'
import { limits } from '@vitrine/contract'
import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { refuse } from '../../kernel/refusal.ts'
import { claimProof } from '../../platform/auth/proof-replay.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { Client } from './client.ts'
import { findClient } from './client-store.ts'
import type { AuthorizationServer } from './server-metadata.ts'

/** What a client says of itself at the token and revocation endpoints. */
export interface ClientClaim {
  readonly client_id?: string
  readonly client_assertion?: string
  readonly client_assertion_type?: string
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
/** How far ahead an assertion may end: what is signed for longer could be used for longer. */
const ASSERTION_SECONDS_MAX = 600
const CLOCKS_DIFFER_SECONDS = 10

function refuseClient(reason: string): never {
  refuse('oauth_invalid_client', { reason })
}

/**
 * Finds the client that asks, and has it prove who it is where it is not public. Refusal: `oauth_invalid_client`.
 *
 * @see RFC 6749 §3.2.1, RFC 7523 §3
 */
export async function authenticateClient(
  tx: Transaction,
  claim: ClientClaim,
  { server, now }: { readonly server: AuthorizationServer; readonly now: Date },
): Promise<Client> {
  const clientId = claim.client_id ?? subjectOf(claim.client_assertion)
  if (clientId === undefined) refuseClient('no client_id')
  const client = await findClient(tx, clientId)
  if (!client) refuseClient('no such client')
  if (client.authMethod === 'none') {
    if (claim.client_assertion !== undefined) refuseClient('a public client has no assertion')
    return client
  }
  const assertion = await verifyAssertion(claim, client, server, now)
  await claimAssertion(tx, client, assertion)
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
  claim: ClientClaim,
  client: Client,
  { issuer, tokenEndpoint }: AuthorizationServer,
  now: Date,
): Promise<Assertion> {
  if (claim.client_assertion === undefined) refuseClient('no assertion')
  if (claim.client_assertion_type !== ASSERTION_TYPE) refuseClient('other client_assertion_type')
  const payload = await signedBy(client, claim.client_assertion, {
    issuer: client.id,
    subject: client.id,
    audience: [issuer, tokenEndpoint],
    algorithms: [...limits.dpop.algorithms],
    requiredClaims: ['exp', 'jti'],
    clockTolerance: CLOCKS_DIFFER_SECONDS,
    currentDate: now,
  })
  const { jti, exp = 0 } = payload
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > 255) refuseClient('jti of the assertion')
  if (exp > now.getTime() / 1000 + ASSERTION_SECONDS_MAX) refuseClient('assertion lives too long')
  return { ...payload, jti, exp }
}

async function signedBy(
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

/** An assertion is taken once, on whichever node it arrives. @see RFC 7523 §3, 7 */
async function claimAssertion(tx: Transaction, client: Client, { jti, exp }: Assertion): Promise<void> {
  const hash = createHash('sha256').update(`assertion ${client.id} ${jti}`).digest()
  const endsAt = new Date((exp + CLOCKS_DIFFER_SECONDS) * 1000)
  if (!(await claimProof(tx, hash, endsAt))) refuseClient('assertion was used before')
}
