import { limits } from '@vitrine/contract'

/** The endpoint answered. */
export interface Answered {
  readonly kind: 'answered'
  readonly httpStatus: number
  /** The endpoint's Retry-After, in milliseconds. */
  readonly retryAfterMs: number | null
}
/** No usable answer. `error` is a fixed sentence that names no address. */
export interface Unanswered {
  readonly kind: 'unanswered'
  readonly error: string
}
/** The worker stopped or died. This does not count against the endpoint. */
interface Interrupted {
  readonly kind: 'interrupted'
  readonly error: string
}
/** How an attempt ended. */
export type Outcome = Answered | Unanswered | Interrupted

/** What happens to a delivery after an attempt. */
type NextAttempt =
  | { readonly command: 'succeed' }
  | { readonly command: 'retry'; readonly dueAt: Date }
  | { readonly command: 'give_up'; readonly isGone: boolean }

/** The longest Retry-After that is honored. */
const RETRY_AFTER_MAX_MS = 24 * 3_600_000
const GONE = 410

/** Only 2xx is success. Redirects are not followed. */
export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.httpStatus >= 200 && outcome.httpStatus <= 299
}

/**
 * Decides what follows an attempt: success, a retry with backoff, or giving up after the tenth attempt or a 410.
 *
 * @param attempts attempts so far, including this one
 * @param chance in [0, 1): the jitter, which spreads the retries of deliveries that failed together
 * @see docs/reference/rules.md#webhooks
 */
export function nextAttempt(outcome: Outcome, attempts: number, now: Date, chance: number): NextAttempt {
  if (isSuccess(outcome)) return { command: 'succeed' }
  if (outcome.kind === 'answered' && outcome.httpStatus === GONE) return { command: 'give_up', isGone: true }
  if (attempts >= limits.webhooks.attemptDelaysSeconds.length) return { command: 'give_up', isGone: false }
  if (outcome.kind === 'interrupted') return { command: 'retry', dueAt: now }

  const requestedMs = outcome.kind === 'answered' ? Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS) : 0
  const waitMs = Math.max(backoffMs(attempts, chance), requestedMs)
  return { command: 'retry', dueAt: new Date(now.getTime() + waitMs) }
}

/** The scheduled delay after this many attempts, ±10 %. */
function backoffMs(attempts: number, chance: number): number {
  const { attemptDelaysSeconds, jitterPercent } = limits.webhooks
  const seconds = attemptDelaysSeconds[attempts] ?? 0
  const factor = 1 + ((2 * chance - 1) * jitterPercent) / 100
  return Math.round(seconds * 1000 * factor)
}

/**
 * Parses Retry-After, in seconds or as an HTTP date, into milliseconds from now; `null` if it is neither.
 *
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const date = /GMT$/.test(header.trim()) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime())
}
