import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@vitrine/contract'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { displayOfAccessToken, isAccessToken } from '../auth/access-token.ts'
import { displayOfApiKey, isApiKey } from '../auth/api-key.ts'
import type { Logger } from '../observe/logger.ts'
import type { Metrics } from '../observe/metrics.ts'
import { within } from '../observe/tracing.ts'
import { refuseOverLimit } from '../rate-limit/rate-limiter.ts'
import { addressForLimits, clientAddress } from './client-address.ts'
import { type ErrorResponse, errorResponseOf } from './errors.ts'
import { beginOperation, instrumentRequests, recordFailure } from './instrumentation.ts'
import { asOAuthRefusal, withOAuthFields } from './oauth-errors.ts'
import { runBody, runHead } from './pipeline.ts'
import { proxyWatch } from './proxy-watch.ts'
import { newRequestContext, type PipelineDeps, type RequestContext, type Route } from './request-context.ts'
import { bodyTooLarge, framingFault, parserRefusal } from './request-framing.ts'
import { EXPOSED_HEADERS, PUBLIC_CORS } from './response-cache.ts'
import { serveCached } from './serve-cached.ts'

const { bodyBytesMax } = limits.requests
/** Longer than any slug or id, so that a longer one is simply not found. */
const PATH_SEGMENT_CHARACTERS_MAX = 300
/** A client that needs longer to send a megabyte only occupies a connection. */
const REQUEST_MS_MAX = 60_000
/** A little longer than load balancers keep an idle connection: they should close it first. */
const IDLE_MS_MAX = 72_000
const PREFLIGHT_MAX_AGE_SECONDS = 600

const PRIVATE = { 'cache-control': 'private, no-store' }
const ALLOWED_HEADERS =
  'Authorization, DPoP, Content-Type, Idempotency-Key, X-Store-Access, Accept-Language, If-None-Match'

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext | null
  }
}

interface PublicDoorDeps {
  readonly deps: PipelineDeps
  readonly routes: readonly Route[]
  readonly log: Logger
  readonly metrics: Metrics
  /** Whether any installation has registered the origin. */
  readonly isKnownOrigin: (origin: string) => Promise<boolean>
}

/** The public door: serves exactly the rows of the contract. Everything else is 404. */
export function publicDoor(doorDeps: PublicDoorDeps): FastifyInstance {
  const { deps, routes, log, metrics } = doorDeps
  const logsRequests = log.isLevelEnabled('debug')
  const tryCache = serveCached(deps, metrics)
  const watchProxies = proxyWatch(log, metrics, deps.trustedProxies)
  const app = fastify({
    bodyLimit: bodyBytesMax,
    logger: false,
    genReqId: () => deps.ids.next('req'),
    requestIdHeader: false,
    serverFactory: (handler) =>
      // A missing Host is refused below with an error body, which Node's own response lacks.
      createServer(
        { requireHostHeader: false, requestTimeout: REQUEST_MS_MAX, keepAliveTimeout: IDLE_MS_MAX },
        (request, response) => {
          watchProxies(request)
          if (logsRequests || !tryCache(request, response)) handler(request, response)
        },
      ),
    routerOptions: { maxParamLength: PATH_SEGMENT_CHARACTERS_MAX },
    // While draining, a request on an open connection is still served, and the connection is closed afterwards.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => rejectBrokenRequest(deps, error, socket as Connection),
    frameworkErrors: (_error, request, reply) =>
      sendFailure(reply.headers(PUBLIC_CORS) as FastifyReply, errorResponseOf(new Refusal('not_found'), request.id)),
  })
  // Bodies arrive as bytes. The pipeline parses them after authentication.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.decorateRequest('requestContext', null)
  const { clock, trustedProxies } = deps
  instrumentRequests(app, { log, metrics, clock, trustedProxies, unnamed: 'none' })
  app.addHook('onRequest', (request, reply, done) => {
    const fault = framingFault(request.raw)
    if (request.is404) reply.headers(PUBLIC_CORS)
    // Before the body is read, so that every unknown route and method gets the same response.
    const refusal = request.is404 ? new Refusal('not_found') : undefined
    done(fault ? new Refusal('validation_failed', { details: [fault] }) : refusal)
  })
  answerExpectations(app)

  for (const route of routes) addRoute(app, doorDeps, route)
  for (const [path, rows] of byPath(routes)) addPreflight(app, doorDeps, path, rows)

  app.setNotFoundHandler((request, reply) => sendFailureOf(doorDeps, request, reply, new Refusal('not_found')))
  app.setErrorHandler(async (error, request, reply) => {
    await allowRefusedOrigin(doorDeps, request)
    sendFailureOf(doorDeps, request, reply, refusalOfFramework(error))
    return reply
  })
  return app
}

