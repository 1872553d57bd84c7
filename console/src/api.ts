import { routes } from 'virtual:operator-routes'
import type { InputOf, OutputOf, PublicErrorResponse } from '@vitrine/contract'
import type { OperatorOperationId, OperatorRefusalCode, operatorOperations } from '@vitrine/contract/operator'
import { locale, translate } from './language.ts'

type Rows = typeof operatorOperations
type Input<Id extends OperatorOperationId> = {
  readonly params?: InputOf<Rows[Id]>['params']
  readonly query?: Partial<InputOf<Rows[Id]>['query']>
  readonly body?: InputOf<Rows[Id]>['body']
}

/** The error response of the operator API: one pointer and reason for each invalid field. */
type OperatorError = Omit<PublicErrorResponse, 'code'> & {
  readonly code: PublicErrorResponse['code'] | OperatorRefusalCode
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly response: OperatorError

  constructor(response: OperatorError) {
    super(response.message)
    this.response = response
  }
}

/** A change without an answer of the server: it may have been made. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** `repeat`: the same request takes effect only once. */
  readonly next: 'repeat' | 'check'

  constructor(message: string, next: 'repeat' | 'check') {
    super(message)
    this.next = next
  }
}

type Unanswered = NoAnswer['next'] | ''

function noAnswer(message: string, next: Unanswered): Error {
  return next ? new NoAnswer(message, next) : new Error(message)
}

/** Called when the session has ended, so that the console shows the sign-in page. */
let onSignedOut: () => void = () => {}
export function setSignedOutHandler(handler: () => void): void {
  onSignedOut = handler
}

/** Called when an operation requires a fresh proof of identity. Resolves to `true` once the operator has given one. */
let askForProof: () => Promise<boolean> = async () => false
export function setProofHandler(handler: () => Promise<boolean>): void {
  askForProof = handler
}

/** Calls an operation of the operator API. If it requires a fresh proof of identity, asks the operator for one and calls it again. */
export async function call<Id extends OperatorOperationId>(
  operationId: Id,
  input: Input<Id> = {},
): Promise<OutputOf<Rows[Id]>> {
  try {
    return await send(operationId, input)
  } catch (error) {
    const needsProof = error instanceof ApiError && error.response.code === 'fresh_proof_required'
    if (!needsProof || !(await askForProof())) throw error
    return send(operationId, input)
  }
}

/** The requests that failed so far. After one, the page may be outdated: the change may have been made, or another operator was faster. */
let failures = 0
export const failuresSoFar = () => failures

/** The keys of requests without an answer. The same request gets the same key again, so that its effect happens once. */
const unanswered = new Map<string, string>()

async function send<Id extends OperatorOperationId>(
  operationId: Id,
  { params, query, body }: Input<Id>,
): Promise<OutputOf<Rows[Id]>> {
  const [method, path, , , , next] = routes[operationId]!
  const request = JSON.stringify([operationId, params, query, body])
  const url = urlOf(path, params ?? {}, query ?? {})
  const key = unanswered.get(request) ?? newKey()
  if (method !== 'GET') unanswered.set(request, key)
  const response = await fetch(url, {
    method,
    // The language of emails to operators.
    headers: {
      'accept-language': locale,
      ...(method !== 'GET' && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    failures += 1
    throw noAnswer(translate('The server cannot be reached. Is it running?'), next)
  })
  const answer = readResponse<OutputOf<Rows[Id]>>(response, next)
  const forget = () => void unanswered.delete(request)
  // A proxy may answer for a server that has made the change.
  void answer.then(forget, (error: unknown) => error instanceof ApiError && response.status < 500 && forget())
  return answer
}

function newKey(): string {
  // Not `randomUUID`, which a console without HTTPS does not have.
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')
}

/** Uploads a file and reports the progress. */
export function upload<Id extends OperatorOperationId>(
  operationId: Id,
  file: File,
  { params, query }: Input<Id>,
  onProgress: (sent: number, total: number) => void,
): Promise<OutputOf<Rows[Id]>> {
  const [method, path, , , , next] = routes[operationId]!
  const { promise, resolve, reject } = Promise.withResolvers<OutputOf<Rows[Id]>>()
  // fetch does not report upload progress.
  const request = new XMLHttpRequest()
  request.open(method, urlOf(path, params ?? {}, query ?? {}))
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total)
  request.onload = () => {
    const response = new Response(request.responseText, { status: request.status })
    readResponse<OutputOf<Rows[Id]>>(response, next).then(resolve, reject)
  }
  request.onerror = () => {
    failures += 1
    reject(noAnswer(translate('The server cannot be reached. Is it running?'), next))
  }
  request.send(file)
  return promise
}

async function readResponse<Data>(response: Response, next: Unanswered): Promise<Data> {
  const body: unknown = await response.json().catch(() => null)
  if (body === null || !response.ok) failures += 1
  if (body === null) {
    const { status } = response
    const message = translate('The server responded with status {status} and no error message.', { status })
    // A refusal of a proxy, such as 413, has not reached the server.
    throw status >= 400 && status < 500 ? new Error(message) : noAnswer(message, next)
  }
  if (response.ok) {
    const envelope = body as { data: unknown; meta?: unknown }
    return ('meta' in envelope ? envelope : envelope.data) as Data
  }
  const error = new ApiError(body as OperatorError)
  if (error.response.code === 'session_required') onSignedOut()
  throw error
}

function urlOf(path: string, params: object, query: object): string {
  const pathname = Object.entries(params).reduce((filled, [name, value]) => {
    // A URL drops these segments, however they are encoded: the request would reach another operation.
    if (['', '.', '..'].includes(String(value))) throw new Error(translate('“{value}” cannot be used here.', { value }))
    return filled.replace(`{${name}}`, encodeURIComponent(String(value)))
  }, path)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each))
  }
  return search.size > 0 ? `${pathname}?${search}` : pathname
}
