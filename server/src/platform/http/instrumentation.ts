import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Logger } from '../observe/logger.ts'
import type { Metrics } from '../observe/metrics.ts'
import { type SecurityLog, securityLog } from '../observe/security-log.ts'
import { beginRequest, endRequest, type RequestSpan, within } from '../observe/tracing.ts'
import { clientAddress, type TrustedProxies } from './client-address.ts'

declare module 'fastify' {
  interface FastifyInstance {
    security: SecurityLog
    trustedProxies: TrustedProxies
  }
  interface FastifyRequest {
    /** The label in metrics. `null`: not counted. */
    operation: string | null
    startedAt: number
    /** The code of an error response, else ''. */
    errorCode: string
    span: RequestSpan | null
  }
}

interface InstrumentationDeps {
  readonly log: Logger
  readonly metrics: Metrics
  readonly clock: Clock
  readonly trustedProxies: TrustedProxies
  /** The label in metrics of requests that match no operation; `null`: not counted. */
  readonly unnamed: string | null
}

/**
 * Instruments the requests of a door: X-Request-Id, duration until the last byte, error code, end of the span, and a log
 * line at level `debug`.
 */
export function instrumentRequests(app: FastifyInstance, deps: InstrumentationDeps): void {
  const { log, metrics, clock, unnamed, trustedProxies } = deps
  const logsRequests = log.isLevelEnabled('debug')
  app.decorate('security', securityLog({ log, metrics, clock }))
  app.decorate('trustedProxies', { getter: () => trustedProxies })
  app.decorateRequest('operation', unnamed)
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('errorCode', '')
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, span, errorCode } = request
    if (operation === null) return done()
    const seconds = (performance.now() - request.startedAt) / 1000
    metrics.answered(operation, reply.statusCode, errorCode, seconds)
    if (logsRequests) {
      const answer = { requestId: request.id, operationId: operation, status: reply.statusCode, ms: seconds * 1000 }
      within(span, () => log.debug(answer, 'answered'))
    }
    endRequest(span, reply.statusCode, errorCode)
    done()
  })
}

/** The operation of a request: the label in metrics and the name of the span. */
interface KnownOperation {
  readonly operation: string
  readonly method: string
  /** Without the query, which may contain personal data. */
  readonly path: string
}

/** Sets the operation of a request and begins its span. */
export function beginOperation(request: FastifyRequest, { operation, method, path }: KnownOperation): void {
  const attributes = { 'http.request.method': method, 'http.route': path, 'vitrine.request_id': request.id }
  request.operation = operation
  request.span = beginRequest(operation, attributes, request.headers)
}

interface FailedRequest {
  readonly failure: unknown
  /** The status of the response. */
  readonly status: number
  readonly code: string
  /** The displayable part of the credential, if any. */
  readonly who?: string | undefined
}

/** Logs a failed request in its span: an internal error in full, a refusal at level `debug`. */
export function recordFailure(request: FastifyRequest, log: Logger, failed: FailedRequest): void {
  const { failure, status, code, who } = failed
  request.errorCode = code
  const { id: requestId, operation: operationId } = request
  const isRefused = failure instanceof Refusal
  within(request.span, () => {
    if (isRefused) {
      const { security, trustedProxies } = request.server
      security.refused(failure, { requestId, operationId, who, address: clientAddress(request.raw, trustedProxies) })
    }
    if (status >= 500 && !isRefused) log.error({ err: failure, requestId, operationId }, 'request failed')
    else
      log.debug(
        { requestId, operationId, code, reason: isRefused ? failure.facts.reason : undefined },
        'request refused',
      )
  })
}
