import { Resolver } from 'node:dns/promises'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { traceHeaders } from '../observe/tracing.ts'
import { isPublicAddress } from './public-address.ts'
import { type AllowedTargets, targetKey, targetProblem } from './target.ts'

/** What is sent to a stranger. */
export interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Their answer. The body is read, up to a limit, and dropped: nothing that a stranger says is kept. */
export interface Answer {
  readonly kind: 'answered'
  readonly status: number
  readonly retryAfter: string | undefined
}
/** Why there is none, in words that name no address, since whoever chose the target is told them. */
export interface NoResponse {
  readonly kind: 'unanswered'
  readonly reason: NoResponseReason
}
export type NoResponseReason = keyof typeof NO_RESPONSE_MESSAGES

/** What an integrator is told. */
export const NO_RESPONSE_MESSAGES = {
  timeout: 'No complete answer came in time.',
  connection_failed: 'No connection could be made.',
  connection_lost: 'The connection was lost before the answer was complete.',
  name_not_resolved: 'The name of the host could not be resolved.',
  target_not_allowed: 'The host is not one of the public internet.',
  tls_failed: 'The certificate of the host was not accepted.',
  answer_invalid: 'The answer was not one of HTTP, or its headers were too long.',
  stopped: 'We stopped before the answer came.',
} as const

/** Finds the addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface OutboundHttpSettings {
  readonly allowed: AllowedTargets
  /** For all of it: name, connection, sending and the last byte of the answer. */
  readonly timeoutMs: number
  readonly resolve?: Resolve
  /** Certificates that are trusted beside those of the system: PEM. For tests. */
  readonly ca?: string
}

/** HTTP to hosts that strangers choose. */
export interface OutboundHttp {
  post(call: OutboundRequest, signal?: AbortSignal): Promise<Answer | NoResponse>
  close(): void
}

const ANSWER_BYTES_MAX = 65_536
const ANSWER_HEADER_BYTES_MAX = 16_384
/** @see RFC 9110 §15 */
const STATUS_MIN = 100
const STATUS_MAX = 599
/** Connections that are kept for the next call: for each host, and how long. */
const KEPT_PER_HOST_MAX = 5
const KEPT_MS = 4_000

/** A name that leads somewhere that we do not call. */
class NotPublic extends Error {
  readonly code = 'NOT_PUBLIC'
}

/**
 * Calls strangers: https alone but for hosts that are allowed, to addresses of the public internet alone, by no proxy, and
 * after no redirect. A name is resolved once for a connection, and that very address is connected to, so that a name whose
 * answer changes between a look and a call gains nothing.
 */
