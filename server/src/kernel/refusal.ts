import type { PublicErrorConflict, PublicErrorDetail, PublicErrorResponse, RefusalCode } from '@vitrine/contract'
import type { OperatorRefusalCode } from '@vitrine/contract/operator'

/** One invalid field of a command. The entry point that took the request knows whether it came in the path, query or body. */
export interface FieldFault {
  /** The path of the field, such as `lines/2/skuId`; '' for the whole command. */
  readonly field: string
  /** What is wrong, for machines. */
  readonly code: string
  /** What is wrong, for developers. */
  readonly message: string
  readonly params?: NonNullable<PublicErrorDetail['params']>
}

/** The facts of a refusal. The caller receives all of them except `reason`. */
export interface RefusalFacts {
  /** Invalid fields. The door locates them in the request. */
  readonly faults?: readonly FieldFault[]
  /** Faults of the HTTP request: headers, an unparsable body. */
  readonly details?: readonly PublicErrorDetail[]
  /** 409: expected and current version, current state, allowed commands. */
  readonly conflict?: PublicErrorConflict
  /** 403: the required scopes, or the blocker. */
  readonly params?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** The retry advice, if it differs from that of the code. */
  readonly advice?: PublicErrorResponse['retry']['advice']
  /** How long to wait before a retry. Milliseconds. */
  readonly afterMs?: number
  /** 429: the policy that refused. */
  readonly rateLimit?: {
    readonly policy: string
    readonly limit: number
    readonly windowSeconds: number
    readonly remaining: number
  }
  /** Headers of the response, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only. Never sent. */
  readonly reason?: string
}

/** An expected error of the caller. The contract defines the status and message of its code. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode | OperatorRefusalCode
  readonly facts: RefusalFacts

  constructor(code: RefusalCode | OperatorRefusalCode, facts: RefusalFacts = {}) {
    super(code)
    this.code = code
    this.facts = facts
  }
}

/** Refuses a request. @see docs/reference/rules.md#errors */
export function refuse(code: RefusalCode | OperatorRefusalCode, facts?: RefusalFacts): never {
  throw new Refusal(code, facts)
}

/** Refuses `validation_failed` for one field. The door locates it in the request. */
export function refuseField(field: string, code: string, message: string, params?: FieldFault['params']): never {
  refuse('validation_failed', { faults: [{ field, code, message, ...(params && { params }) }] })
}

/** Refuses `version_conflict` if the caller expects another version. `facts` are added to the conflict, such as the current state. */
export function refuseStale(
  currentVersion: number,
  expectedVersion: number | undefined,
  facts: PublicErrorConflict = {},
): void {
  if (expectedVersion === undefined || expectedVersion === currentVersion) return
  refuse('version_conflict', { conflict: { expectedVersion, currentVersion, ...facts } })
}
