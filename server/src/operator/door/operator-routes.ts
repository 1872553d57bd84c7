import { Readable } from 'node:stream'
import { limits } from '@vitrine/contract'
import type { OperatorOperation } from '@vitrine/contract/operator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { OperatorError } from '../../kernel/operator-error.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { readAcceptLanguage } from '../../platform/http/accept-language.ts'
import { clientAddress } from '../../platform/http/client-address.ts'
import { errorResponseOf } from '../../platform/http/errors.ts'
import { beginOperation, instrumentRequests, recordFailure } from '../../platform/http/instrumentation.ts'
import { checker, parserOf } from '../../platform/http/parse.ts'
import type { Logger } from '../../platform/observe/logger.ts'
import type { Metrics } from '../../platform/observe/metrics.ts'
import { within } from '../../platform/observe/tracing.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { writeDown } from './audit-log.ts'
import type { AuditedChange, Download, Operator, OperatorFacts } from './operator-handler.ts'
import { refuseForeign, type Signed, sessionCookie, whoIsAtWork } from './who-is-at-work.ts'

/** What the operator's routes stand on. */
export interface OperatorHouse {
  readonly database: Database
  readonly clock: Clock
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly log: Logger
  readonly metrics: Metrics
  /** Hashed: what the command line shows. `null`: none is taken. */
  readonly tokenHash: Buffer | null
  /** How this door is called. */
  readonly operatorUrl: string
}

type AnyInput = { params: Record<string, string>; query: Record<string, unknown>; body: unknown }
export type AnyOperatorHandler = (input: AnyInput, context: object) => Promise<unknown>

interface OperatorRoute {
  readonly operationId: string
  readonly row: OperatorOperation
  readonly handler: AnyOperatorHandler
  readonly parse: ReturnType<typeof parserOf>
  readonly passesAnswer: (value: unknown) => boolean
}

/** Adds the rows to the operator's door, each through the same steps. */
export function addOperatorRoutes(
  app: FastifyInstance,
  house: OperatorHouse,
  rows: Readonly<Record<string, OperatorOperation>>,
  handlers: Readonly<Record<string, AnyOperatorHandler>>,
): void {
  const each = Object.entries(rows).map(([id, row]) => routeOf(id, row, handlers[id] as AnyOperatorHandler))
  // Files of the console and looks at the process are no operations, and many.
  instrumentRequests(app, { log: house.log, metrics: house.metrics, unnamed: null })
  setAnswers(app, house)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const route of each.filter(({ row }) => !row.upload)) addRoute(scope, house, route)
  })
  void app.register(async (scope) => {
    // A file is read by its handler, as it comes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const route of each.filter(({ row }) => row.upload)) addRoute(scope, house, route)
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
      const { data: said, meta: saidBeside } = value as { data: unknown; meta: unknown }
      return data.passes(said) && meta.passes(saidBeside)
    },
  }
}

/** The steps, in order: from here → who → parse → transaction → handle → written down → check the answer. */
function addRoute(app: FastifyInstance, house: OperatorHouse, route: OperatorRoute): void {
  const { row, operationId } = route
  app.route({
    method: row.method,
    url: row.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { row },
    bodyLimit: row.upload ? UPLOAD_BYTES_MAX : limits.requests.bodyBytesMax,
    onRequest: (request, _reply, done) => {
      beginOperation(request, { operation: `operator.${operationId}`, ...row })
      done()
    },
    handler: async (request, reply) => {
      refuseForeign(request, house)
      const signed = await whoIsAtWork(request, house)
      if (!signed && row.auth.kind === 'operator') refuse('session_required')
      const said = await within(request.span, () => answerOf(route, { house, request, reply, signed }))
      if (row.download) return sendFile(reply, row.download, said as Download)
      assert(route.passesAnswer(said), `${operationId} does not answer what its row says`)
      return reply
        .header('cache-control', 'no-store')
        .header('content-type', 'application/json; charset=utf-8')
        .send(JSON.stringify(row.meta ? said : { data: said }))
    },
  })
}

