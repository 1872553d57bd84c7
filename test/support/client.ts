import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import type { Clock } from '@vitrine/server'
import { calculateJwkThumbprint, type JWK, SignJWT } from 'jose'
import { headersOf, send } from './network/send.ts'

/** A response, read whole. */
// biome-ignore lint/suspicious/noExplicitAny: a test states what it expects of a response by comparing it
export interface Answer<Body = any> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

/** The data of a response that must be a success. */
export function dataOf({ status, body, text }: Answer) {
  assert.equal(status, 200, text)
  return body.data
}

/** A key pair that proves possession. */
export interface ProofKey {
  readonly privateKey: KeyObject
  readonly jwk: JWK
  readonly jkt: string
}

export async function proofKey(): Promise<ProofKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' }) as JWK
  return { privateKey, jwk, jkt: await calculateJwkThumbprint(jwk) }
}

export interface ProofClaims {
  readonly method: string
  readonly url: string
  readonly token: string
  readonly nonce?: string | undefined
  readonly now: Date
  readonly jti?: string
}

/** @see RFC 9449 §4.2 */
export function makeProof(key: ProofKey, { method, url, token, nonce, now, jti }: ProofClaims): Promise<string> {
  const claims = {
    htm: method,
    htu: url,
    ath: createHash('sha256').update(token).digest('base64url'),
    jti: jti ?? randomUUID(),
    iat: Math.floor(now.getTime() / 1000),
    ...(nonce !== undefined && { nonce }),
  }
  return new SignJWT(claims).setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk }).sign(key.privateKey)
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** The idempotency key; a new one by default; none if `null`. */
  readonly key?: string | null
  /** Sent unchanged instead of JSON. */
  readonly raw?: string | Uint8Array
}

export interface Client {
  readonly key: string | null
  readonly proof: ProofKey | null
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer>
  put(path: string, body: unknown, options?: RequestOptions): Promise<Answer>
  patch(path: string, body: unknown, options?: RequestOptions): Promise<Answer>
  delete(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
}

export interface ClientDeps {
  /** The address the server listens on. */
  readonly origin: string
  /** The public URL of the server, used in proofs. */
  readonly publicUrl: string
  readonly clock: Clock
  readonly key?: string
  readonly proof?: ProofKey
}

/** A client of the public door: each request has a proof with the latest nonce. */
export function client({ origin, publicUrl, clock, key, proof }: ClientDeps): Client {
  let nonce: string | undefined

  async function once(method: string, path: string, body: unknown, options: RequestOptions): Promise<Answer> {
    const headers: Record<string, string> = { ...options.headers }
    if (key !== undefined && !proof) headers.authorization ??= `Bearer ${key}`
    if (key !== undefined && proof) {
      headers.authorization ??= `DPoP ${key}`
      const url = publicUrl + path.split('?')[0]
      headers.dpop ??= await makeProof(proof, { method, url, token: key, nonce, now: clock.now() })
    }
    if (method !== 'GET' && method !== 'HEAD' && options.key !== null) {
      headers['idempotency-key'] ??= options.key ?? randomUUID()
    }
    let payload = options.raw
    if (payload === undefined && body !== undefined) {
      headers['content-type'] ??= 'application/json'
      payload = JSON.stringify(body)
    }
    const answer = await send(origin + path, method, headers, payload)
    nonce = (answer.headers['dpop-nonce'] as string | undefined) ?? nonce
    return { ...answer, headers: headersOf(answer.headers) }
  }

  async function request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    const fixed = { ...options, ...(options.key === undefined && { key: randomUUID() }) }
    const answer = await once(method, path, body, fixed)
    const canRetry = options.headers?.dpop === undefined
    return canRetry && answer.body?.code === 'use_dpop_nonce' ? once(method, path, body, fixed) : answer
  }

  return {
    key: key ?? null,
    proof: proof ?? null,
    request,
    get: (path, options) => request('GET', path, undefined, options),
    post: (path, body, options) => request('POST', path, body, options),
    put: (path, body, options) => request('PUT', path, body, options),
    patch: (path, body, options) => request('PATCH', path, body, options),
    delete: (path, body, options) => request('DELETE', path, body, options),
  }
}
