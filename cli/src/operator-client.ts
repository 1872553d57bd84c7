import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type IncomingMessage, request as send } from 'node:http'
import { userInfo } from 'node:os'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { InputOf, OutputOf, PublicErrorResponse } from '@vitrine/contract'
import { type OperatorOperation, type OperatorOperationId, operatorOperations } from '@vitrine/contract/operator'
import { BROKEN_CONNECTION, CommandError } from './failure.ts'

type Rows = typeof operatorOperations
export type Answer<Id extends OperatorOperationId> = OutputOf<Rows[Id]>
export interface Input<Id extends OperatorOperationId> {
  readonly params?: InputOf<Rows[Id]>['params']
  readonly query?: InputOf<Rows[Id]>['query']
  readonly body?: InputOf<Rows[Id]>['body']
}
interface ExchangeOptions {
  readonly file?: string
  readonly onProgress?: ((sent: number) => void) | undefined
  readonly idempotencyKey?: string | undefined
}
type Detail = PublicErrorResponse['details'][number]

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: unknown
}

/** Operations that return a page of a list. */
type ListId = {
  [Id in OperatorOperationId]: Answer<Id> extends { readonly items: readonly unknown[]; readonly nextCursor: unknown }
    ? Id
    : never
}[OperatorOperationId]
type Item<Id extends ListId> = Answer<Id> extends { readonly items: readonly (infer Each)[] } ? Each : never

/** A client of the operator API. A refusal throws {@link OperatorRefusal}. */
export interface OperatorClient {
  /** With the same idempotency key, a change that accepts one has one effect at most. */
  call<Id extends OperatorOperationId>(id: Id, input?: Input<Id>, idempotencyKey?: string): Promise<Answer<Id>>
  /** The first entries of a list, from as many pages as needed. */
  list<Id extends ListId>(
    id: Id,
    query: InputOf<Rows[Id]>['query'],
    limit?: number,
    params?: Input<Id>['params'],
  ): Promise<Item<Id>[]>
  /** Uploads a file as a stream. */
  upload<Id extends OperatorOperationId>(
    id: Id,
    file: string,
    input: Input<Id>,
    onProgress?: (bytesSent: number) => void,
  ): Promise<Answer<Id>>
  /** Downloads a file as a stream. */
  download<Id extends OperatorOperationId>(id: Id, input: Input<Id>): Promise<IncomingMessage>
}

/** A refusal of the operator door, as a message for the user. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal'
  readonly answer: PublicErrorResponse

  constructor(answer: PublicErrorResponse, input: AnyInput, row: OperatorOperation) {
    super(sentenceOf(answer, input, row))
    this.answer = answer
  }
}

const PAGE_MAX = 100

/** The account of the operating system, for the audit log. */
const ACCOUNT = accountName()

function accountName(): string | null {
  try {
    return userInfo().username
  } catch {
    // An account without an entry in the password file, as in some containers.
    return process.getuid ? `uid-${process.getuid()}` : null
  }
}

const LIST_MAX = 1000

export function operatorClient({ url, token }: { readonly url: string; readonly token: string }): OperatorClient {
  async function exchange(
    id: OperatorOperationId,
    input: AnyInput,
    { file, onProgress, idempotencyKey }: ExchangeOptions = {},
  ) {
    const { method, path, body } = operatorOperations[id]
    const json = body === null ? null : JSON.stringify(input.body ?? {})
    // Not fetch: it aborts an upload whose response takes five minutes.
    const request = send(`${url}${addressOf(path, input)}`, {
      method,
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        ...(ACCOUNT !== null && { 'vitrine-account': ACCOUNT }),
        ...(json !== null && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
        ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
    })
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    if (file === undefined) request.end(json ?? undefined)
    else await Promise.race([answered, sendFile(file, request, onProgress)])
    const [response] = await answered
    if (response.statusCode === 200) return response
    throw new OperatorRefusal(JSON.parse(await text(response)) as PublicErrorResponse, input, operatorOperations[id])
  }

  async function answer<Id extends OperatorOperationId>(...asked: Parameters<typeof exchange>): Promise<Answer<Id>> {
    const answered = await exchange(...asked)
      .then(text)
      .catch(explainLost(asked[0], asked[2]?.idempotencyKey))
    return (JSON.parse(answered) as { data: Answer<Id> }).data
  }

  return {
    call: (id, input = {}, idempotencyKey) => answer(id, input as AnyInput, { idempotencyKey }),
    upload: (id, file, input, onProgress) => answer(id, input as AnyInput, { file, onProgress }),
    download: (id, input) => exchange(id, input as AnyInput),
    async list(id, query, limit = LIST_MAX, params = {} as never) {
      const items: Item<typeof id>[] = []
      let cursor: string | null = null
      do {
        const page = { ...query, limit: Math.min(PAGE_MAX, limit - items.length), ...(cursor !== null && { cursor }) }
        const found = (await answer(id, { params, query: page } as AnyInput)) as {
          items: Item<typeof id>[]
          nextCursor: string | null
        }
        items.push(...found.items)
        cursor = found.nextCursor
      } while (cursor !== null && items.length < limit)
      return items
    },
  }
}

/** Says of a write whose answer was lost that it may have taken effect. */
function explainLost(id: OperatorOperationId, key?: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (operatorOperations[id].method === 'GET' || !BROKEN_CONNECTION.includes(error.code ?? '')) throw error
    const repeat =
      key === undefined
        ? 'look before you repeat it.'
        : `repeat it with --idempotency-key ${key}, for one effect at most.`
    throw new CommandError(
      `The connection to the server broke before its answer, so the command may have taken effect: ${repeat}`,
      { cause: error },
    )
  }
}