/** Sends an expected `100 Continue` after authentication, and not if the body is too large. */
function answerExpectations(app: FastifyInstance): void {
  const expecting = new WeakSet<IncomingMessage>()
  app.server.on('checkContinue', (request, response) => {
    expecting.add(request)
    app.server.emit('request', request, response)
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > bodyBytesMax
    if (expecting.has(request.raw) && !isTooLarge) reply.raw.writeContinue()
    done(null, payload)
  })
  // RFC 9110 §10.1.1: another expectation may be ignored. Node would respond with 417, which the contract does not have.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

function addRoute(app: FastifyInstance, { deps, isKnownOrigin }: PublicDoorDeps, route: Route): void {
  app.route({
    method: route.row.method,
    url: fastifyPath(route.row.path),
    onRequest: async (request, reply) => {
      // The router matches `/carts/` as a cart with an empty id.
      if (Object.values(request.params as object).includes('')) {
        reply.headers(PUBLIC_CORS)
        refuse('not_found')
      }
      const context = newRequestContext(deps, route, request, reply)
      request.requestContext = context
      beginOperation(request, { operation: route.operationId, ...route.row })
      reply.headers(route.kind === 'publicRead' ? PUBLIC_CORS : PRIVATE).headers(route.deprecationHeaders)
      const { origin } = request.headers
      // These callers have no installation whose origins could be allowed.
      const isByOrigin = isOAuth(route) || route.kind === 'publicWrite'
      if (isByOrigin && origin !== undefined && (await isKnownOrigin(origin))) context.origins = [origin]
      await within(request.span, () => runHead(context))
      if (reply.sent) return reply
    },
    handler: async (request, reply) => {
      const context = request.requestContext as RequestContext
      await within(request.span, () => runBody(context))
      if (reply.sent) return reply
      allowOrigin(context)
      if (!context.responseBody) return sendUnchanged(reply)
      return reply.header('content-type', 'application/json; charset=utf-8').send(context.responseBody)
    },
  })
}

/** Sends a 304. To one of a HEAD, the framework would add a Content-Length of 0. @see RFC 9110 §8.6 */
function sendUnchanged(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders).end()
  return reply
}

function isOAuth({ row }: Route): boolean {
  return row.auth.kind === 'oauth'
}

/** Converts `/carts/{cartId}` to the router's syntax. */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  return Map.groupBy(routes, (route) => route.row.path)
}

/** CORS: public reads are open to all origins, other responses to the origins of the calling installation. */
function allowOrigin(context: RequestContext): void {
  const { origin } = context.request.headers
  if (origin === undefined || !context.origins.includes(origin)) return
  context.reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', EXPOSED_HEADERS)
    .header('vary', 'Origin')
}

/**
 * Lets a script see that its token has expired or that it is rate limited, instead of a network error. A refused caller has no
 * installation, so any registered origin may read the refusal.
 */
async function allowRefusedOrigin({ isKnownOrigin }: PublicDoorDeps, request: FastifyRequest): Promise<void> {
  const context = request.requestContext
  const { origin } = request.headers
  if (!context || origin === undefined || context.principal || context.origins.length > 0) return
  // If the database is unavailable, the response says so anyway.
  if (await isKnownOrigin(origin).catch(() => false)) context.origins = [origin]
}

/** @see Fetch Standard, CORS-preflight request */
function addPreflight(app: FastifyInstance, doorDeps: PublicDoorDeps, path: string, routes: readonly Route[]): void {
  const isOpen = routes.every((route) => route.kind === 'publicRead')
  const methods = routes.map((route) => route.row.method).join(', ')
  app.options(fastifyPath(path), async (request, reply) => {
    const { origin } = request.headers
    const { clock, limiter, trustedProxies } = doorDeps.deps
    if (!isOpen) {
      // An origin is looked up in the database. Scripts see no refusal of a preflight, so open reads are limited only themselves.
      const address = addressForLimits(clientAddress(request.raw, trustedProxies))
      refuseOverLimit(await limiter.take('public-read', address, clock.now().getTime()))
    }
    const allowed = isOpen ? '*' : origin !== undefined && (await doorDeps.isKnownOrigin(origin)) ? origin : null
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

function sendFailureOf(doorDeps: PublicDoorDeps, request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  const usesOAuth = request.requestContext ? isOAuth(request.requestContext.route) : false
  const failure = usesOAuth ? asOAuthRefusal(thrown) : thrown
  const response = errorResponseOf(failure, request.id, request.requestContext?.route.row)
  const { status, headers, body } = usesOAuth ? withOAuthFields(response) : response
  recordFailure(request, doorDeps.log, { failure, status, code: body.code, who: credentialOf(request) })
  if (request.requestContext) allowOrigin(request.requestContext)
  sendFailure(reply, { status, headers, body })
}

/** The displayable part of the credential that a request presents. */
function credentialOf({ headers }: FastifyRequest): string | undefined {
  const token = headers.authorization?.split(' ').at(-1) ?? ''
  if (isApiKey(token)) return displayOfApiKey(token)
  return isAccessToken(token) ? displayOfAccessToken(token) : undefined
}

function sendFailure(reply: FastifyReply, { status, headers, body }: ErrorResponse): void {
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

/** Maps errors that the framework raises before the pipeline runs. */
function refusalOfFramework(error: unknown): unknown {
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge()
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupported_media_type')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal('validation_failed', { reason: code ?? 'framework' })
  }
  return error
}

/** A connection, with the response in progress on it, which Node's types omit. */
type Connection = Socket & { readonly _httpMessage?: ServerResponse | null }

/** Sends an error body for invalid or oversized HTTP, and closes the connection. */
function rejectBrokenRequest(deps: PipelineDeps, error: NodeJS.ErrnoException, socket: Connection): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // The bytes follow a request that arrived whole and may take effect: the client would read this error as its response.
  const { _httpMessage: earlier } = socket
  if (earlier?.req.complete) {
    socket.pause()
    earlier.once('close', () => {
      socket.resume()
      if (socket.writable) rejectBrokenRequest(deps, error, socket)
    })
    return
  }
  const requestId = deps.ids.next('req')
  const { body } = errorResponseOf(parserRefusal(error), requestId)
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
      `Date: ${new Date().toUTCString()}\r\nCache-Control: private, no-store\r\nX-Content-Type-Options: nosniff\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}
