import {
  type Operation,
  type PublicErrorDetail,
  type PublicErrorResponse,
  type RefusalCode,
  type RefusalEntry,
  refusals,
} from '@vitrine/contract'
import { operatorRefusals } from '@vitrine/contract/operator'
import type { TObject } from 'typebox'
import { type FieldFault, Refusal } from '../../kernel/refusal.ts'
import { challengeOf } from '../auth/www-authenticate.ts'
import { isResourceExhausted, OutcomeUnknown, RolledBack, Unreachable } from '../postgres/index.ts'

/** An error as it leaves the deps. */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: PublicErrorResponse
}

type Outcome = PublicErrorResponse['outcome']

/** Refusals after which we do not know, or do know otherwise, what became of the request's effect. */
const outcomes: { readonly [Code in Refusal['code']]?: Outcome } = {
  // Whoever holds the key may yet commit.
  idempotency_in_progress: 'unknown',
}

const entries: Readonly<Record<Refusal['code'], RefusalEntry>> = { ...refusals, ...operatorRefusals }

/** The part of a row that tells where a field of its input comes from. */
export type FieldPlaces = Pick<Operation, 'params' | 'query'>

/** Where the field of a fault is in the request: a path parameter, a query parameter, or the body. */
function placed({ field, ...fault }: FieldFault, row: FieldPlaces | undefined): PublicErrorDetail {
  const name = field.split('/', 1)[0] as string
  const isIn = (schema: TObject | undefined) => schema !== undefined && Object.hasOwn(schema.properties, name)
  const place = isIn(row?.params) ? 'path' : isIn(row?.query) ? 'query' : 'body'
  return { in: place, pointer: field === '' ? '' : `/${field}`, ...fault }
}

function answer(
  code: Refusal['code'],
  outcome: Outcome,
  requestId: string,
  facts: Refusal['facts'] = {},
  row?: FieldPlaces,
): ErrorAnswer {
  const { status, message, advice, afterMs } = entries[code]
  return {
    status,
    headers: { ...(status === 401 && { 'www-authenticate': challengeOf(code as RefusalCode) }), ...facts.headers },
    body: {
      code,
      message,
      status,
      requestId,
      outcome,
      retry: { advice, afterMs: facts.afterMs ?? afterMs ?? null },
      details: [...(facts.details ?? []), ...(facts.faults ?? []).map((fault) => placed(fault, row))],
      ...(facts.params && { params: facts.params }),
      ...(facts.conflict && { conflict: facts.conflict }),
      ...(facts.rateLimit && { rateLimit: facts.rateLimit }),
    } as PublicErrorResponse,
  }
}

/**
 * Says what became of a request that failed.
 *
 * A refusal is `not_applied` but for the codes above. So is a fault, since whatever an operation writes is written by one
 * transaction, and a transaction that throws is known to be undone. Only a COMMIT whose answer was lost, and could not be
 * asked for since, leaves it `unknown`.
 *
 * @see CONTRACT, Errors
 */
export function errorAnswerOf(failure: unknown, requestId: string, row?: FieldPlaces): ErrorAnswer {
  if (failure instanceof Refusal) {
    return answer(failure.code, outcomes[failure.code] ?? 'not_applied', requestId, failure.facts, row)
  }
  if (failure instanceof OutcomeUnknown) return answer('unavailable', 'unknown', requestId)
  const isAway = failure instanceof RolledBack || failure instanceof Unreachable || isResourceExhausted(failure)
  return answer(isAway ? 'unavailable' : 'internal_error', 'not_applied', requestId)
}
