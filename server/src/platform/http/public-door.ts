import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@vitrine/contract'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Logger } from '../observe/logger.ts'
import type { Metrics } from '../observe/metrics.ts'
import { within } from '../observe/tracing.ts'
import { type ErrorAnswer, errorAnswerOf } from './errors.ts'
import { beginOperation, instrumentRequests, recordFailure } from './instrumentation.ts'
import { asOAuthRefusal, withOAuthFields } from './oauth-errors.ts'
import { runBody, runHead } from './pipeline.ts'
import { newRequestContext, type PipelineDeps, type RequestContext, type Route } from './request-context.ts'
import { EXPOSED_HEADERS, OPEN_TO_ALL } from './response-cache.ts'
import { serveCached } from './serve-cached.ts'

const { bodyBytesMax } = limits.requests
/** Longer than any slug or id that we give out, so that a longer one is simply not found. */
const PATH_SEGMENT_CHARACTERS_MAX = 300
/** Whoever needs longer to send a megabyte keeps a connection for nothing. */
const REQUEST_MS_MAX = 60_000
/** As long as load balancers keep a connection that nobody uses, and a little longer: they should be the first to close it. */
const IDLE_MS_MAX = 72_000
const PREFLIGHT_MAX_AGE_SECONDS = 600

const FOR_ONE_CALLER = { 'cache-control': 'private, no-store' }
const ALLOWED_HEADERS =
  'Authorization, DPoP, Content-Type, Idempotency-Key, X-Store-Access, Accept-Language, If-None-Match'

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext | null
  }
}

export interface PublicDoorDeps {
  readonly deps: PipelineDeps
  readonly routes: readonly Route[]
  readonly log: Logger
  readonly metrics: Metrics
  /** Whether scripts of an origin may call with any installation's credentials. */
  readonly isKnownOrigin: (origin: string) => Promise<boolean>
}

/** The public door: exactly the rows, everything else is 404. */
export function publicDoor(parts: PublicDoorDeps): FastifyInstance {
  const { deps, routes, log, metrics } = parts
  const logsAnswers = log.isLevelEnabled('debug')
  const answersAtOnce = serveCached(deps, metrics)
  const app = fastify({
    bodyLimit: bodyBytesMax,
    logger: false,
    genReqId: () => deps.ids.next('req'),
    requestIdHeader: false,
    serverFactory: (handler) =>
      // A Host that is missing is refused below in our own words; Node's answer has no body.
      createServer(
        { requireHostHeader: false, requestTimeout: REQUEST_MS_MAX, keepAliveTimeout: IDLE_MS_MAX },
        (request, response) => {
          if (logsAnswers || !answersAtOnce(request, response)) handler(request, response)
        },
      ),
    routerOptions: { maxParamLength: PATH_SEGMENT_CHARACTERS_MAX },
    // While we drain, what comes on an open connection is still answered, and the connection closed behind it.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerBrokenRequest(deps, error, socket as Socket),
    frameworkErrors: (_error, request, reply) =>
      sendFailure(reply as FastifyReply, errorAnswerOf(new Refusal('not_found'), request.id)),
  })
  // Bodies arrive as bytes: the pipeline reads them after it knows who is asking.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.decorateRequest('requestContext', null)
  instrumentRequests(app, { log, metrics, unnamed: 'none' })
  app.addHook('onRequest', (request, _reply, done) => {
    done(lacksHost(request.raw) ? new Refusal('validation_failed', { details: [hostRequired] }) : undefined)
  })

  // RFC 9110 §10.1.1: an expectation may be passed over. Node would answer 417, which the contract does not have.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  for (const route of routes) addRoute(app, parts, route)
  for (const [path, rows] of byPath(routes)) addPreflight(app, parts, path, rows)

  app.setNotFoundHandler((request, reply) => answerFailure(parts, request, reply, new Refusal('not_found')))
  app.setErrorHandler((error, request, reply) => answerFailure(parts, request, reply, refusalOfFramework(error)))
  return app
}

/** @see RFC 9112 §3.2 */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined
}

const hostRequired = {
  in: 'header',
  pointer: 'Host',
  code: 'required',
  message: 'HTTP/1.1 asks for a Host header.',
} as const

