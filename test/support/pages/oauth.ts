import { randomBytes } from 'node:crypto'
import type { Scope } from '@vitrine/contract'
import { approveAsOperator, authorizationServer, createOAuthClient } from '@vitrine/server'
import { SignJWT } from 'jose'
import { type Answer, client, type ProofKey, proofKey } from '../client.ts'
import { headersOf, send } from '../network/send.ts'
import { testRandomness } from '../randomness.ts'
import type { InstallationClient, World } from '../world.ts'

export const AUTHORIZE = '/api/v1/oauth/authorize'
export const TOKEN = '/api/v1/oauth/token'
export const REVOKE = '/api/v1/oauth/revoke'
export const CALLBACK = 'https://app.example/callback'

/** RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

export interface App {
  readonly clientId: string
  readonly installationId: string
  readonly proof: ProofKey
}

/** Whether an access token still works. */
export async function works({ origin, publicUrl, clock }: World, { proof }: App, access: string): Promise<boolean> {
  const app = client({ origin, publicUrl, clock, key: access, proof })
  return (await app.get('/api/v1/open/installation/identity')).status === 200
}

export interface AppOptions {
  readonly installationId?: string
  readonly storeSlug?: string
  readonly environment?: 'test' | 'live'
  readonly redirectUris?: readonly string[]
  readonly jwks?: unknown
}

/** Registers a client with a DPoP key pair. */
export async function registerApp(world: World, options: AppOptions = {}): Promise<App> {
  const { redirectUris = [CALLBACK], jwks, ...rest } = options
  const installationId = options.installationId ?? (await world.installation(rest))
  const clientId = await world.database.transaction((tx) =>
    createOAuthClient(
      tx,
      { installationId, redirectUris, ...(jwks !== undefined && { jwks }) },
      { ids: world.ids, now: world.clock.now() },
    ),
  )
  return { clientId, installationId, proof: await proofKey() }
}

export interface CodeOptions {
  readonly challenge?: string
  readonly dpopJkt?: string
  readonly scopes?: readonly Scope[]
  readonly redirectUri?: string
}

const randomness = testRandomness()

/** A code, as if staff had consented. */
export function codeFor(world: World, app: App, options: CodeOptions = {}): Promise<string> {
  const { challenge = CHALLENGE, dpopJkt, scopes, redirectUri = CALLBACK } = options
  return world.database.transaction((tx) =>
    approveAsOperator(
      tx,
      {
        client_id: app.clientId,
        redirect_uri: redirectUri,
        code_challenge: challenge,
        ...(dpopJkt !== undefined && { dpop_jkt: dpopJkt }),
        ...(scopes && { scope: scopes.join(' ') }),
      },
      authorizationServer(world),
      { ids: world.ids, randomness, now: world.clock.now(), operatorId: null },
    ),
  )
}

export interface PostOptions {
  readonly proof?: ProofKey
  /** The DPoP headers to send; none if empty. */
  readonly proofs?: readonly string[]
  readonly nonce?: string | null
  readonly jti?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: boolean
  /** Claims of the proof to override. */
  readonly claims?: Readonly<Record<string, unknown>>
}

export type Poster = ReturnType<typeof posterOf>

/** Posts to an OAuth endpoint as a client does: a form, a proof, and the server's current nonce. */
export function posterOf(world: World) {
  let nonce: string | undefined

  async function once(path: string, fields: Readonly<Record<string, string>>, options: PostOptions): Promise<Answer> {
    const { proof, proofs, json = false } = options
    const sentNonce = options.nonce === undefined ? nonce : (options.nonce ?? undefined)
    const signed = proof ? [await tokenProof(world, proof, path, { ...options, nonce: sentNonce ?? null })] : []
    const type = json ? 'application/json' : 'application/x-www-form-urlencoded;charset=UTF-8'
    const headers = { ...options.headers, dpop: [...(proofs ?? signed)].join(', ') || undefined, 'content-type': type }
    const body = json ? JSON.stringify(fields) : new URLSearchParams(fields).toString()
    const answer = await send(world.origin + path, 'POST', headers, body)
    nonce = (answer.headers['dpop-nonce'] as string | undefined) ?? nonce
    return { ...answer, headers: headersOf(answer.headers) }
  }

  async function post(path: string, fields: Readonly<Record<string, string>>, options: PostOptions = {}) {
    const answer = await once(path, fields, options)
    const mayRetry = options.nonce === undefined && options.proofs === undefined
    return mayRetry && answer.body.error === 'use_dpop_nonce' ? once(path, fields, options) : answer
  }

  /** The current nonce. */
  async function currentNonce(): Promise<string> {
    const { headers } = await once(
      TOKEN,
      { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'x' },
      {
        proof: await proofKey(),
        nonce: null,
      },
    )
    return String(headers.get('dpop-nonce'))
  }

  return {
    post,
    currentNonce,
    exchange: (app: App, code: string, fields: Readonly<Record<string, string>> = {}, options: PostOptions = {}) =>
      post(
        TOKEN,
        {
          grant_type: 'authorization_code',
          client_id: app.clientId,
          code,
          redirect_uri: CALLBACK,
          code_verifier: VERIFIER,
          ...fields,
        },
        { proof: app.proof, ...options },
      ),
    refresh: (app: App, token: string, fields: Readonly<Record<string, string>> = {}, options: PostOptions = {}) =>
      post(
        TOKEN,
        { grant_type: 'refresh_token', client_id: app.clientId, refresh_token: token, ...fields },
        { proof: app.proof, ...options },
      ),
    revoke: (app: App, token: string, fields: Readonly<Record<string, string>> = {}, options: PostOptions = {}) =>
      post(REVOKE, { token, client_id: app.clientId, ...fields }, { proof: app.proof, ...options }),
  }
}

/** A client with an access token that the staff of one store granted, and its refresh token. */
export interface NarrowedClient extends InstallationClient {
  readonly app: App
  readonly refreshToken: string
}

/** A client of a marketplace installation whose grant is limited to a store. */
export async function narrowedClient(world: World, installationId: string, storeId: string): Promise<NarrowedClient> {
  const app = await registerApp(world, { installationId })
  const code = await codeFor(world, app)
  await world.database.transaction(async (tx) => {
    await tx.change({ name: '', text: 'update oauth_grants set store_id = $2 where client_id = $1' }, [
      app.clientId,
      storeId,
    ])
  })
  const { body } = await posterOf(world).exchange(app, code)
  const { origin, publicUrl, clock } = world
  const narrowed = client({ origin, publicUrl, clock, key: String(body.access_token), proof: app.proof })
  const { keyId } = (await narrowed.get('/api/v1/open/identity')).body.data
  return { ...narrowed, keyId, installationId, app, refreshToken: String(body.refresh_token) }
}

/** A proof for a request without an access token. */
export function tokenProof(
  world: World,
  key: ProofKey,
  path: string,
  options: Pick<PostOptions, 'jti' | 'claims'> & { readonly nonce?: string | null } = {},
): Promise<string> {
  const claims = {
    htm: 'POST',
    htu: world.publicUrl + path,
    jti: options.jti ?? randomBytes(16).toString('base64url'),
    iat: Math.floor(world.clock.now().getTime() / 1000),
    ...(options.nonce != null && { nonce: options.nonce }),
    ...options.claims,
  }
  return new SignJWT(claims).setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk }).sign(key.privateKey)
}