/** Sends a file as it is made. What fails on the way cuts the connection, so that nobody takes a part for the whole. */
function sendFile(reply: FastifyReply, type: string, { fileName, lines }: Download): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', `${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(lines))
}

/** A catalogue of a million products is half a gigabyte. */
const UPLOAD_BYTES_MAX = 1024 * 1024 * 1024

interface Visit {
  readonly house: OperatorHouse
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly signed: Signed | null
}

async function answerOf(route: OperatorRoute, visit: Visit): Promise<unknown> {
  const { row, handler, operationId } = route
  const { house, request, reply, signed } = visit
  const input = route.parse({
    params: { ...(request.params as Record<string, string>) },
    query: request.query as Record<string, unknown>,
    contentType: request.headers['content-type'],
    bytes: row.upload ? null : ((request.body as Buffer | undefined) ?? null),
  }) as AnyInput
  const facts: OperatorFacts = {
    now: house.clock.now(),
    ids: house.ids,
    randomness: house.randomness,
    requestId: request.id,
    address: clientAddress(request.raw, 0),
    reader: house.database.reader,
    languages: readAcceptLanguage(request.headers['accept-language']),
  }
  let operator: Operator | null = signed?.operator ?? null
  let entries = 0
  function auditIn(tx: Transaction, change: AuditedChange): void {
    assert(operator !== null, `${operationId} says who does it`)
    writeDown(tx, change, { operator, operation: operationId, ...facts })
    entries += 1
  }
  const isWrittenDown = () => assert(row.unaudited || entries > 0, `${operationId} says what it has changed`)

  const opensOwn = row.ownTransactions || row.upload || row.auth.kind === 'nobody'
  if (row.method === 'GET') return handler(input, { ...facts, operator, database: house.database })
  if (!opensOwn) {
    return house.database.transaction(async (tx) => {
      entries = 0
      const audit = (change: AuditedChange) => auditIn(tx, change)
      const said = await handler(input, { ...facts, operator, tx, audit })
      isWrittenDown()
      return said
    })
  }
  const said = await handler(input, {
    ...facts,
    operator,
    database: house.database,
    auditIn,
    upload: request.body as Readable,
    sessionToken: signed?.token ?? null,
    setSession: (token: string) => void reply.header('set-cookie', sessionCookie(token, house.operatorUrl)),
    actAs: (found: Operator) => {
      operator = found
    },
  })
  isWrittenDown()
  return said
}

function setAnswers(app: FastifyInstance, house: OperatorHouse): void {
  app.setErrorHandler((error, request, reply) => {
    const { statusCode } = error as { statusCode?: number }
    const isCallers = statusCode !== undefined && statusCode >= 400 && statusCode < 500
    const failure = error instanceof Error && !(error instanceof Refusal) ? refusalOf(error, isCallers) : error
    sendFailure(failure, request, reply, house)
  })
  app.setNotFoundHandler((request, reply) => sendFailure(new Refusal('not_found'), request, reply, house))
}

/** What a feature says to its operator in a sentence, and what the framework refuses, in the words of the door. */
function refusalOf(error: Error, isCallers: boolean): Error {
  if (error instanceof OperatorError) {
    return new Refusal('validation_failed', {
      details: [{ in: 'body', pointer: error.pointer, code: 'not_possible', message: error.message }],
    })
  }
  return isCallers ? new Refusal('validation_failed') : error
}

function sendFailure(failure: unknown, request: FastifyRequest, reply: FastifyReply, house: OperatorHouse): void {
  const { row } = request.routeOptions.config as { readonly row?: OperatorOperation }
  const { status, body } = errorResponseOf(failure, request.id, row)
  request.operation ??= 'operator.none'
  recordFailure(request, house.log, { failure, status, code: body.code })
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body))
}
