import { UnreadableAnswer, VitrineError } from './errors.ts'
import type { ListItems, OperationInputs, OperationMethods, OperationOutputs } from './generated/methods.ts'
import { type OperationId, operations } from './generated/operations.ts'
import type { OAuthSession } from './oauth.ts'
import { type KeyPair, type PrivateJwk, type Prover, prover } from './proof.ts'
import { type Clock, type PreparedRequest, type TransportOptions, transport } from './transport.ts'

export interface ClientOptions extends TransportOptions {
  /** URL of the public API, such as `https://shop.example`. */
  readonly baseUrl: string
  /** An API key. Not needed for public reads. */
  readonly key?: string
  /** The private key that the API key is bound to. Without it, the client can only read. */
  readonly privateKey?: PrivateJwk | KeyPair
  /** The access that the staff of a store has granted, instead of an API key. */
  readonly oauth?: Pick<OAuthSession, 'accessToken' | 'expire' | 'prover'>
}

export interface CallOptions {
  /** Identifies the effect: a retry with the same key has no second effect. Random by default. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** The access token of a gated store, from `verifyStorefrontChallenge`. */
  readonly storeAccess?: string
  /** The language of texts, as in `Accept-Language`. A `locale` in the query comes first. */
  readonly language?: string
}

/** The input of {@link VitrineClient.call}: `params`, `query` and `body`, where the operation has them. */
export type CallInput<Id extends OperationId> = {
  readonly [Part in keyof OperationInputs[Id]]?: OperationInputs[Id][Part]
}

/** The result of a call. An enum that may grow in v1 admits values that this package does not know. */
export type CallOutput<Id extends OperationId> = OperationOutputs[Id]

/** The lists that have pages. */
export type ListId = keyof ListItems

export interface VitrineClient extends OperationMethods {
  /**
   * Calls an operation by its id, like the method of that name.
   *
   * Retries within the budget where sending twice has one effect, so the effect happens once: after a missing nonce, a broken
   * connection, a timeout or a gateway error, if the response advises `same_key`, and after a 429. A write without an
   * idempotency key is sent once.
   *
   * @throws VitrineError with the server's response
   * @throws UnreadableAnswer if the response is not from the API
   * @throws AnswerTimeout if nothing answered in time
   * @throws TypeError if the server cannot be reached, or the private key cannot sign proofs
   */
  call<Id extends OperationId>(operationId: Id, input?: CallInput<Id>, options?: CallOptions): Promise<CallOutput<Id>>
  /**
   * The pages of a list, each as the method of that name returns it.
   *
   * @example
   * ```ts
   * for await (const { data, meta } of shop.pages('searchCatalogProducts', { query: { q: 'mug' } })) …
   * ```
   */
  pages<Id extends ListId>(
    listId: Id,
    input?: OperationInputs[Id],
    options?: CallOptions,
  ): AsyncGenerator<OperationOutputs[Id], void, undefined>
  /**
   * The items of all pages of a list. A page is requested when its first item is.
   *
   * @example
   * ```ts
   * for await (const order of shop.iterate('listStorefrontOrders')) …
   * ```
   */
  iterate<Id extends ListId>(
    listId: Id,
    input?: OperationInputs[Id],
    options?: CallOptions,
  ): AsyncGenerator<ListItems[Id], void, undefined>
}

