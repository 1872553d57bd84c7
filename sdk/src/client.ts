import { type InputOf, type OperationId, type OutputOf, operations, type PublicErrorResponse } from '@vitrine/contract'
import { type PrivateJwk, type Prover, prover } from './proof.ts'

/** Why a call failed, in the server's words: what was refused, whether anything happened, what to do next. */
export class VitrineError extends Error {
  override readonly name = 'VitrineError'
  readonly answer: PublicErrorResponse

  constructor(answer: PublicErrorResponse) {
    super(`${answer.code}: ${answer.message}`)
    this.answer = answer
  }
}

/** Somebody between us and the service answered, in words that are not the contract's: a gateway, or a wrong address. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
  readonly status: number

  constructor(url: string, status: number) {
    super(`${url} answered ${status} with something that is not the contract’s JSON.`)
    this.status = status
  }
}

export interface ClientOptions {
  /** The public door, such as `https://shop.example`. */
  readonly baseUrl: string
  /** An API key; none for public reads. */
  readonly key?: string
  /** The private key that the API key is bound to; without it, the client only reads. */
  readonly privateKey?: PrivateJwk
  /** The `fetch` to use; the platform's own by default. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Names the effect: send the same key again for the same effect. A new random one by default. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

type Rows = typeof operations
/** A part of the input may be left out where it has no required member. */
type Loose<Part> = Part extends null ? { readonly [Key in never]: never } : Part
export type CallInput<Id extends OperationId> = {
  readonly [Part in keyof InputOf<Rows[Id]> as InputOf<Rows[Id]>[Part] extends null ? never : Part]?: Loose<
    InputOf<Rows[Id]>[Part]
  >
}

export interface VitrineClient {
  /**
   * Calls an operation.
   *
   * What was refused for want of a nonce, what lost its connection, and what the answer advises to send again under the
   * same idempotency key, is sent again under it, at most four times: the effect happens once.
   *
   * @throws VitrineError with the server's answer
   * @throws UnreadableAnswer where something else than the server answered
   * @throws TypeError where the server cannot be reached, or the private key can make no proofs
   */
  call<Id extends OperationId>(
    operationId: Id,
    input?: CallInput<Id>,
    options?: CallOptions,
  ): Promise<OutputOf<Rows[Id]>>
}

const ATTEMPTS_MAX = 5
const PAUSE_MS = 300

/** A client of the public door, typed by the contract. */
export function vitrine(options: ClientOptions): VitrineClient {
  const base = options.baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? fetch
  let proving: Promise<Prover> | null = null
  let nonce: string | undefined

  function proverOf(privateKey: PrivateJwk): Promise<Prover> {
    proving ??= prover(privateKey)
    return proving
  }

  async function credentials(method: string, url: string): Promise<Record<string, string>> {
    const { key, privateKey } = options
    if (key === undefined) return {}
    if (!privateKey) return { authorization: `Bearer ${key}` }
    const proof = await (await proverOf(privateKey)).prove({ method, url, accessToken: key, nonce })
    return { authorization: `DPoP ${key}`, dpop: proof }
  }

  /** Sends once and reads all of the answer. */
  async function attempt(request: PreparedRequest, signal: AbortSignal | undefined): Promise<ReadAnswer> {
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
    async call(operationId, input = {}, { idempotencyKey, signal } = {}) {
      const request = prepare(operationId, input as LooseInput, idempotencyKey)
      // A key that can make no proofs is found here, and not taken for a connection that broke.
      if (options.privateKey) await proverOf(options.privateKey)
      for (let attempts = 1; ; attempts += 1) {
        try {
          const { ok, body } = await attempt(request, signal)
          if (ok) return outputOf(operationId, body)
          throw new VitrineError(body as PublicErrorResponse)
        } catch (error) {
          // The same key makes a repetition safe, whatever became of the first try.
          if (signal?.aborted || attempts === ATTEMPTS_MAX || !isWorthAnother(error)) throw error
          await pause(pauseAfter(error, attempts))
        }
      }
    },
  }
}

interface ReadAnswer {
  readonly ok: boolean
  readonly body: object
}

/** An answer of the contract is an object. */
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

interface LooseInput {
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

function prepare(operationId: OperationId, input: LooseInput, idempotencyKey: string | undefined): PreparedRequest {
  const row = operations[operationId]
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name]
    if (value === undefined) throw new TypeError(`${operationId} needs params.${name}.`)
    return encodeURIComponent(value)
  })
  const headers: Record<string, string> = { accept: 'application/json' }
  if (row.body) headers['content-type'] = 'application/json'
  if (row.idempotency === 'required') headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID()
  const body = row.body ? JSON.stringify(input.body ?? {}) : undefined
  return { method: row.method, path, query: queryText(input.query), headers, body }
}

function queryText(query: LooseInput['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) parameters.append(name, String(each))
    }
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

function outputOf<Id extends OperationId>(operationId: Id, answer: unknown): OutputOf<Rows[Id]> {
  const { data } = answer as { data: unknown }
  return (operations[operationId].meta ? answer : data) as OutputOf<Rows[Id]>
}

/** What gateways answer when the server behind them is away for a moment. */
const GATEWAY = [502, 503, 504]

function isWorthAnother(error: unknown): boolean {
  if (error instanceof VitrineError) {
    return error.answer.code === 'use_dpop_nonce' || error.answer.retry.advice === 'same_key'
  }
  if (error instanceof UnreadableAnswer) return GATEWAY.includes(error.status)
  // What `fetch` throws where the connection broke.
  return error instanceof TypeError
}

function pauseAfter(error: unknown, attempts: number): number {
  if (!(error instanceof VitrineError)) return PAUSE_MS * attempts
  return error.answer.code === 'use_dpop_nonce' ? 0 : (error.answer.retry.afterMs ?? PAUSE_MS)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
