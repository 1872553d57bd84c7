import type { Static, TObject, TSchema } from 'typebox'
import type { RefusalCode } from './refusals.ts'

/** The four scopes of the interface. @see INTERFACE.md, Authentication 2 */
export const SCOPES = ['catalog:read', 'checkout:quote', 'webhooks:read', 'webhooks:write'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * Who may call an operation.
 *
 * - `public`: anyone.
 * - `key`: any installation credential that holds the scopes.
 * - `senderConstrained`: the same, with a credential bound to a key and a DPoP proof, because the operation writes.
 * - `installation`: any installation credential, no scope.
 * - `oauth`: the OAuth endpoints, which authenticate a client by their own rules.
 */
export type Auth =
  | { readonly kind: 'public' }
  | { readonly kind: 'key'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'senderConstrained'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'installation' }
  | { readonly kind: 'oauth' }

/**
 * A limit of one row, beside those that all rows of its kind have. The figures are published by getRuntimeConfig.
 *
 * - `address`: counts who calls; taken before the body is read.
 * - `account`: counts the e-mail address in the body, whoever names it and whether or not it is known.
 * - `client`: counts the OAuth client that the body names, beside the address that calls.
 * - `installation`: counts what the credential belongs to, in its environment; taken before the body is read.
 */
export interface RowLimit {
  readonly policy:
    | 'register'
    | 'reset-account'
    | 'reset-address'
    | 'challenge-create'
    | 'challenge-verify'
    | 'oauth-token'
    | 'webhook-replay'
  readonly by: 'address' | 'account' | 'client' | 'installation'
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One public operation as data: facts, never functions. */
export interface Operation {
  readonly method: Method
  /** The whole path with `{placeholders}`, beginning with `/api/v1`. */
  readonly path: `/api/v1/${string}`
  readonly tag: string
  /** One sentence, imperative, with a full stop. */
  readonly summary: string
  readonly description: string
  readonly auth: Auth
  readonly stability: 'stable' | 'candidate'
  readonly idempotency: 'required' | 'none'
  /** Whether the operationId is the interface's or ours. */
  readonly idSource: 'interface' | 'assigned'
  readonly params: TObject
  /** What the OpenAPI document declares. */
  readonly query: TObject
  /**
   * What the parser takes instead of `query`: the cursor that a ready-made `next` link carries. The interface declares no
   * parameters for these lists, so a client follows the link as it stands. @see CONTRACT, Reading the table
   */
  readonly undeclaredQuery?: TObject
  /** `null` where the operation takes no body. */
  readonly body: TSchema | null
  /** What stands under `data`. */
  readonly data: TSchema
  /** What stands under `meta`, or `null` where there is none. */
  readonly meta: TSchema | null
  /** The interface leaves `meta` optional, so the document does; we always send it. */
  readonly metaOptional?: true
  /** The members of `data` stand at the top level as well, so that a stock OAuth client reads them. */
  readonly mirrored?: true
  /** What the OpenAPI document calls the whole answer: the interface's name where it gives one. */
  readonly response: string
  /** Store-bound public reads, which a store may gate. @see CONTRACT, Store access */
  readonly gated?: true
  /**
   * Optional members of `data` that are shown once, each with the member that tells its state. The answer that is kept for a
   * repetition lacks the secret and says `already_shown`. @see CONTRACT, Idempotency
   */
  readonly secrets?: Readonly<Record<string, string>>
  readonly limits?: readonly RowLimit[]
  /**
   * What the operation itself can refuse, in descending precedence: where more than one applies, the first is answered.
   * Refusals of the pipeline (credentials, limits, parsing, idempotency) follow from the other facts: `refusalsOf`.
   */
  readonly refusals: readonly RefusalCode[]
}

/** Declares a row, keeping its literal types for inference. */
export function operation<const Row extends Operation>(row: Row): Row {
  return row
}

/** What the parser reads of a row, public or private. */
export interface ParsedRow extends Pick<Operation, 'params' | 'query' | 'undeclaredQuery' | 'body'> {
  readonly auth: { readonly kind: string }
}

/** What a handler of the row is given. */
export interface InputOf<Row extends ParsedRow> {
  readonly params: Static<Row['params']>
  readonly query: Row extends { readonly undeclaredQuery: infer Query extends TObject }
    ? Static<Query>
    : Static<Row['query']>
  readonly body: Row['body'] extends TSchema ? Static<Row['body']> : null
}

/** What a handler of the row answers: the data, or data and meta where the row has a meta. */
export type OutputOf<Row extends Pick<Operation, 'data' | 'meta'>> = Row['meta'] extends TSchema
  ? { readonly data: Static<Row['data']>; readonly meta: Static<Row['meta']> }
  : Static<Row['data']>
