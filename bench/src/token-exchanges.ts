import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { Agent, request } from 'node:http'
import {
  approveAsOperator,
  authorizationServer,
  createInstallation,
  createOAuthClient,
  type Database,
  idSource,
  openDatabase,
  systemClock,
  systemRandomness,
} from '@vitrine/server'

const PATH = '/api/v1/oauth/token'
const CALLBACK = 'https://app.example/callback'
const VERIFIER = 'bench-verifier-bench-verifier-bench-verifier-0'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const EXCHANGES_PER_SECOND_MAX = 1500

/** Code exchanges per second over persistent connections, each with its own code, proof and transaction. */
export async function tokenExchanges(
  door: string,
  databaseUrl: string,
  connections: number,
  seconds: number,
): Promise<number> {
  const database = openDatabase({ url: databaseUrl })
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    const prover = newProver()
    const clientId = await registerClient(database)
    // Signed and approved before the clock starts: the load shares its cores with what is measured.
    const codes = await approvals(database, clientId, door, seconds * EXCHANGES_PER_SECOND_MAX)
    const nonce = await learnNonce(door, prover)
    const bodies = codes.map((code) => ({ body: bodyOf(clientId, code), dpop: prover(door + PATH, nonce) }))
    let next = 0
    const startedAt = performance.now()
    const until = startedAt + seconds * 1000
    const work = async () => {
      while (performance.now() < until) {
        const each = bodies[next]
        next += 1
        if (!each) return
        const { status, text } = await post(agent, door, each.body, each.dpop)
        if (status !== 200) throw new Error(`a token exchange answered ${status}: ${text}`)
      }
    }
    await Promise.all(Array.from({ length: connections }, work))
    return Math.min(next, bodies.length) / ((performance.now() - startedAt) / 1000)
  } finally {
    agent.destroy()
    await database.close()
  }
}

const randomness = systemRandomness()
const ids = idSource(systemClock, randomness)

function registerClient(database: Database): Promise<string> {
  const making = { ids, now: systemClock.now() }
  return database.transaction(async (tx) => {
    const installationId = await createInstallation(tx, { name: 'Bench', environment: 'test' }, making)
    return createOAuthClient(tx, { installationId, redirectUris: [CALLBACK] }, making)
  })
}

function approvals(database: Database, clientId: string, door: string, count: number): Promise<string[]> {
  const asked = { client_id: clientId, redirect_uri: CALLBACK, code_challenge: CHALLENGE }
  const approving = { ids, randomness, now: systemClock.now(), operatorId: null }
  return database.transaction((tx) =>
    Promise.all(
      Array.from({ length: count }, () =>
        approveAsOperator(tx, asked, authorizationServer({ publicUrl: door, pagesUrl: door }), approving),
      ),
    ),
  )
}

function bodyOf(clientId: string, code: string): string {
  return new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  }).toString()
}

/** Makes proofs with one key. */
export function newProver(): Prover {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk })
  return (url, nonce, more = {}) => {
    const iat = Math.floor(Date.now() / 1000)
    const signed = `${header}.${encode({ htm: 'POST', htu: url, jti: randomUUID(), iat, ...(nonce && { nonce }), ...more })}`
    return `${signed}.${signatureOf(signed, privateKey)}`
  }
}

type Prover = (url: string, nonce?: string, more?: Readonly<Record<string, string>>) => string

function signatureOf(text: string, key: KeyObject): string {
  return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
}

async function learnNonce(door: string, prover: Prover): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'x' })
  const response = await fetch(door + PATH, { method: 'POST', body, headers: { dpop: prover(door + PATH) } })
  const nonce = response.headers.get('dpop-nonce')
  if (!nonce) throw new Error(`No nonce with ${response.status}: ${await response.text()}`)
  return nonce
}

function post(agent: Agent, door: string, body: string, dpop: string): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
    dpop,
  }
  return new Promise((resolve, reject) => {
    const sent = request(door + PATH, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
