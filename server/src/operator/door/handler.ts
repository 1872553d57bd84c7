import type { Readable } from 'node:stream'
import type { InputOf, OutputOf } from '@vitrine/contract'
import type { OperatorOperation, OperatorRole } from '@vitrine/contract/operator'
import type { IdSource } from '../../kernel/ids.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import type { Integration } from './integration-store.ts'
import type { OperatorStore } from './store-narrowing.ts'

/** The operator who makes the request. */
export interface Operator {
  /** `null`: the caller holds the token of the data directory. */
  readonly id: string | null
  readonly email: string
  readonly role: OperatorRole
  /** Whether they have to set up a second factor before anything else. */
  readonly needsSecondFactor?: boolean
  /** Whether they have a second factor. */
  readonly hasSecondFactor?: boolean
  /** Their only store; absent: the whole marketplace. */
  readonly store?: OperatorStore | null
  /** The time of the last proof of identity in this session. */
  readonly provedAt?: Date | null
  /** Set for a token of an integration, which has an access of its own and the role `read_only`. */
  readonly integration?: Integration
  readonly via: 'session' | 'token' | 'setup' | 'integration'
}

/** A change as recorded in the audit log: the changed fields before and after. No secrets. */
export interface AuditedChange {
  readonly subject: { readonly type: string; readonly id: string }
  /** `null`: the subject was created. */
  readonly before: Readonly<Record<string, unknown>> | null
  /** `null`: the subject was deleted. */
  readonly after: Readonly<Record<string, unknown>> | null
}

/** The context of every handler of the operator door. */
export interface OperatorFacts {
  readonly now: Date
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly requestId: string
  /** The client address, for rate limits. */
  readonly address: string
  readonly reader: Reader
  /** The first supported language that the caller accepts, or English. */
  readonly language: Language
  /** The user agent. */
  readonly device: string | null
  /** The value of the session cookie, `null` if there is none. */
  readonly sessionToken: string | null
  /** For a row with `freshProof: 'when_large'`. Refusals: `fresh_proof_required`. */
  readonly requireFreshProof: () => void
}

export interface OperatorReadContext extends OperatorFacts {
  readonly operator: Operator
}

/** The context of a change. The change and its audit entries are one transaction. */
export interface OperatorWriteContext extends OperatorReadContext {
  readonly tx: Transaction
  /** Records the change. A write that records none is a bug. */
  audit(change: AuditedChange): void
}

/** The context of a change that opens its own transactions, because it calls other services or runs long. */
export interface OperatorOwnContext extends OperatorReadContext {
  readonly database: Database
  /** Records a change in the transaction that makes it. A request that records none is a bug. */
  auditIn(tx: Transaction, change: AuditedChange): void
}

/** The context of requests before sign-in, and of signing out. */
export interface OperatorSessionContext extends OperatorOwnContext {
  /** Sets the cookie; an empty value clears it. */
  setSession(token: string): void
  /** The limit of the browser, if the operator with this address has signed in with it; else `null`. */
  knownDevice(email: string): string | null
  rememberDevice(email: string): void
  /** Sets the operator, if the request itself authenticates them. Call it before recording a change. */
  actAs(operator: Operator): void
}

/** The context that a row requires. */
type OperatorContextOf<Row extends OperatorOperation> = Row extends { readonly upload: true }
  ? OperatorOwnContext & { readonly upload: Readable }
  : Row extends { readonly recorded: true }
    ? OperatorOwnContext
    : Row extends { readonly auth: { readonly kind: 'none' } }
      ? OperatorSessionContext
      : Row extends { readonly ownTransactions: true }
        ? OperatorSessionContext
        : Row['method'] extends 'GET'
          ? OperatorReadContext
          : OperatorWriteContext

/** A streamed file. */
export interface Download {
  readonly fileName: string
  readonly lines: AsyncIterable<string | Buffer> | Iterable<Buffer>
}

/** A handler of the operator door: load, decide, save, publish, present, and record the change. */
export type OperatorHandler<Row extends OperatorOperation> = (
  input: InputOf<Row>,
  context: OperatorContextOf<Row>,
) => Promise<Row extends { readonly download: string } ? Download : OutputOf<Row>>
