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
   * A refused proof for want of a nonce, and a write whose answer was lost or is still in progress, are sent again with the
   * same idempotency key, at most four times: the effect happens once.
   *
   * @throws VitrineError with the server's answer
   * @throws TypeError where the server cannot be reached
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

  async function credentials(method: string, url: string): Promise<Record<string, string>> {
    const { key, privateKey } = options
    if (key === undefined) return {}
    if (!privateKey) return { authorization: `Bearer ${key}` }
    proving ??= prover(privateKey)
    const proof = await (await proving).prove({ method, url, accessToken: key, nonce })
    return { authorization: `DPoP ${key}`, dpop: proof }
  }

  async function attempt(request: PreparedRequest, signal: AbortSignal | undefined): Promise<Response> {
    const headers = { ...request.headers, ...(await credentials(request.method, base + request.path)) }
    const body = request.body === undefined ? {} : { body: request.body }
    const response = await send(base + request.path + request.query, {
      method: request.method,
      headers,
      ...body,
      ...(signal && { signal }),
    })
    nonce = response.headers.get('dpop-nonce') ?? nonce
    return response
  }

  return {
    async call(operationId, input = {}, { idempotencyKey, signal } = {}) {
      const request = prepare(operationId, input as LooseInput, idempotencyKey)
      for (let attempts = 1; ; attempts += 1) {
        let response: Response
        try {
          response = await attempt(request, signal)
        } catch (error) {
          // The connection broke: the same key makes a repetition safe.
          if (signal?.aborted || attempts === ATTEMPTS_MAX) throw error
          await pause(PAUSE_MS * attempts)
          continue
        }
        const answer: unknown = await response.json()
        if (response.ok) return outputOf(operationId, answer)
        const error = new VitrineError(answer as PublicErrorResponse)
        if (attempts === ATTEMPTS_MAX || !isWorthAnother(error)) throw error
        await pause(error.answer.code === 'use_dpop_nonce' ? 0 : (error.answer.retry.afterMs ?? PAUSE_MS))
      }
    },
  }
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

function isWorthAnother({ answer }: VitrineError): boolean {
  return answer.code === 'use_dpop_nonce' || answer.code === 'idempotency_in_progress' || answer.code === 'unavailable'
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
