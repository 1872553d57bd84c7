import type { ErrorCode, PublicErrorResponse } from './generated/resources.ts'

/**
 * A refusal: the server's answer with the code, the outcome and what to do next.
 *
 * @example
 * ```ts
 * catch (error) {
 *   if (error instanceof VitrineError && error.is('cart_locked', 'cart_converted')) …
 * }
 * ```
 */
export class VitrineError extends Error {
  override readonly name = 'VitrineError'
  /** The complete answer. */
  readonly answer: PublicErrorResponse
  /** What was refused. New codes may be added in v1. */
  readonly code: PublicErrorResponse['code']

  constructor(answer: PublicErrorResponse) {
    super(`${answer.code}: ${answer.message}`)
    this.answer = answer
    this.code = answer.code
  }

  /** Whether the effect of the request happened. */
  get outcome(): PublicErrorResponse['outcome'] {
    return this.answer.outcome
  }

  /** What to do next, and how long to wait first. */
  get retry(): PublicErrorResponse['retry'] {
    return this.answer.retry
  }

  /** The id under which the server has logged the request. */
  get requestId(): string {
    return this.answer.requestId
  }

  /** Whether it has one of these codes. Narrows `code` to them. */
  is<Code extends ErrorCode>(...codes: readonly Code[]): this is this & { readonly code: Code } {
    return (codes as readonly string[]).includes(this.code)
  }
}

/** The response is not from the API: it came from a gateway, or the URL is wrong. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
  readonly status: number

  constructor(url: string, status: number) {
    super(`${url} answered ${status} with something other than an API response.`)
    this.status = status
  }
}

/** Nothing answered in time. Whether a write took effect is unknown: send it again with the same `idempotencyKey`. */
export class AnswerTimeout extends Error {
  override readonly name = 'AnswerTimeout'

  constructor(url: string, timeoutMs: number) {
    super(`${url} did not answer within ${timeoutMs} ms.`)
  }
}
