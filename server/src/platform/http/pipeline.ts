import type { Operation } from '@vitrine/contract'
import { checker, parserOf } from './parse.ts'
import { type AnyHandler, type Kind, kindOf, type RequestContext, type Route, type Step } from './request-context.ts'
import { authenticate, authorizeOptimistically } from './steps/authentication.ts'
import { checkKeyProof, checkScopes, checkSenderProof, countFailedClientAuth } from './steps/authorization.ts'
import { claimIdempotency, handle, openTransaction, parseInput, prepare, takeKeyProof } from './steps/execution.ts'
import { renderAndCache, sendCached } from './steps/public-reads.ts'
import {
  limitByAddress,
  limitByCart,
  limitByCredential,
  limitRowByAccount,
  limitRowByAddress,
  limitRowByClient,
  limitRowByOwner,
} from './steps/rate-limits.ts'

/**
 * The order of all checks, and whom each concerns. A `head` step runs before the body is read, so that nobody sends us a
 * megabyte for a 401.
 */
// biome-ignore format: a table is read by its columns
const table: readonly (readonly [Step, 'head' | 'body', string])[] = [
  [limitByAddress,      'head',  'P A R W D O'],
  [limitRowByAddress,   'head',  '  A        '],
  [sendCached,      'head',  'P          '],
  [authenticate,        'head',  '    R W    '],
  [checkScopes,         'head',  '    R W    '],
  [checkSenderProof,    'head',  '    R W    '],
  [limitByCredential,   'head',  '    R W    '],
  [limitRowByOwner,     'head',  '    R W    '],
  [authorizeOptimistically,  'body',  '      W    '],
  [parseInput,          'body',  'P A R W D O'],
  [limitRowByAccount,   'body',  '  A        '],
  [limitRowByClient,    'body',  '          O'],
  [limitByCart,         'body',  '      W    '],
  [claimIdempotency,    'body',  '      W    '],
  [prepare,             'body',  '  A       O'],
  [checkKeyProof,       'body',  '          O'],
  [countFailedClientAuth,   'body',  '          O'],
  [openTransaction,     'body',  '  A       O'],
  [takeKeyProof,        'body',  '          O'],
  [renderAndCache,          'body',  'P          '],
  [handle,              'body',  '  A R W D O'],
]

const KINDS = ['P', 'A', 'R', 'W', 'D', 'O'] as const

function stepsOf(phase: 'head' | 'body'): Readonly<Record<Kind, readonly Step[]>> {
  const stepsFor = (kind: Kind) =>
    table.filter(([, at, kinds]) => at === phase && kinds.includes(kind)).map(([step]) => step)
  return Object.fromEntries(KINDS.map((kind) => [kind, stepsFor(kind)])) as unknown as Record<Kind, readonly Step[]>
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
    passesAnswer(answer) {
      const wrong = data.passes(answer.data)
        ? meta && !meta.passes(answer.meta)
          ? { of: 'meta', failures: meta.failures(answer.meta) }
          : null
        : { of: 'data', failures: data.failures(answer.data) }
      if (!wrong) return null
      const [first] = wrong.failures
      return `${operationId}: ${wrong.of}${first?.instancePath ?? ''} ${first?.message ?? 'does not fit its schema'}`
    },
  }
}

/** Runs the steps that need no body. An answer that is already there is sent, and nothing else runs. */
export function runHead(context: RequestContext): Promise<void> {
  return run(headSteps[context.route.kind], context)
}

/** Runs the rest. The answer is sent, or stands in `context.answer`. */
export function runBody(context: RequestContext): Promise<void> {
  return run(bodySteps[context.route.kind], context)
}

function run(steps: readonly Step[], context: RequestContext): Promise<void> {
  const from = async (index: number): Promise<void> => {
    const step = steps[index]
    if (!step) return
    let went = false
    await step(context, () => {
      went = true
      return from(index + 1)
    })
    // A step that decides nothing about the rest does not mention it.
    if (!went && step.length < 2) await from(index + 1)
  }
  return from(0)
}
