import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../kernel/refusal.ts'
import type { Logger } from '../observe/logger.ts'
import type { Metrics } from '../observe/metrics.ts'
import { beginRequest, endRequest, type RequestSpan, within } from '../observe/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What it is counted as. `null`: it is not counted. */
    operation: string | null
    startedAt: number
    /** The code that the caller is told, where the answer is an error. */
    errorCode: string
    span: RequestSpan | null
  }
}

export interface Watch {
  readonly log: Logger
  readonly metrics: Metrics
  /** What requests are counted as before anybody knows which operation they are. */
  readonly unnamed: string | null
}

/**
 * Watches what a door answers, the same on each: the id that the caller is given, the time until the last byte, the error by its
 * code, the end of the span, and a line of the log at the level `debug`.
 */
export function instrumentRequests(app: FastifyInstance, { log, metrics, unnamed }: Watch): void {
  const logsAnswers = log.isLevelEnabled('debug')
  app.decorateRequest('operation', unnamed)
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('errorCode', '')
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, span, errorCode } = request
    if (operation === null) return done()
    const seconds = (performance.now() - request.startedAt) / 1000
    metrics.answered(operation, reply.statusCode, errorCode, seconds)
    if (logsAnswers) {
      const answer = { requestId: request.id, operationId: operation, status: reply.statusCode, ms: seconds * 1000 }
      within(span, () => log.debug(answer, 'answered'))
    }
    endRequest(span, reply.statusCode, errorCode)
    done()
  })
}

/** Which operation a request is: what it is counted as, and what its span is called, in the words of OpenTelemetry. */
export interface KnownOperation {
  readonly operation: string
  readonly method: string
  /** The path alone: a query may hold anything. */
  readonly path: string
}

/** Says which operation a request is, and begins its span. */
export function beginOperation(request: FastifyRequest, { operation, method, path }: KnownOperation): void {
  const attributes = { 'http.request.method': method, 'http.route': path, 'vitrine.request_id': request.id }
  request.operation = operation
  request.span = beginRequest(operation, attributes, request.headers)
}

export interface Failed {
  readonly failure: unknown
  /** What the caller is told. */
  readonly status: number
  readonly code: string
}

/** Notes that a request is answered with an error, in its span: a fault of ours with all that is known, a refusal at `debug`. */
export function recordFailure(request: FastifyRequest, log: Logger, { failure, status, code }: Failed): void {
  request.errorCode = code
  const { id: requestId, operation: operationId } = request
  const isRefused = failure instanceof Refusal
  within(request.span, () => {
    if (status >= 500 && !isRefused) log.error({ err: failure, requestId, operationId }, 'request failed')
    else
      log.debug(
        { requestId, operationId, code, reason: isRefused ? failure.facts.reason : undefined },
        'request refused',
      )
  })
}
