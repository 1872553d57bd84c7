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
import { isUnavailable, OutcomeUnknown } from '../postgres/index.ts'

/** An HTTP error response. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: PublicErrorResponse
}

type Outcome = PublicErrorResponse['outcome']

/** Refusals whose outcome is not `not_applied`. */
const outcomes: { readonly [Code in Refusal['code']]?: Outcome } = {
  // The request that holds the key may still commit.
  idempotency_in_progress: 'unknown',
}

const entries: Readonly<Record<Refusal['code'], RefusalEntry>> = { ...refusals, ...operatorRefusals }

/** The part of a row that determines where an input field comes from. */
type FieldPlaces = Pick<Operation, 'params' | 'query' | 'undeclaredQuery'>

/** Locates the field of a fault in the request: path, query or body. */
function detailOf({ field, ...fault }: FieldFault, row: FieldPlaces | undefined): PublicErrorDetail {
  const name = field.split('/', 1)[0] as string
  const isIn = (schema: (TObject & { readonly patternProperties?: object }) | undefined) =>
    schema !== undefined &&
    (Object.hasOwn(schema.properties, name) ||
      Object.keys(schema.patternProperties ?? {}).some((pattern) => new RegExp(pattern).test(name)))
  const place = isIn(row?.params) ? 'path' : isIn(row?.undeclaredQuery ?? row?.query) ? 'query' : 'body'
  return { in: place, pointer: field === '' ? '' : `/${field}`, ...fault }
}

const DETAILS_MAX = 20
const DETAIL_CHARACTERS_MAX = 1000

/** Names and values of a detail may come from the caller: they may be long, contain NUL, or be invalid Unicode. */
function bounded(detail: PublicErrorDetail): PublicErrorDetail {
  const clean = (text: string) => text.slice(0, DETAIL_CHARACTERS_MAX).replaceAll('\0', '\ufffd').toWellFormed()
  return { ...detail, pointer: clean(detail.pointer), message: clean(detail.message) }
}

function response(
  code: Refusal['code'],
  outcome: Outcome,
  requestId: string,
  facts: Refusal['facts'] = {},
  row?: FieldPlaces,
): ErrorResponse {
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
      retry: { advice: facts.advice ?? advice, afterMs: facts.afterMs ?? afterMs ?? null },
      details: [...(facts.details ?? []), ...(facts.faults ?? []).map((fault) => detailOf(fault, row))]
        .slice(0, DETAILS_MAX)
        .map(bounded),
      ...(facts.params && { params: facts.params }),
      ...(facts.conflict && { conflict: facts.conflict }),
      ...(facts.rateLimit && { rateLimit: facts.rateLimit }),
    } as PublicErrorResponse,
  }
}

/**
 * The error response of a failed request.
 *
 * The outcome of a refusal is `not_applied` except for the codes above. So is that of an internal error: an operation writes in
 * one transaction, which is rolled back. The outcome is `unknown` only after a lost COMMIT that could not be resolved.
 *
 * @see docs/reference/rules.md#errors
 */
export function errorResponseOf(failure: unknown, requestId: string, row?: FieldPlaces): ErrorResponse {
  if (failure instanceof Refusal) {
    const outcome = outcomes[failure.code] ?? 'not_applied'
    return response(failure.code, outcome, requestId, failure.facts, row)
  }
  if (failure instanceof OutcomeUnknown) return response('unavailable', 'unknown', requestId)
  return response(isUnavailable(failure) ? 'unavailable' : 'internal_error', 'not_applied', requestId)
}
