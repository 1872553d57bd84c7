import {
  type InputOf,
  type OperationId,
  operations,
  type PublicErrorResponse,
  type Received,
  type ReceivedOf,
} from '@vitrine/contract'
import { type PrivateJwk, type Prover, prover } from './proof.ts'

/** A refusal, with the server's response: the code, the outcome and what to do next. */
export class VitrineError extends Error {
  override readonly name = 'VitrineError'
  readonly answer: Received<typeof PublicErrorResponse>

  constructor(answer: Received<typeof PublicErrorResponse>) {
    super(`${answer.code}: ${answer.message}`)
    this.answer = answer
  }
}

/** The response is not from the API: it came from a gateway, or the URL is wrong. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
  readonly status: number

  constructor(url: string, status: number) {
    super(`${url} answered ${status} with something other than an API response.`)
    this.status = status
  }
}

export interface ClientOptions {
  /** URL of the public API, such as `https://shop.example`. */
  readonly baseUrl: string
  /** An API key. Not needed for public reads. */
  readonly key?: string
  /** The private key that the API key is bound to. Without it, the client can only read. */
  readonly privateKey?: PrivateJwk
  /** Defaults to the platform's `fetch`. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Identifies the effect: a retry with the same key has no second effect. Random by default. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** The access token of a store that asks for a password, from verifyStorefrontChallenge. */
  readonly storeAccess?: string
}

type Rows = typeof operations
/** Makes a part of the input optional if it has no required member. */
type Optional<Part> = Part extends null ? { readonly [Key in never]: never } : Part
export type CallInput<Id extends OperationId> = {
  readonly [Part in keyof InputOf<Rows[Id]> as InputOf<Rows[Id]>[Part] extends null ? never : Part]?: Optional<
    InputOf<Rows[Id]>[Part]
  >
}

/** What a call returns. An enum that may grow in v1 admits words that this package does not know. */
export type CallOutput<Id extends OperationId> = ReceivedOf<Rows[Id]>

export interface VitrineClient {
  /**
   * Calls an operation.
   *
   * Retries up to four times under the same idempotency key, so the effect happens once: after a missing nonce, a
   * broken connection or a gateway error, and if the response advises `same_key`.
   *
   * @throws VitrineError with the server's response
   * @throws UnreadableAnswer if the response is not from the API
   * @throws TypeError if the server cannot be reached, or the private key cannot sign proofs
   */
  call<Id extends OperationId>(operationId: Id, input?: CallInput<Id>, options?: CallOptions): Promise<CallOutput<Id>>
}

const ATTEMPTS_MAX = 5
const RETRY_DELAY_MS = 300

/** Creates a client of the public API, typed by the contract. */
export function vitrine(options: ClientOptions): VitrineClient {
  const base = options.baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? fetch
  let proverPromise: Promise<Prover> | null = null
  let nonce: string | undefined

  function proverOf(privateKey: PrivateJwk): Promise<Prover> {
    proverPromise ??= prover(privateKey)
    return proverPromise
  }

  async function credentials(method: string, url: string): Promise<Record<string, string>> {
    const { key, privateKey } = options
    if (key === undefined) return {}
    if (!privateKey) return { authorization: `Bearer ${key}` }
    const proof = await (await proverOf(privateKey)).prove({ method, url, accessToken: key, nonce })
    return { authorization: `DPoP ${key}`, dpop: proof }
  }

  /** Sends the request once and reads the whole response. */
  async function attempt(request: PreparedRequest, signal: AbortSignal | undefined): Promise<ReadResponse> {
    const url = base + request.path
    const headers = { ...request.headers, ...(await credentials(request.method, url)) }
    const body = request.body === undefined ? {} : { body: request.body }
    const response = await send(url + request.query, {
      method: request.method,
      headers,
      ...body,
      ...(signal && { signal }),
    })
    nonce = response.headers.get('dpop-nonce') ?? nonce
    const text = await response.text()
    return { ok: response.ok, body: parse(text) ?? fail(new UnreadableAnswer(url, response.status)) }
  }

  return {
    async call(operationId, input = {}, call = {}) {
      const { signal } = call
      const request = prepare(operationId, input as AnyInput, call)
      // Fail on an unusable key here, so that it is not retried like a broken connection.
      if (options.privateKey) await proverOf(options.privateKey)
      for (let attempts = 1; ; attempts += 1) {
        try {
          const { ok, body } = await attempt(request, signal)
          if (ok) return outputOf(operationId, body)
          throw new VitrineError(body as Received<typeof PublicErrorResponse>)
        } catch (error) {
          // The idempotency key makes a retry safe, whatever happened to the first attempt.
          if (signal?.aborted || attempts === ATTEMPTS_MAX || !isRetryable(error)) throw error
          await sleep(retryDelay(error, attempts))
        }
      }
    },
  }
}

interface ReadResponse {
  readonly ok: boolean
  readonly body: object
}

/** API responses are JSON objects. */
function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function fail(error: Error): never {
  throw error
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

interface PreparedRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

function prepare(
  operationId: OperationId,
  input: AnyInput,
  { idempotencyKey, storeAccess }: CallOptions,
): PreparedRequest {
  const row = operations[operationId]
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name]
    if (value === undefined) throw new TypeError(`${operationId} needs params.${name}.`)
    return encodeURIComponent(value)
  })
  const headers: Record<string, string> = { accept: 'application/json' }
  if (row.body) headers['content-type'] = 'application/json'
  if (storeAccess !== undefined) headers['x-store-access'] = storeAccess
  if (row.idempotency === 'required') headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID()
  const body = row.body ? JSON.stringify(input.body ?? {}) : undefined
  return { method: row.method, path, query: queryString(input.query), headers, body }
}

function queryString(query: AnyInput['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) parameters.append(name, String(each))
    }
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

function outputOf<Id extends OperationId>(operationId: Id, answer: unknown): CallOutput<Id> {
  const { data } = answer as { data: unknown }
  return (operations[operationId].meta ? answer : data) as CallOutput<Id>
}

/** Statuses of a gateway whose upstream is temporarily unavailable. */
const GATEWAY = [502, 503, 504]

function isRetryable(error: unknown): boolean {
  if (error instanceof VitrineError) {
    return error.answer.code === 'use_dpop_nonce' || error.answer.retry.advice === 'same_key'
  }
  if (error instanceof UnreadableAnswer) return GATEWAY.includes(error.status)
  // Thrown by `fetch` if the connection fails.
  return error instanceof TypeError
}

function retryDelay(error: unknown, attempts: number): number {
  if (!(error instanceof VitrineError)) return RETRY_DELAY_MS * attempts
  return error.answer.code === 'use_dpop_nonce' ? 0 : (error.answer.retry.afterMs ?? RETRY_DELAY_MS)
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