async function sendFile(file: string, request: NodeJS.WritableStream, onProgress: (sent: number) => void = () => {}) {
  const source = createReadStream(file)
  source.on('data', () => onProgress(source.bytesRead))
  await pipeline(source, request)
}

function addressOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, `${each}`]),
  )
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`
}

function sentenceOf(
  { code, message, details, conflict }: PublicErrorResponse,
  input: AnyInput,
  row: OperatorOperation,
): string {
  const isMissing =
    code === 'not_found' || code === 'invalid_identifier' || (details.length > 0 && details.every(isMalformedId))
  const missing = isMissing ? namedIn(input) : undefined
  if (missing !== undefined) return missing
  const firstOfEach = details.filter(
    ({ pointer }, index) => details.findIndex((each) => each.pointer === pointer) === index,
  )
  const faults = firstOfEach.map((detail) => faultOf(detail, row))
  const [only, ...more] = faults
  if (only !== undefined && more.length === 0) return only
  const state = conflict?.currentState
  const allowed = conflict?.allowed?.length ? `; allowed: ${conflict.allowed.join(', ')}` : ''
  const first = state === undefined ? message : `${message} It is ${state}${allowed}.`
  return [first, ...faults.map((fault) => `  ${fault}`)].join('\n')
}

/** The error of a field, with its place. The form that it lacks is shown by an example: the pattern is in the reference. */
function faultOf({ in: place, pointer, code, message }: Detail, row: OperatorOperation): string {
  if (pointer === '' || message.startsWith('There is no ')) return message
  const example = code === 'wrong_format' ? exampleAt(place, pointer, row) : undefined
  return example === undefined ? `${pointer}: ${message}` : `${pointer}: This must have the form of "${example}".`
}

interface AnySchema {
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly items?: AnySchema
  readonly examples?: readonly unknown[]
}

/** The example of a text in the schemas of a row. */
function exampleAt(place: Detail['in'], pointer: string, { params, query, body }: OperatorOperation): unknown {
  const root = place === 'path' ? params : place === 'query' ? query : body
  const at = pointer.split('/').slice(1)
  const schema = at.reduce((found, name) => found?.properties?.[name] ?? found?.items, root as AnySchema | undefined)
  return schema?.examples?.[0]
}

/** Whether an error is a malformed id or slug, which no object can have. */
function isMalformedId({ pointer, message }: Detail): boolean {
  return /(Id|Slug)$/.test(pointer) && /must match pattern|must not have (more|fewer) than/.test(message)
}

/** `There is no store "loom".`, for the last identifier in the path, or else in the query or body. */
function namedIn({ params = {}, query = {}, body }: AnyInput): string | undefined {
  const given = [...Object.entries({ ...(body as object), ...query }), ...Object.entries(params)]
  const [name, value] = given.findLast(([each]) => /(Id|Slug|^store)$/.test(each)) ?? []
  if (name === undefined) return undefined
  const noun = name.replace(/(Id|Slug)$/, '').replace(/^sku$/, 'SKU')
  return `There is no ${noun} "${value}".`
}