function addRoute(app: FastifyInstance, { deps, isKnownOrigin }: PublicDoorDeps, route: Route): void {
  app.route({
    method: route.row.method,
    url: fastifyPath(route.row.path),
    onRequest: async (request, reply) => {
      // The router takes `/carts/` for a cart without an id: that is no path of ours.
      if (Object.values(request.params as object).includes('')) refuse('not_found')
      const context = newRequestContext(deps, route, request, reply)
      request.requestContext = context
      beginOperation(request, { operation: route.operationId, ...route.row })
      reply.headers(route.kind === 'P' ? OPEN_TO_ALL : FOR_ONE_CALLER)
      const { origin } = request.headers
      // A client in a browser must be able to read the nonce that it is told before anybody knows which client it is.
      if (isOAuth(route) && origin !== undefined && (await isKnownOrigin(origin))) context.origins = [origin]
      await within(request.span, () => runHead(context))
      if (reply.sent) return reply
    },
    handler: async (request, reply) => {
      const context = request.requestContext as RequestContext
      await within(request.span, () => runBody(context))
      if (reply.sent) return reply
      allowOrigin(context)
      return reply.header('content-type', 'application/json; charset=utf-8').send(context.answer)
    },
  })
}

function isOAuth({ row }: Route): boolean {
  return row.auth.kind === 'oauth'
}

/** `/carts/{cartId}` as the router spells it. */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  return Map.groupBy(routes, (route) => route.row.path)
}

/** CORS: public reads are open to all, other answers to the origins of the installation that asks. */
function allowOrigin(context: RequestContext): void {
  const { origin } = context.request.headers
  if (origin === undefined || !context.origins.includes(origin)) return
  context.reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', EXPOSED_HEADERS)
    .header('vary', 'Origin')
}

/** @see Fetch Standard, CORS-preflight request */
function addPreflight(app: FastifyInstance, parts: PublicDoorDeps, path: string, routes: readonly Route[]): void {
  const open = routes.every((route) => route.kind === 'P')
  const methods = routes.map((route) => route.row.method).join(', ')
  app.options(fastifyPath(path), async (request, reply) => {
    const { origin } = request.headers
    const allowed = open ? '*' : origin !== undefined && (await parts.isKnownOrigin(origin)) ? origin : null
    if (allowed !== null) {
      reply
        .header('access-control-allow-origin', allowed)
        .header('access-control-allow-methods', methods)
        .header('access-control-allow-headers', ALLOWED_HEADERS)
        .header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS)
    }
    return reply.header('vary', 'Origin').code(204).send()
  })
}

function answerFailure(parts: PublicDoorDeps, request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  const speaksOAuth = request.requestContext ? isOAuth(request.requestContext.route) : false
  const failure = speaksOAuth ? asOAuthRefusal(thrown) : thrown
  const answer = errorAnswerOf(failure, request.id, request.requestContext?.route.row)
  const { status, headers, body } = speaksOAuth ? withOAuthFields(answer) : answer
  recordFailure(request, parts.log, { failure, status, code: body.code })
  if (request.requestContext) allowOrigin(request.requestContext)
  sendFailure(reply, { status, headers, body })
}

function sendFailure(reply: FastifyReply, { status, headers, body }: ErrorAnswer): void {
  reply
    .removeHeader('content-encoding')
    .removeHeader('etag')
    .code(status)
    .header('x-request-id', body.requestId)
    .header('cache-control', 'private, no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .headers(headers)
    .send(JSON.stringify(body))
}

/** What the framework refuses before our steps see it, in our words. */
function refusalOfFramework(error: unknown): unknown {
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Refusal('payload_too_large', {
      details: [
        { in: 'body', pointer: '', code: 'too_large', message: 'At most 1 MiB.', params: { max: bodyBytesMax } },
      ],
    })
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupported_media_type')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal('validation_failed', { reason: code ?? 'framework' })
  }
  return error
}

/** What is not HTTP, or too much of it, gets our error body too, and the connection ends. */
function answerBrokenRequest(deps: PipelineDeps, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = deps.ids.next('req')
  const { body } = errorAnswerOf(new Refusal('validation_failed', { reason: error.code ?? 'broken' }), requestId)
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}
