import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { exampleOf, type Operation, type OperationId, operations, PublicErrorResponse } from '@vitrine/contract'
import type { TObject, TSchema } from 'typebox'
import { makeProof, type ProofKey } from './client.ts'
import { type Sent, send } from './network/send.ts'
import { assertMatches } from './schema.ts'
import type { World } from './world.ts'

/** The rows of the contract, by operationId. */
export const rows = Object.entries(operations) as unknown as readonly (readonly [OperationId, Operation])[]

/** Whether the row requires a credential of an installation. */
export function isGuarded({ auth }: Operation): boolean {
  return auth.kind === 'key' || auth.kind === 'senderConstrained' || auth.kind === 'installation'
}

/** Whether the row is a write of an installation. */
export function isGuardedWrite(row: Operation): boolean {
  return isGuarded(row) && row.method !== 'GET'
}

export function scopesOf({ auth }: Operation): readonly string[] {
  return 'scopes' in auth ? auth.scopes : []
}

export function propertiesOf(schema: TSchema | null): Readonly<Record<string, TSchema>> {
  return firstAlternative(schema)?.properties ?? {}
}

/** The required members of a body: those of its first alternative, which the example uses. */
export function requiredOf(schema: TSchema): readonly string[] {
  return (firstAlternative(schema) as { readonly required?: readonly string[] } | null)?.required ?? []
}

function firstAlternative(schema: TSchema | null): Partial<TObject> | null {
  return (schema as { readonly anyOf?: readonly TObject[] } | null)?.anyOf?.[0] ?? schema
}

export interface Credential {
  readonly key: string
  readonly proof?: ProofKey | null
}

export interface Asking {
  readonly as?: Credential | null
  readonly method?: string
  readonly params?: Readonly<Record<string, string>>
  /** Added to the examples of the required parameters. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** The example of the row by default; no body if `null`. */
  readonly body?: unknown
  /** Sent unchanged instead of JSON. */
  readonly raw?: string | Buffer
  /** A list is sent as several headers. `undefined` removes a default header. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
}

const STATUSES = [200, 204, 304, 400, 401, 403, 404, 409, 429]

/** The path of a row with the given parameters, or their examples. */
export function pathOf(row: Operation, params: Readonly<Record<string, string>> = {}): string {
  return row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return params[name] ?? String(exampleOf(propertiesOf(row.params)[name] as TSchema))
  })
}

function queryOf(row: Operation, more: Asking['query'] = {}): string {
  const schema = (row.undeclaredQuery ?? row.query) as { required?: readonly string[] } & TObject
  const search = new URLSearchParams()
  for (const name of schema.required ?? []) {
    if (!(name in more)) search.append(name, String(exampleOf(propertiesOf(schema)[name] as TSchema)))
  }
  for (const [name, values] of Object.entries(more)) for (const value of [values].flat()) search.append(name, value)
  return search.size > 0 ? `?${search}` : ''
}

/** Sends requests over HTTP, and checks every response against the contract. */
export function askerOf(world: World) {
  const nonces = new Map<number, Promise<string>>()

  /** The nonce the server issues for this minute. */
  function nonceFor(credential: Credential): Promise<string> {
    const minute = Math.floor(world.clock.now().getTime() / 60_000)
    let nonce = nonces.get(minute)
    if (!nonce) {
      nonce = (async () => {
        const dpop = await proofFor(credential, operations.createPublicCart as Operation, {}, null)
        const { headers } = await ask(operations.createPublicCart as Operation, { as: credential, headers: { dpop } })
        return String(headers['dpop-nonce'])
      })()
      nonces.set(minute, nonce)
    }
    return nonce
  }

  /** A proof for a request of the row. */
  async function proofFor(
    credential: Credential,
    row: Operation,
    asking: Pick<Asking, 'params' | 'method'> = {},
    nonce?: string | null,
  ): Promise<string> {
    const { key, proof } = credential
    assert(proof, 'a bound credential')
    const sent = nonce === undefined && isGuardedWrite(row) ? await nonceFor(credential) : (nonce ?? undefined)
    const url = world.publicUrl + pathOf(row, asking.params)
    const method = asking.method ?? row.method
    return makeProof(proof, { method, url, token: key, nonce: sent, now: world.clock.now() })
  }

  async function headersFor(row: Operation, asking: Asking): Promise<Record<string, string | string[] | undefined>> {
    const { as, headers = {} } = asking
    const own: Record<string, string | string[] | undefined> = {}
    if (as) own.authorization = `${as.proof ? 'DPoP' : 'Bearer'} ${as.key}`
    if (as?.proof && !('dpop' in headers)) own.dpop = await proofFor(as, row, asking)
    if (row.idempotency === 'required') own['idempotency-key'] = randomUUID()
    return { ...own, ...headers }
  }

  async function ask(row: Operation, asking: Asking = {}): Promise<Sent> {
    const { params, query, raw } = asking
    const method = asking.method ?? row.method
    const value = 'body' in asking ? asking.body : row.body && exampleOf(row.body)
    const hasBody = raw !== undefined || (value !== null && value !== undefined)
    const payload = raw ?? (hasBody ? JSON.stringify(value) : undefined)
    const headers = {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(await headersFor(row, asking)),
    }
    const answer = await send(world.origin + pathOf(row, params) + queryOf(row, query), method, headers, payload)
    check(row, method, answer)
    return answer
  }

  return { ask, proofFor }
}

/** Checks the contract's requirements for every response. */
function check(row: Operation, method: string, { status, headers, text, body }: Sent): void {
  assert.match(String(headers['x-request-id']), /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert(!('retry-after' in headers), 'no answer carries a Retry-After')
  if (method === 'HEAD' || status === 204 || status === 304) {
    assert.equal(text, '')
    return
  }
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  if (status === 200) checkSuccess(row, body)
  else checkError(status, headers, body)
}

function checkSuccess(row: Operation, body: Record<string, unknown>): void {
  const mirrored = row.mirrored ? Object.keys(body.data as object) : []
  assert.deepEqual(Object.keys(body), ['data', ...(row.meta ? ['meta'] : []), ...mirrored])
  for (const name of mirrored) assert.deepEqual(body[name], (body.data as Record<string, unknown>)[name])
  for (const part of ['data', 'meta'] as const) {
    const schema = row[part]
    if (schema) assertMatches(schema, body[part])
  }
}

export function checkError(status: number, headers: IncomingHttpHeaders, body: PublicErrorResponse): void {
  assertMatches(PublicErrorResponse, body)
  assert.equal(body.status, status)
  assert.equal(body.requestId, headers['x-request-id'])
  assert.equal(headers['cache-control'], 'private, no-store')
  assert(STATUSES.includes(status), `${status} ${body.code}`)
  assert.equal('www-authenticate' in headers, status === 401 || body.code === 'insufficient_scope')
}

/** Checks a refusal, whose code determines its status. */
export function assertCode(answer: Sent, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text)
}
