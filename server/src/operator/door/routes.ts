import type { BlockList } from 'node:net'
import { Readable } from 'node:stream'
import { limits } from '@vitrine/contract'
import type { OperatorOperation } from '@vitrine/contract/operator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Media, showPictures } from '../../features/media/index.ts'
import { assert, present } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { matchLanguage } from '../../kernel/languages/languages.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { readAcceptLanguage } from '../../platform/http/accept-language.ts'
import { clientAddress } from '../../platform/http/client-address.ts'
import { errorResponseOf } from '../../platform/http/errors.ts'
import { beginOperation, instrumentRequests, recordFailure } from '../../platform/http/instrumentation.ts'
import { parserOf } from '../../platform/http/parse.ts'
import { operatorProxyWatch } from '../../platform/http/proxy-watch.ts'
import { headerValues } from '../../platform/http/request-context.ts'
import { checker } from '../../platform/http/schema-check.ts'
import { claimOf, executeOnce } from '../../platform/idempotency/optional-key.ts'
import type { Logger } from '../../platform/observe/logger.ts'
import type { Metrics } from '../../platform/observe/metrics.ts'
import { within } from '../../platform/observe/tracing.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import type { Secret } from '../../platform/secrets/rotating-secret.ts'
import { linesWhileAllowed, refuseInsufficient, whileAllowed } from './access.ts'
import { recordAuditEntry } from './audit-log.ts'
import { authenticate, refuseForeignOrigin, type Signed, sessionCookie } from './authentication.ts'
import { sendRead } from './compression.ts'
import { refuseStaleProof } from './fresh-proof.ts'
import type { AuditedChange, Download, Operator, OperatorFacts } from './handler.ts'
import { deviceCookie, knownDevice } from './sign-in/known-device.ts'
import { narrowed } from './store-narrowing.ts'

/** Dependencies of the operator routes. */
export interface OperatorDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly log: Logger
  readonly metrics: Metrics
  /** The hash of the command line's token. `null`: no token is accepted. */
  readonly tokenHash: Buffer | null
  /** The URL of this door. */
  readonly operatorUrl: string
  /** The addresses of the proxies in front of this door. */
  readonly operatorProxies: BlockList
  readonly limiter: RateLimiter
  /** Signs cursors and the cookies of known devices. */
  readonly cursorSecret: Secret
  readonly media: Media
}

/** CHECK of `operator_sessions`. */
const DEVICE_LENGTH_MAX = 300

type AnyInput = { params: Record<string, string>; query: Record<string, unknown>; body: unknown }
export type AnyOperatorHandler = (input: AnyInput, context: object) => Promise<unknown>

interface OperatorRoute {
  readonly operationId: string
  readonly row: OperatorOperation
  readonly handler: AnyOperatorHandler
  readonly parse: ReturnType<typeof parserOf>
  readonly passesAnswer: (value: unknown) => boolean
}

/** Adds the rows to the operator door, each with the same steps. */
export function addOperatorRoutes(
  app: FastifyInstance,
  deps: OperatorDeps,
  rows: Readonly<Record<string, OperatorOperation>>,
  handlers: Readonly<Record<string, AnyOperatorHandler>>,
): void {
  const each = Object.entries(rows).map(([id, row]) => routeOf(id, row, handlers[id] as AnyOperatorHandler))
  // Console files and health checks are frequent and not operations.
  const { log, metrics, clock } = deps
  instrumentRequests(app, { log, metrics, clock, trustedProxies: deps.operatorProxies, unnamed: null })
  const watchProxies = operatorProxyWatch(log, metrics, deps)
  app.addHook('onRequest', async ({ raw }) => watchProxies(raw))
  setAnswers(app, deps)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const route of each.filter(({ row }) => !row.upload)) addRoute(scope, deps, route)
  })
  void app.register(async (scope) => {
    // The handler reads an upload as a stream.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const route of each.filter(({ row }) => row.upload)) addRoute(scope, deps, route)
  })
}

function routeOf(operationId: string, row: OperatorOperation, handler: AnyOperatorHandler): OperatorRoute {
  const data = checker(row.data)
  const meta = row.meta && checker(row.meta)
  return {
    operationId,
    row,
    handler,
    parse: parserOf(row),
    passesAnswer: (value) => {
      if (!meta) return data.passes(value)
      const { data: result, meta: metaResult } = value as { data: unknown; meta: unknown }
      return data.passes(result) && meta.passes(metaResult)
    },
  }
}

/** The steps, in order: origin → authenticate → role or token → fresh proof → parse → narrow to the store → transaction → claim the key → pictures → handle → audit → check the answer. */
function addRoute(app: FastifyInstance, deps: OperatorDeps, route: OperatorRoute): void {
  const { row, operationId } = route
  app.route({
    method: row.method,
    url: row.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { row },
    bodyLimit: limits.requests.bodyBytesMax,
    onRequest: (request, _reply, done) => {
      beginOperation(request, { operation: `operator.${operationId}`, ...row })
      done()
    },
    handler: async (request, reply) => {
      refuseForeignOrigin(request, deps)
      const signed = await authenticate(request, deps)
      if (!signed && row.auth.kind === 'operator') refuse('session_required')
      if (signed) refuseInsufficient(signed.operator, row)
      if (signed?.operator.needsSecondFactor && !isOwn(row)) refuse('second_factor_missing')
      if (row.freshProof === 'always') refuseStaleProof(signed?.operator ?? null, deps.clock.now())
      const result = await within(request.span, () => answerOf(route, { deps, request, reply, signed }))
      if (row.download) {
        const { fileName, lines } = result as Download
        const file = { fileName, lines: linesWhileAllowed(lines, { signed, row, reader: deps.database.reader }) }
        return sendFile(reply, row.download, file)
      }
      assert(route.passesAnswer(result), `${operationId} answers what its row declares`)
      const body = JSON.stringify(row.meta ? result : { data: result })
      reply.header('cache-control', 'no-store').header('content-type', 'application/json; charset=utf-8')
      return row.method === 'GET' ? sendRead(request, reply, body) : reply.send(body)
    },
  })
}

