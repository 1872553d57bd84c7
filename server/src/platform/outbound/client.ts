import { Resolver } from 'node:dns/promises'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { traceHeaders } from '../observe/tracing.ts'
import { isPublicAddress } from './public-address.ts'
import { type AllowedTargets, targetKey, targetProblem } from './target.ts'

/** A POST to a third party. */
interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A response. Its body is read up to a limit and discarded. */
export interface OutboundResponse {
  readonly kind: 'answered'
  readonly status: number
  readonly retryAfter: string | undefined
}
/** Why there is no response, without addresses: the reason is shown to the integrator who chose the target. */
export interface NoResponse {
  readonly kind: 'unanswered'
  readonly reason: NoResponseReason
}
type NoResponseReason = keyof typeof NO_RESPONSE_MESSAGES

/** Messages for integrators. */
export const NO_RESPONSE_MESSAGES = {
  timeout: 'No complete response arrived in time.',
  connection_failed: 'The connection could not be established.',
  connection_lost: 'The connection was lost before the response was complete.',
  name_not_resolved: 'The host name could not be resolved.',
  target_not_allowed: 'The host is not on the public internet.',
  tls_failed: 'The certificate of the host is not valid.',
  answer_invalid: 'The response was not valid HTTP, or its headers were too long.',
  stopped: 'The request was interrupted by a shutdown.',
} as const

/** Resolves a host name. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface OutboundHttpSettings {
  readonly allowed: AllowedTargets
  /** For the whole request: DNS, connection, sending and the last byte of the response. */
  readonly timeoutMs: number
  readonly resolve?: Resolve
  /** Additional trusted certificates, as PEM. For tests. */
  readonly ca?: string
}

/** HTTP to hosts that third parties choose. */
export interface OutboundHttp {
  /** Sends the request at most once: without a response it may still have been read, even on a connection that was idle before. */
  post(message: OutboundRequest, signal?: AbortSignal): Promise<OutboundResponse | NoResponse>
  /** Connects to the host of a URL, and sends nothing. @returns why there is no connection; `null`: there is one */
  connect(url: string): Promise<NoResponseReason | null>
  close(): void
}

const RESPONSE_BYTES_MAX = 65_536
const RESPONSE_HEADER_BYTES_MAX = 16_384
/** @see RFC 9110 §15 */
const STATUS_MIN = 100
const STATUS_MAX = 599
/** Idle connections: how many per host, and for how long. */
const IDLE_PER_HOST_MAX = 5
const IDLE_MS = 4_000

/** A name that resolves to an address outside of the public internet. */
class NotPublic extends Error {
  readonly code = 'NOT_PUBLIC'
}

/**
 * HTTP client for third-party hosts. Except for allowed hosts it uses https only and connects to public addresses only. It
 * uses no proxy and follows no redirects. A name is resolved once per connection, and exactly that address is connected to,
 * which prevents DNS rebinding.
 */
