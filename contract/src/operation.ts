import type { Static, TObject, TSchema } from 'typebox'
import type { Deprecation } from './deprecation.ts'
import type { RefusalCode } from './refusals.ts'
import { none } from './schemas/common.ts'
import type { Received } from './schemas/published.ts'

/** The four scopes of the interface. @see docs/reference/interface.md#authentication */
export const SCOPES = ['catalog:read', 'checkout:quote', 'webhooks:read', 'webhooks:write'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * Who may call an operation.
 *
 * - `public`: anyone.
 * - `key`: any installation credential with the scopes.
 * - `senderConstrained`: the same, with a bound credential and a DPoP proof, because the operation writes.
 * - `installation`: any installation credential, no scope.
 * - `oauth`: the OAuth endpoints, which authenticate the client themselves.
 */
export type Auth =
  | { readonly kind: 'public' }
  | { readonly kind: 'key'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'senderConstrained'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'installation' }
  | { readonly kind: 'oauth' }

/**
 * A rate limit of one row, in addition to those of its kind. getRuntimeConfig publishes the figures.
 *
 * - `address`: per client address, checked before the body is read.
 * - `account`: per email address in the body, known or not.
 * - `client`: per OAuth client in the body and client address.
 * - `installation`: per installation and environment, checked before the body is read.
 * - `store`: per store in the path.
 */
export interface RowLimit {
  readonly policy:
    | 'register'
    | 'reset-account'
    | 'reset-address'
    | 'challenge-create'
    | 'challenge-verify'
    | 'challenge-verify-store'
    | 'oauth-token'
    | 'webhook-replay'
  readonly by: 'address' | 'account' | 'client' | 'installation' | 'store'
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One public operation as data: facts, never functions. */
export interface Operation {
  readonly method: Method
  /** The full path with `{placeholders}`, starting with `/api/v1`. */
  readonly path: `/api/v1/${string}`
  readonly tag: string
  /** One imperative sentence with a period. */
  readonly summary: string
  readonly description: string
  readonly auth: Auth
  readonly stability: 'stable' | 'candidate'
  readonly idempotency: 'required' | 'none'
  /** Announced in the answers, the OpenAPI document and the reference. */
  readonly deprecated?: Deprecation
  /** Whether the operationId comes from the interface or was assigned here. */
  readonly idSource: 'interface' | 'assigned'
  readonly params: TObject
  /** The parameters declared in the OpenAPI document. */
  readonly query: TObject
  /**
   * The query that the parser accepts instead of `query`: the cursor inside a ready-made `next` link. The interface declares no
   * parameters for these lists, so clients follow the link unchanged. @see docs/reference/rules.md#compatibility
   */
  readonly undeclaredQuery?: TObject
  /** `null` if the operation takes no body. */
  readonly body: TSchema | null
  /** The schema of `data`. */
  readonly data: TSchema
  /** The schema of `meta`, or `null`. */
  readonly meta: TSchema | null
  /** The interface makes `meta` optional, so the document does as well. We always send it. */
  readonly metaOptional?: true
  /** Repeats the members of `data` at the top level, so that stock OAuth clients can read them. */
  readonly mirrored?: true
  /** The name of the complete answer in the OpenAPI document; the interface's name where it has one. */
  readonly response: string
  /** A public read of a store, which the store may gate. @see docs/reference/rules.md#store-access */
  readonly gated?: true
  /**
   * Optional members of `data` that are shown once, mapped to the member with their state. The stored answer omits the secret and
   * has the state `already_shown`. @see docs/reference/rules.md#idempotency
   */
  readonly secrets?: Readonly<Record<string, string>>
  readonly limits?: readonly RowLimit[]
  /** A read with a credential whose answer has an ETag. Every public read has one. */
  readonly conditional?: true
  /** An OAuth row with an optional DPoP proof: one that is sent is checked. */
  readonly proofOptional?: true
  /**
   * The refusals of the operation itself, in descending precedence: the first that applies is answered. The refusals of the
   * pipeline (credentials, limits, parsing, idempotency) follow from the other facts, see `refusalsOf`.
   */
  readonly refusals: readonly RefusalCode[]
}

/** What a row has unless it declares its own: no parameters, no query, no body, no meta. */
const defaults = { params: none, query: none, body: null, meta: null } as const

type Defaulted = keyof typeof defaults

/** A row as it is declared. */
export type Declared<Row extends Pick<Operation, Defaulted>> = Omit<Row, Defaulted> & Partial<Pick<Row, Defaulted>>

/** Adds the defaults to a row. */
export function completed<Row extends object>(row: Row): Row & Omit<typeof defaults, keyof Row> {
  return { ...defaults, ...row }
}

/** Declares a row, keeping its literal types for inference. */
export function operation<const Row extends Declared<Operation>>(row: Row) {
  return completed(row)
}

/** The part of a row the parser needs, public or operator. */
export interface ParsedRow extends Pick<Operation, 'params' | 'query' | 'undeclaredQuery' | 'body'> {
  readonly auth: { readonly kind: string }
}

/** The input of a row's handler. */
export interface InputOf<Row extends ParsedRow> {
  readonly params: Static<Row['params']>
  readonly query: Row extends { readonly undeclaredQuery: infer Query extends TObject }
    ? Static<Query>
    : Static<Row['query']>
  readonly body: Row['body'] extends TSchema ? Static<Row['body']> : null
}

/** The result of a row's handler: the data, or data and meta where the row has meta. */
export type OutputOf<Row extends Pick<Operation, 'data' | 'meta'>> = Row['meta'] extends TSchema
  ? { readonly data: Static<Row['data']>; readonly meta: Static<Row['meta']> }
  : Static<Row['data']>

/** The result as a client of v1 receives it: an enum may have gained values, unless it is a `fixedOneOf`. */
export type ReceivedOf<Row extends Pick<Operation, 'data' | 'meta'>> = Row['meta'] extends TSchema
  ? { readonly data: Received<Row['data']>; readonly meta: Received<Row['meta']> }
  : Received<Row['data']>
