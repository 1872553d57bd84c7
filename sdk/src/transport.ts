import { AnswerTimeout, UnreadableAnswer, VitrineError } from './errors.ts'
import type { PublicErrorResponse } from './generated/resources.ts'

/** Limits of the attempts of one call. */
export interface RetryOptions {
  /** Attempts at most. Default 5; 1 never retries. */
  readonly attemptsMax?: number
  /** How long one attempt may take. Default 15 seconds. */
  readonly timeoutMs?: number
  /** How long all attempts and the waits between them may take. Default 45 seconds. */
  readonly budgetMs?: number
}

/** Time, replaceable in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(milliseconds: number): Promise<void>
  /** Calls `expire` after a time. @returns a function that cancels it */
  timeout(milliseconds: number, expire: () => void): () => void
}

/** The options of every client of the service. */
export interface TransportOptions {
  /** Defaults to the platform's `fetch`. */
  readonly fetch?: typeof fetch
  readonly retry?: RetryOptions
  /** Defaults to the system clock. */
  readonly clock?: Clock
  /** From 0 to 1, for the jitter of waits. Defaults to `Math.random`. */
  readonly random?: () => number
}

/** A request, and whether it can be sent again. */
export interface PreparedRequest {
  readonly method: string
  /** Without a query. */
  readonly url: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /**
   * Sending it twice has one effect: it reads, it has an idempotency key, or it asks for tokens, whose repetition by the same key
   * the server recognizes. Any other request is sent once.
   */
  readonly isRepeatable: boolean
  /** The credentials of one attempt, with the server's nonce. */
  readonly authorize?: (nonce: string | undefined) => Promise<Readonly<Record<string, string>>>
  /** The member that every successful answer has. */
  readonly member: string
}

export interface Transport {
  /** @returns the body of the successful answer */
  send(request: PreparedRequest, signal?: AbortSignal): Promise<object>
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  timeout(milliseconds, expire) {
    const timer = setTimeout(expire, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** A failed attempt. */
interface Failure {
  readonly error: unknown
  /** How long to wait before the next attempt: as the server says, or `null` for a growing delay. */
  readonly retry: 'never' | { readonly afterMs: number | null }
}

const DELAY_MS = 250
const DELAY_MS_MAX = 8_000
/** Statuses of a gateway whose upstream is temporarily unavailable, or overloaded. */
const GATEWAY = [429, 502, 503, 504]

/** Sends requests, and repeats them where that is safe and the answer allows it. */
export function transport(options: TransportOptions): Transport & { readonly clock: Clock } {
  const { clock = systemClock, random = Math.random } = options
  const { attemptsMax = 5, timeoutMs = 15_000, budgetMs = 45_000 } = options.retry ?? {}
  const send = options.fetch ?? fetch
  let nonce: string | undefined

  /** Sends the request once and reads the whole response. */
  async function attempt(request: PreparedRequest, timeLeftMs: number, signal: AbortSignal | undefined) {
    const sentNonce = nonce
    const { method, url, query, body } = request
    // Several calls may wait for the same token: the signal of one ends its own wait.
    const authorized = await unlessAborted(request.authorize?.(sentNonce) ?? Promise.resolve({}), signal)
    const headers = { ...request.headers, ...authorized }
    signal?.throwIfAborted()
    const stop = new AbortController()
    const abort = () => stop.abort(signal?.reason)
    signal?.addEventListener('abort', abort)
    const limitMs = Math.min(timeoutMs, timeLeftMs)
    const cancel = clock.timeout(limitMs, () => stop.abort(new AnswerTimeout(url, limitMs)))
    try {
      const response = await send(url + query, {
        method,
        headers,
        signal: stop.signal,
        ...(body !== undefined && { body }),
      })
      nonce = response.headers.get('dpop-nonce') ?? nonce
      const text = await response.text()
      return readAnswer(request, response, text, sentNonce)
    } catch (error) {
      signal?.throwIfAborted()
      // The connection broke, or nothing answered in time.
      return failure(stop.signal.aborted ? stop.signal.reason : error, request.isRepeatable)
    } finally {
      cancel()
      signal?.removeEventListener('abort', abort)
    }
  }

  function readAnswer(request: PreparedRequest, response: Response, text: string, sentNonce: string | undefined) {
    const body = parse(text)
    if (response.ok && body && request.member in body) return { body }
    if (!response.ok && isRefusal(body)) {
      const isNewNonce = nonce !== undefined && nonce !== sentNonce
      return { error: new VitrineError(body), retry: adviceOf(body, request.isRepeatable, isNewNonce) }
    }
    // A truncated answer has a JSON content type. An HTML page means that the URL is wrong.
    const isCut = response.ok && /json/.test(response.headers.get('content-type') ?? '')
    const error = new UnreadableAnswer(request.url, response.status)
    return failure(error, request.isRepeatable && (isCut || GATEWAY.includes(response.status)))
  }

  /** The delay before an attempt: at least what the server asks for, otherwise exponential, with jitter. */
  function delayOf(afterMs: number | null, attempts: number): number {
    if (afterMs !== null) return afterMs + random() * Math.min(afterMs / 10, DELAY_MS)
    return Math.min(DELAY_MS * 2 ** (attempts - 1), DELAY_MS_MAX) * (0.5 + random() / 2)
  }

  return {
    clock,
    async send(request, signal) {
      const endsAt = clock.now() + budgetMs
      for (let attempts = 1; ; attempts += 1) {
        const answer = await attempt(request, endsAt - clock.now(), signal)
        if ('body' in answer) return answer.body
        if (answer.retry === 'never' || attempts >= attemptsMax) throw answer.error
        const delayMs = delayOf(answer.retry.afterMs, attempts)
        if (clock.now() + delayMs >= endsAt) throw answer.error
        if (delayMs > 0) await unlessAborted(clock.sleep(delayMs), signal)
      }
    },
  }
}

function failure(error: unknown, isRetryable: boolean): Failure {
  return { error, retry: isRetryable ? { afterMs: null } : 'never' }
}

/** Whether and when an answer allows another attempt. */
function adviceOf(answer: PublicErrorResponse, isRepeatable: boolean, isNewNonce: boolean): Failure['retry'] {
  const { advice, afterMs } = answer.retry
  if (!isRepeatable) return 'never'
  // Without a new nonce, the answer would be the same.
  if (/use_dpop_nonce$/.test(answer.code)) return isNewNonce ? { afterMs: 0 } : 'never'
  // Other refusals that may be repeated later wait for an event, such as the outcome of a payment.
  const isLimited = answer.status === 429 && advice === 'same_request_later'
  if (advice !== 'same_key' && !isLimited) return 'never'
  return { afterMs: typeof afterMs === 'number' && afterMs >= 0 ? afterMs : null }
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

function isRefusal(body: object | null): body is PublicErrorResponse {
  const { code, retry } = (body ?? {}) as Partial<PublicErrorResponse>
  return typeof code === 'string' && typeof retry?.advice === 'string'
}

/** Waits, unless the caller aborts. */
function unlessAborted<Value>(waiting: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return waiting
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    waiting.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