/** Whether a row can be called before a required second factor is set up. */
function isOwn({ auth }: OperatorOperation): boolean {
  return auth.kind === 'none' || auth.area === 'own'
}

/** Streams a file. An error closes the connection, so that a partial file is not taken for a complete one. */
function sendFile(reply: FastifyReply, type: string, { fileName, lines }: Download): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', type === 'application/pdf' ? type : `${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(lines))
}

interface Visit {
  readonly deps: OperatorDeps
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly signed: Signed | null
}

async function answerOf(route: OperatorRoute, visit: Visit): Promise<unknown> {
  const { row, handler, operationId } = route
  const { deps, request, reply, signed } = visit
  const parsed = route.parse({
    params: { ...(request.params as Record<string, string>) },
    query: request.query as Record<string, unknown>,
    url: request.url,
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
    bytes: row.upload ? null : ((request.body as Buffer | undefined) ?? null),
  }) as AnyInput
  const database = whileAllowed(deps.database, signed, row)
  const input = await narrowed(deps.database.reader, signed?.operator ?? null, row, parsed)
  const facts: OperatorFacts = {
    now: deps.clock.now(),
    ids: deps.ids,
    randomness: deps.randomness,
    requestId: request.id,
    address: clientAddress(request.raw, deps.operatorProxies),
    reader: deps.database.reader,
    language: matchLanguage(readAcceptLanguage(request.headers['accept-language'])) ?? 'en',
    device: request.headers['user-agent']?.slice(0, DEVICE_LENGTH_MAX) ?? null,
    sessionToken: signed?.token ?? null,
    requireFreshProof: () => refuseStaleProof(signed?.operator ?? null, deps.clock.now()),
  }
  let operator: Operator | null = signed?.operator ?? null
  let entries = 0
  function auditIn(tx: Transaction, change: AuditedChange): void {
    assert(operator !== null, `${operationId} has an operator to record`)
    recordAuditEntry(tx, change, { operator, operation: operationId, ...facts })
    entries += 1
  }
  const assertAudited = () => assert(row.unaudited || entries > 0, `${operationId} records its change`)

  const opensOwn = row.ownTransactions || row.upload || row.recorded || row.auth.kind === 'none'
  if (row.method === 'GET' && !row.recorded) {
    const read = await handler(input, { ...facts, operator, database })
    if (row.recordsRead) {
      const { type, field } = row.recordsRead
      const subject = { type, id: present(input.params[field], `${operationId} has ${field}`) }
      await database.transaction(async (tx) => auditIn(tx, { subject, before: null, after: { read: true } }))
    }
    return read
  }
  if (!opensOwn) {
    const claim = row.idempotencyKey ? claimOf({ ...input, operationId, ...facts, ...keyOf(request, operator) }) : null
    return database.transaction((tx) =>
      executeOnce(tx, claim, row.secrets, async () => {
        entries = 0
        await showPictures(tx, input.body, deps.media.url)
        const audit = (change: AuditedChange) => auditIn(tx, change)
        const result = await handler(input, { ...facts, operator, tx, audit })
        assertAudited()
        return result as object
      }),
    )
  }
  const result = await handler(input, {
    ...facts,
    operator,
    database,
    auditIn,
    // A request without a body is an empty file.
    upload: (request.body as Readable | undefined) ?? Readable.from([]),
    setSession: (token: string) => void reply.header('set-cookie', sessionCookie(token, deps.operatorUrl)),
    knownDevice: (email: string) => knownDevice(request.headers.cookie, email, deps),
    rememberDevice: (email: string) => void reply.header('set-cookie', deviceCookie(email, deps)),
    actAs: (found: Operator) => {
      operator = found
    },
  })
  assertAudited()
  if (operationId === 'setUp') {
    request.server.security.record('operator_set_up', { requestId: request.id, address: facts.address })
  }
  return result
}

/** The Idempotency-Key of a request, and whose it is. */
function keyOf(request: FastifyRequest, operator: Operator | null) {
  return { keys: headerValues(request, 'idempotency-key'), caller: operator?.id ?? 'token' }
}

function setAnswers(app: FastifyInstance, deps: OperatorDeps): void {
  app.setErrorHandler((error, request, reply) => {
    const { statusCode } = error as { statusCode?: number }
    const isCallers = statusCode !== undefined && statusCode >= 400 && statusCode < 500
    sendFailure(isCallers ? new Refusal('validation_failed') : error, request, reply, deps)
  })
  app.setNotFoundHandler((request, reply) => sendFailure(new Refusal('not_found'), request, reply, deps))
}

function sendFailure(failure: unknown, request: FastifyRequest, reply: FastifyReply, deps: OperatorDeps): void {
  const { row } = request.routeOptions.config as { readonly row?: OperatorOperation }
  const { status, body } = errorResponseOf(failure, request.id, row)
  request.operation ??= 'operator.none'
  recordFailure(request, deps.log, { failure, status, code: body.code })
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body))
}
