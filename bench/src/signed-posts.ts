import { createHash, createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto'
import { type Agent, request } from 'node:http'
import type { PrivateJwk } from '@vitrine/sdk'

/** Signs requests of an installation with a key and the key pair that it is bound to. */
export interface Signer {
  /** The headers of a new request, with the nonce of the last response that had one. */
  headersFor(target: Target): Readonly<Record<string, string>>
  /** The bytes of a new request, ready to be sent over a persistent connection. */
  requestFor(target: Target): Buffer
  /** Sets the nonce of a response for the next proofs. */
  useNonce(nonce: string): void
  /** Sends a write, and stores the nonce of its response. */
  post(agent: Agent, target: Target, headers: Readonly<Record<string, string>>): Promise<Posted>
}

export interface Target {
  /** POST by default. */
  readonly method?: 'GET' | 'PATCH' | 'POST'
  readonly path: string
  /** JSON. None for a read. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Posted {
  readonly status: number
  readonly text: string
}

/** Creates proofs with little work, since the load shares its cores with the measured server. */
export async function signer(door: string, key: string, jwk: PrivateJwk): Promise<Signer> {
  const prove = prover(door, key, jwk)
  let nonce = await learnNonce(door, key, prove)
  const headersFor = ({ method = 'POST', path, body, headers }: Target) => ({
    authorization: `DPoP ${key}`,
    dpop: prove(method, path, nonce),
    ...(body !== undefined && {
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  })
  return {
    headersFor,
    requestFor(target) {
      const { method = 'POST', path, body = '' } = target
      const headers = { host: new URL(door).host, ...headersFor(target) }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
    },
    useNonce(fresh) {
      nonce = fresh
    },
    async post(agent, { path, body = '' }, headers) {
      const answer = await send(agent, door + path, body, headers)
      nonce = answer.nonce ?? nonce
      return answer
    },
  }
}

type Prove = (htm: string, path: string, nonce?: string) => string

function prover(door: string, key: string, jwk: PrivateJwk): Prove {
  const privateKey: KeyObject = createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  const { d: _, ...publicJwk } = { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y, d: jwk.d }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk })
  const ath = createHash('sha256').update(key).digest('base64url')
  return (htm, path, nonce) => {
    const claims = { htm, htu: door + path, jti: randomUUID(), iat: Math.floor(Date.now() / 1000), ath, nonce }
    const signed = `${header}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
}

async function learnNonce(door: string, key: string, prove: Prove): Promise<string> {
  const path = '/api/v1/open/identity'
  const response = await fetch(door + path, { headers: { authorization: `DPoP ${key}`, dpop: prove('GET', path) } })
  const nonce = response.headers.get('dpop-nonce')
  if (!nonce) throw new Error(`No nonce with ${response.status}: ${await response.text()}`)
  return nonce
}

function send(
  agent: Agent,
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Posted & { readonly nonce: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const nonce = response.headers['dpop-nonce']
        resolve({
          status: response.statusCode ?? 0,
          nonce: typeof nonce === 'string' ? nonce : undefined,
          text: Buffer.concat(chunks).toString('utf8'),
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
