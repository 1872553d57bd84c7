import type { PublicErrorConflict, PublicErrorDetail, RefusalCode } from '@vitrine/contract'
import type { OperatorRefusalCode } from '@vitrine/contract/operator'

/** What a refusal may say beyond its code. All of it is shown to the caller. */
export interface RefusalFacts {
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
