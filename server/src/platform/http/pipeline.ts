import { deprecationHeaders, type Operation } from '@vitrine/contract'
import { withoutBoundOnly } from './bound-only.ts'
import { parserOf } from './parse.ts'
import {
  type AnyHandler,
  kindOf,
  type OperationKind,
  type RequestContext,
  type Route,
  type Step,
} from './request-context.ts'
import { checker } from './schema-check.ts'
import { authenticate, authorizeOptimistically } from './steps/authentication.ts'
import { checkKeyProof, checkScopes, checkSenderProof, countFailedClientAuth } from './steps/authorization.ts'
import { claimIdempotency, claimKeyProof, handle, openTransaction, parseInput, prepare } from './steps/execution.ts'
import { renderAndCache, sendCached } from './steps/public-reads.ts'
import {
  limitByAddress,
  limitByCart,
  limitByCredential,
  limitRowByAccount,
  limitRowByAddress,
  limitRowByClient,
  limitRowByOwner,
  limitRowByStore,
} from './steps/rate-limits.ts'

/** The columns of the table below: one per kind of operation. */
const COLUMNS = {
  PUB: 'publicRead', //    catalog, storefront, legal texts: anyone, cached
  WEB: 'publicWrite', //   accounts and store challenges: anyone, from a browser
  KEY: 'read', //          a read with a credential
  WRT: 'write', //         a write with a credential, an Idempotency-Key and a DPoP proof
  DSC: 'oauthMetadata', // discovery of the authorization server
  TOK: 'oauthWrite', //    OAuth: authorization request, tokens, revocation
} as const satisfies Readonly<Record<string, OperationKind>>

/**
 * The order of all checks, and the operations that each applies to. A `head` step runs before the body is read: a request
 * that ends in a 401 cannot make the server read a megabyte first.
 */
// biome-ignore format: a table is read by its columns
const TABLE: readonly (readonly [Step, 'head' | 'body', string])[] = [
  [limitByAddress,          'head',  'PUB WEB KEY WRT DSC TOK'],
  [limitRowByAddress,       'head',  '    WEB                '],
  [sendCached,              'head',  'PUB                    '],
  [authenticate,            'head',  '        KEY WRT        '],
  [checkScopes,             'head',  '        KEY WRT        '],
  [checkSenderProof,        'head',  '        KEY WRT        '],
  [limitByCredential,       'head',  '        KEY WRT        '],
  [limitRowByOwner,         'head',  '        KEY WRT        '],
  [authorizeOptimistically, 'body',  '        KEY WRT        '],
  [parseInput,              'body',  'PUB WEB KEY WRT DSC TOK'],
  [limitRowByAccount,       'body',  '    WEB                '],
  [limitRowByStore,         'body',  '    WEB                '],
  [limitRowByClient,        'body',  '                    TOK'],
  [limitByCart,             'body',  '            WRT        '],
  [prepare,                 'body',  '    WEB     WRT     TOK'],
  [claimIdempotency,        'body',  '            WRT        '],
  [checkKeyProof,           'body',  '                    TOK'],
  [countFailedClientAuth,   'body',  '                    TOK'],
  [openTransaction,         'body',  '    WEB             TOK'],
  [claimKeyProof,           'body',  '                    TOK'],
  [renderAndCache,          'body',  'PUB                    '],
  [handle,                  'body',  '    WEB KEY WRT DSC TOK'],
]

function stepsOf(phase: 'head' | 'body'): Readonly<Record<OperationKind, readonly Step[]>> {
  const steps = Object.entries(COLUMNS).map(([column, kind]) => [
    kind,
    TABLE.filter(([, at, columns]) => at === phase && columns.includes(column)).map(([step]) => step),
  ])
  return Object.fromEntries(steps) as Record<OperationKind, readonly Step[]>
}

const headSteps = stepsOf('head')
const bodySteps = stepsOf('body')

export function routeOf(operationId: string, row: Operation, handler: AnyHandler): Route {
  const data = checker(row.data)
  const meta = row.meta && checker(row.meta)
  return {
    operationId,
    row,
    handler,
    kind: kindOf(row),
    parse: parserOf(row),
    scopes: 'scopes' in row.auth ? row.auth.scopes : [],
    deprecationHeaders: deprecationHeaders(row.deprecated),
    forUnbound: withoutBoundOnly(row.data),
    responseProblem(response) {
      const invalid = data.passes(response.data)
        ? meta && !meta.passes(response.meta)
          ? { part: 'meta', failures: meta.failures(response.meta) }
          : null
        : { part: 'data', failures: data.failures(response.data) }
      if (!invalid) return null
      const [first] = invalid.failures
      return `${operationId}: ${invalid.part}${first?.instancePath ?? ''} ${first?.message ?? 'does not match its schema'}`
    },
  }
}

/** Runs the steps that need no body. Stops once a step has sent the response. */
export function runHead(context: RequestContext): Promise<void> {
  return run(headSteps[context.route.kind], context)
}

/** Runs the remaining steps. Afterwards the response is sent, or is in `context.responseBody`. */
export function runBody(context: RequestContext): Promise<void> {
  return run(bodySteps[context.route.kind], context)
}

function run(steps: readonly Step[], context: RequestContext): Promise<void> {
  const from = async (index: number): Promise<void> => {
    const step = steps[index]
    if (!step) return
    let calledNext = false
    await step(context, () => {
      calledNext = true
      return from(index + 1)
    })
    // A step without a `next` parameter always continues.
    if (!calledNext && step.length < 2) await from(index + 1)
  }
  return from(0)
}