/** Creates a client of the public API, typed by the contract. */
export function vitrine(options: ClientOptions): VitrineClient {
  const base = options.baseUrl.replace(/\/+$/, '')
  const { send, clock } = transport(options)
  const authorize = authorizer(options, clock)

  /** @param next the `next` link of the previous page, instead of the input */
  async function answerOf(operationId: OperationId, input: AnyInput, call: CallOptions = {}, next?: string) {
    const facts: Facts = operations[operationId]
    const path = next?.split('?', 1)[0] ?? pathOf(operationId, facts.path, input.params)
    const url = base + path
    const request: PreparedRequest = {
      method: facts.method,
      url,
      query: next === undefined ? queryString(input.query) : next.slice(path.length),
      headers: headersOf(facts, call),
      body: facts.hasBody ? JSON.stringify(input.body ?? {}) : undefined,
      isRepeatable: facts.method === 'GET' || facts.hasKey === true || facts.access === 'proof',
      ...(facts.access !== 'public' && { authorize: (nonce) => authorize(facts, url, nonce) }),
      member: 'data',
    }
    try {
      return await send(request, call.signal)
    } catch (error) {
      if (error instanceof VitrineError && error.code.startsWith('credential_')) options.oauth?.expire()
      throw error
    }
  }

  async function call(operationId: OperationId, input: AnyInput = {}, callOptions?: CallOptions) {
    return outputOf(operationId, await answerOf(operationId, input, callOptions))
  }

  async function* answers(listId: ListId, input: AnyInput = {}, callOptions?: CallOptions) {
    const { path, next: place } = operations[listId]
    for (let next: string | undefined; ; ) {
      const answer = await answerOf(listId, input, callOptions, next)
      yield answer
      const link = valueAt(answer, place)
      if (link === null || link === undefined) return
      // A link to another address would get the credentials, and a link to the same page would never end.
      const isNext = typeof link === 'string' && link !== next && isLinkTo(path, link)
      if (!isNext) throw new UnreadableAnswer(base + path, 200)
      next = link
    }
  }

  const methods = Object.fromEntries(
    Object.keys(operations).map((id) => [
      id,
      (input?: AnyInput, callOptions?: CallOptions) => call(id as OperationId, input, callOptions),
    ]),
  ) as unknown as OperationMethods
  return {
    ...methods,
    call: call as VitrineClient['call'],
    async *pages(listId, input, callOptions) {
      for await (const answer of answers(listId, input as AnyInput, callOptions)) {
        yield outputOf(listId, answer) as OperationOutputs[typeof listId]
      }
    },
    async *iterate(listId, input, callOptions) {
      for await (const answer of answers(listId, input as AnyInput, callOptions)) {
        yield* valueAt(answer, operations[listId].items) as ListItems[typeof listId][]
      }
    },
  }
}

/** Creates the headers that authorize one attempt. */
function authorizer({ key, privateKey, oauth }: ClientOptions, clock: Clock) {
  let proverPromise: Promise<Prover> | undefined

  function proverOf(): Promise<Prover> | undefined {
    if (oauth) return oauth.prover()
    if (privateKey) proverPromise ??= prover(privateKey)
    return proverPromise
  }

  return async (facts: Facts, url: string, nonce: string | undefined): Promise<Record<string, string>> => {
    const accessToken = facts.access === 'credential' ? await (oauth ? oauth.accessToken() : key) : undefined
    if (facts.access === 'credential' && accessToken === undefined) return {}
    const signer = await proverOf()
    if (!signer) return accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }
    const dpop = await signer.prove({ method: facts.method, url, accessToken, nonce, now: clock.now() })
    return { ...(accessToken !== undefined && { authorization: `DPoP ${accessToken}` }), dpop }
  }
}

interface Facts {
  readonly method: string
  readonly path: string
  /** The credentials it takes: none, those of an installation, or only a proof. */
  readonly access: 'public' | 'credential' | 'proof'
  readonly hasBody?: true
  readonly hasKey?: true
  readonly hasMeta?: true
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

function pathOf(operationId: string, path: string, params: AnyInput['params']): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params?.[name]
    if (value === undefined || value === '') throw new TypeError(`${operationId} needs params.${name}.`)
    // A URL drops these segments, however they are encoded: the request would reach another operation.
    if (value === '.' || value === '..') throw new TypeError(`${operationId} cannot have "${value}" as params.${name}.`)
    return encodeURIComponent(value)
  })
}

function headersOf(facts: Facts, { idempotencyKey, storeAccess, language }: CallOptions): Record<string, string> {
  return {
    accept: 'application/json',
    ...(facts.hasBody && { 'content-type': 'application/json' }),
    ...(facts.hasKey && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
    ...(storeAccess !== undefined && { 'x-store-access': storeAccess }),
    ...(language !== undefined && { 'accept-language': language }),
  }
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

function outputOf(operationId: OperationId, answer: object): unknown {
  const facts: Facts = operations[operationId]
  return facts.hasMeta ? answer : valueAt(answer, 'data')
}

/** The value at a path such as `data.result.next`. */
function valueAt(answer: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], answer)
}

/** Whether a link leads to the list of this path. */
function isLinkTo(path: string, link: string): boolean {
  const pattern = path.replaceAll(/\{\w+\}/g, '[^/?#]+')
  return new RegExp(`^${pattern}\\?[^#]*$`).test(link)
}