export function outboundHttp(settings: OutboundHttpSettings): OutboundHttp {
  const { allowed, timeoutMs, resolve = dnsResolver(), ca } = settings
  const agentOptions = {
    keepAlive: true,
    maxFreeSockets: IDLE_PER_HOST_MAX,
    timeout: IDLE_MS,
    scheduling: 'lifo',
  } as const
  // Separate agents ignore proxies of the environment.
  const plain = new HttpAgent(agentOptions)
  const secure = new HttpsAgent({ ...agentOptions, rejectUnauthorized: true, ...(ca !== undefined && { ca }) })
  const lookup = guardedLookup(resolve)

  function open(url: URL, message: OutboundRequest): ClientRequest {
    const isSecure = url.protocol === 'https:'
    const options = {
      method: 'POST',
      agent: isSecure ? secure : plain,
      headers: { ...message.headers, ...traceHeaders(), 'content-length': message.body.byteLength },
      maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
      // Allowed hosts are resolved by the system.
      ...(!allowed.has(targetKey(url)) && { lookup }),
    }
    return isSecure ? requestHttps(url, options) : requestHttp(url, options)
  }

  async function post(message: OutboundRequest, signal?: AbortSignal): Promise<OutboundResponse | NoResponse> {
    // Not in `lookup`, which is not called for IP addresses.
    if (targetProblem(message.url, allowed) !== null) return { kind: 'unanswered', reason: 'target_not_allowed' }
    const url = new URL(message.url)
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort('timeout'), timeoutMs)
    const stop = () => abort.abort('stopped')
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    try {
      return await send(open(url, message), message.body, abort.signal)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  async function connect(target: string): Promise<NoResponseReason | null> {
    if (targetProblem(target, allowed) !== null) return 'target_not_allowed'
    const url = new URL(target)
    // Headers are sent with the body, which never follows.
    const request = open(url, { url: target, headers: {}, body: new Uint8Array() })
    const { promise, resolve: settle } = Promise.withResolvers<NoResponseReason | null>()
    const timer = setTimeout(() => settle('timeout'), timeoutMs)
    request.on('error', (error) => settle(reasonOf(error)))
    request.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => settle(null))
    })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      request.destroy()
    }
  }

  return {
    post,
    connect,
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** Sends one request and waits until the response is complete, exceeds the limit, or times out. */
function send(request: ClientRequest, body: Uint8Array, ended: AbortSignal): Promise<OutboundResponse | NoResponse> {
  return new Promise((settle) => {
    let received: IncomingMessage | null = null
    const finish = (result: OutboundResponse | NoResponse) => {
      ended.removeEventListener('abort', cancel)
      settle(result)
    }
    const fail = (reason: NoResponseReason) => finish({ kind: 'unanswered', reason })
    const cancel = () => {
      fail(ended.reason as NoResponseReason)
      request.destroy()
    }
    const complete = (response: IncomingMessage) => {
      const status = response.statusCode ?? 0
      // The parser accepts any three digits.
      if (status < STATUS_MIN || status > STATUS_MAX) fail('answer_invalid')
      else finish({ kind: 'answered', status, retryAfter: response.headers['retry-after'] })
    }

    request.on('error', (error: NodeJS.ErrnoException) => {
      fail(received ? 'connection_lost' : reasonOf(error))
    })
    // After a protocol upgrade there is no error, only this event.
    request.on('close', () => fail('connection_lost'))
    request.on('response', (response) => {
      received = response
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= RESPONSE_BYTES_MAX) return
        complete(response)
        request.destroy()
      })
      response.on('end', () => complete(response))
      response.on('error', () => fail('connection_lost'))
      response.on('close', () => fail('connection_lost'))
    })
    ended.addEventListener('abort', cancel, { once: true })
    if (ended.aborted) cancel()
    else request.end(body)
  })
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

/** Resolves a name, rejects it if any of its addresses is not public, and returns exactly the checked addresses. */
function guardedLookup(resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) return callback(notResolved('the name has no address'), [])
        if (!addresses.every(isPublicAddress)) return callback(new NotPublic('the address is not public'), [])
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        if (options.all) return callback(null, found)
        callback(null, first, found[0]?.family)
      },
      () => callback(notResolved('the name could not be resolved'), []),
    )
  }
}

function notResolved(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: 'NOT_RESOLVED' })
}

const RESOLVE_TIMEOUT_MS = 2000
const RESOLVE_TRIES = 2

/**
 * Queries the name servers directly: `getaddrinfo` blocks one of the few threads that also hash passwords, so that one slow
 * name server would delay all requests.
 */
function dnsResolver(): Resolve {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: RESOLVE_TRIES })
  return async (name) => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return [...(ipv4.status === 'fulfilled' ? ipv4.value : []), ...(ipv6.status === 'fulfilled' ? ipv6.value : [])]
  }
}
