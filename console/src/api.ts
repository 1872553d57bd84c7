import { routes } from 'virtual:operator-routes'
import type { InputOf, OutputOf, PublicErrorResponse } from '@vitrine/contract'
import type { OperatorOperationId, OperatorRefusalCode, operatorOperations } from '@vitrine/contract/operator'

type Rows = typeof operatorOperations
type Input<Id extends OperatorOperationId> = {
  readonly params?: InputOf<Rows[Id]>['params']
  readonly query?: Partial<InputOf<Rows[Id]>['query']>
  readonly body?: InputOf<Rows[Id]>['body']
}

/** The error response of the operator API: one pointer and reason for each invalid field. */
export type OperatorError = Omit<PublicErrorResponse, 'code'> & {
  readonly code: PublicErrorResponse['code'] | OperatorRefusalCode
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly answer: OperatorError

  constructor(answer: OperatorError) {
    super(answer.message)
    this.answer = answer
  }
}

/** Called when the session has ended, so that the console shows the sign-in page. */
let onSignedOut: () => void = () => {}
export function whenSignedOut(act: () => void): void {
  onSignedOut = act
}

/** Calls an operation of the operator API. */
export async function call<Id extends OperatorOperationId>(
  operationId: Id,
  { params, query, body }: Input<Id> = {},
): Promise<OutputOf<Rows[Id]>> {
  const [method, path] = routes[operationId] as readonly [string, string]
  const response = await fetch(addressOf(path, params ?? {}, query ?? {}), {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return answerOf(response)
}

/** Uploads a file and reports the progress. */
export function upload<Id extends OperatorOperationId>(
  operationId: Id,
  file: File,
  { params, query }: Input<Id>,
  onProgress: (sent: number, total: number) => void,
): Promise<OutputOf<Rows[Id]>> {
  const [method, path] = routes[operationId] as readonly [string, string]
  const { promise, resolve, reject } = Promise.withResolvers<OutputOf<Rows[Id]>>()
  // fetch does not report upload progress.
  const request = new XMLHttpRequest()
  request.open(method, addressOf(path, params ?? {}, query ?? {}))
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total)
  request.onload = () => {
    const response = new Response(request.responseText, { status: request.status })
    answerOf<OutputOf<Rows[Id]>>(response).then(resolve, reject)
  }
  request.onerror = () => reject(new TypeError('The server cannot be reached.'))
  request.send(file)
  return promise
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) {
    const envelope = answer as { data: unknown; meta?: unknown }
    return ('meta' in envelope ? envelope : envelope.data) as Answer
  }
  if (answer === null) throw new Error(`The server responded with status ${response.status} and no error message.`)
  const refused = new ApiError(answer as OperatorError)
  if (refused.answer.code === 'session_required') onSignedOut()
  throw refused
}

function addressOf(path: string, params: object, query: object): string {
  const filled = Object.entries(params).reduce(
    (whole, [name, value]) => whole.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each))
  }
  return search.size > 0 ? `${filled}?${search}` : filled
}