export function outboundHttp(settings: OutboundHttpSettings): OutboundHttp {
  const { allowed, timeoutMs, resolve = resolvePublicly(), ca } = settings
  const keeping = { keepAlive: true, maxFreeSockets: KEPT_PER_HOST_MAX, timeout: KEPT_MS, scheduling: 'lifo' } as const
  // Agents of our own take no proxy from the environment.
  const plain = new HttpAgent(keeping)
  const secure = new HttpsAgent({ ...keeping, rejectUnauthorized: true, ...(ca !== undefined && { ca }) })
  const lookup = guardedLookup(resolve)

  function open(url: URL, call: OutboundRequest): ClientRequest {
    const isSecure = url.protocol === 'https:'
    const options = {
      method: 'POST',
      agent: isSecure ? secure : plain,
      headers: { ...call.headers, ...traceHeaders(), 'content-length': call.body.byteLength },
      maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
      // What the operator allows is found as the machine finds it.
      ...(!allowed.has(targetKey(url)) && { lookup }),
    }
    return isSecure ? requestHttps(url, options) : requestHttp(url, options)
  }

  async function post(call: OutboundRequest, signal?: AbortSignal): Promise<Answer | NoResponse> {
    // Here and not in `lookup`, which is never asked about an address.
    if (targetProblem(call.url, allowed) !== null) return { kind: 'unanswered', reason: 'target_not_allowed' }
    const url = new URL(call.url)
    const ended = new AbortController()
    const timer = setTimeout(() => ended.abort('timeout'), timeoutMs)
    const stop = () => ended.abort('stopped')
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    try {
      const first = await attempt(open(url, call), call.body, ended.signal)
      return first === 'kept_connection_was_closed' ? await lastAttempt(url, call, ended.signal) : first
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  /** On a connection of its own, which nobody can have closed before. */
  async function lastAttempt(url: URL, call: OutboundRequest, ended: AbortSignal): Promise<Answer | NoResponse> {
    const request = open(url, call)
    const answer = await attempt(request, call.body, ended)
    return answer === 'kept_connection_was_closed' ? { kind: 'unanswered', reason: 'connection_lost' } : answer
  }

  return {
    post,
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** Sends one request, and listens until the answer is complete, long enough, or too late. */
function attempt(
  request: ClientRequest,
  body: Uint8Array,
  ended: AbortSignal,
): Promise<Answer | NoResponse | 'kept_connection_was_closed'> {
  return new Promise((settle) => {
    let answered: IncomingMessage | null = null
    const finish = (result: Answer | NoResponse | 'kept_connection_was_closed') => {
      ended.removeEventListener('abort', cut)
      settle(result)
    }
    const fail = (reason: NoResponseReason) => finish({ kind: 'unanswered', reason })
    const cut = () => {
      fail(ended.reason as NoResponseReason)
      request.destroy()
    }
    const complete = (response: IncomingMessage) => {
      const status = response.statusCode ?? 0
      // Three digits are enough for the parser, and 999 is no answer for all that.
      if (status < STATUS_MIN || status > STATUS_MAX) fail('answer_invalid')
      else finish({ kind: 'answered', status, retryAfter: response.headers['retry-after'] })
    }

    request.on('error', (error: NodeJS.ErrnoException) => {
      // It had been kept for us, and its other end closed it at the moment that we used it: nobody has read anything.
      if (request.reusedSocket && answered === null && isLoss(error)) finish('kept_connection_was_closed')
      else fail(answered ? 'connection_lost' : reasonOf(error))
    })
    // An answer that takes the connection over for something else ends here, without an error.
    request.on('close', () => fail('connection_lost'))
    request.on('response', (response) => {
      answered = response
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= ANSWER_BYTES_MAX) return
        complete(response)
        request.destroy()
      })
      response.on('end', () => complete(response))
      response.on('error', () => fail('connection_lost'))
      response.on('close', () => fail('connection_lost'))
    })
    ended.addEventListener('abort', cut, { once: true })
    if (ended.aborted) cut()
    else request.end(body)
  })
}

function isLoss({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

function reasonOf(error: NodeJS.ErrnoException): NoResponseReason {
  const code = error.code ?? ''
  if (code === 'NOT_PUBLIC') return 'target_not_allowed'
  if (code === 'NOT_RESOLVED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_not_resolved'
  if (code.startsWith('HPE_')) return 'answer_invalid'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection_lost'
  if (code === 'ETIMEDOUT') return 'timeout'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return 'tls_failed'
  return 'connection_failed'
}

/** Resolves a name, refuses it where any of its addresses is not public, and hands on exactly those that were looked at. */
function guardedLookup(resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) return callback(withCode('the name has no address', 'NOT_RESOLVED'), [])
        if (!addresses.every(isPublicAddress)) return callback(new NotPublic('an address that is not public'), [])
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        if (options.all) return callback(null, found)
        callback(null, first, found[0]?.family)
      },
      () => callback(withCode('the name could not be resolved', 'NOT_RESOLVED'), []),
    )
  }
}

function withCode(message: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}

const RESOLVE_TIMEOUT_MS = 2000
const RESOLVE_TRIES = 2

/**
 * Asks the name servers by ourselves: `getaddrinfo` waits in one of the few threads that also hash passwords, and a slow name
 * server of one host would delay everybody.
 */
function resolvePublicly(): Resolve {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: RESOLVE_TRIES })
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return [...(four.status === 'fulfilled' ? four.value : []), ...(six.status === 'fulfilled' ? six.value : [])]
  }
}
