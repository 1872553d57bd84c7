import { limits } from '@vitrine/contract'

/** How a call ended. */
export interface Answered {
  readonly kind: 'answered'
  readonly httpStatus: number
  /** What the endpoint asked us to wait, where it did. Milliseconds. */
  readonly retryAfterMs: number | null
}
/** No answer that counts. `error` is a fixed sentence, which names no address. */
export interface Unanswered {
  readonly kind: 'unanswered'
  readonly error: string
}
/** The worker was told to stop, or died. It says nothing of the endpoint. */
export interface Interrupted {
  readonly kind: 'interrupted'
  readonly error: string
}
export type Outcome = Answered | Unanswered | Interrupted

/** What becomes of a delivery after an attempt. */
export type NextAttempt =
  | { readonly command: 'succeed' }
  | { readonly command: 'retry'; readonly dueAt: Date }
  | { readonly command: 'give_up'; readonly isGone: boolean }

/** An endpoint may ask for patience, and not for ever. */
const RETRY_AFTER_MAX_MS = 24 * 3_600_000
const GONE = 410

/** Only 2xx is success: a redirect is an answer of somebody else, and is not followed. */
export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.httpStatus >= 200 && outcome.httpStatus <= 299
}

/**
 * What becomes of a delivery after its n-th attempt ended.
 *
 * @param attempts how many attempts there were, with this one
 * @param chance in [0, 1): spreads the tries of deliveries that failed together
 * @see CONTRACT, Webhooks
 */
export function nextAttempt(outcome: Outcome, attempts: number, now: Date, chance: number): NextAttempt {
  if (isSuccess(outcome)) return { command: 'succeed' }
  if (outcome.kind === 'answered' && outcome.httpStatus === GONE) return { command: 'give_up', isGone: true }
  if (attempts >= limits.webhooks.attemptDelaysSeconds.length) return { command: 'give_up', isGone: false }
  if (outcome.kind === 'interrupted') return { command: 'retry', dueAt: now }

  const asked = outcome.kind === 'answered' ? Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS) : 0
  return { command: 'retry', dueAt: new Date(now.getTime() + Math.max(delayMs(attempts, chance), asked)) }
}

/** How long to wait after so many attempts, ±10 %. Milliseconds. */
function delayMs(attempts: number, chance: number): number {
  const { attemptDelaysSeconds, jitterPercent } = limits.webhooks
  const seconds = attemptDelaysSeconds[attempts] ?? 0
  const factor = 1 + ((2 * chance - 1) * jitterPercent) / 100
  return Math.round(seconds * 1000 * factor)
}

/**
 * Reads Retry-After: seconds, or a date of HTTP. Milliseconds from now; `null` where it says neither.
 *
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const date = /GMT$/.test(header.trim()) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime())
}
