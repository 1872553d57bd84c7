import type { PublicErrorConflict, PublicErrorDetail, RefusalCode } from '@vitrine/contract'
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

/** What a refusal says beyond its code. The caller sees all of it but `reason`. */
export interface RefusalFacts {
  /** Invalid fields, placed by the door that answers. */
  readonly faults?: readonly FieldFault[]
  /** Faults that only HTTP knows: headers, a body that cannot be parsed. */
  readonly details?: readonly PublicErrorDetail[]
  /** 409: expected and current version, current state, what is allowed now. */
  readonly conflict?: PublicErrorConflict
  /** 403: the scopes that are needed, or the blocker. */
  readonly params?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** How long to wait, where the answer knows it. Milliseconds. */
  readonly afterMs?: number
  /** 429: the policy that refused. */
  readonly rateLimit?: {
    readonly policy: string
    readonly limit: number
    readonly windowSeconds: number
    readonly remaining: number
  }
  /** Headers that belong to this refusal, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** For our log alone. Never shown. */
  readonly reason?: string
}

/** An expected "no": an answer, not a fault. Its status and public sentence stand in the contract's `refusals`, or
 * in those of the operator side. */
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

/** Says no. @see CONTRACT, Errors */
export function refuse(code: RefusalCode | OperatorRefusalCode, facts?: RefusalFacts): never {
  throw new Refusal(code, facts)
}
