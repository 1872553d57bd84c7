import type { InputOf, Operation, OutputOf, Scope } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Narrowing } from '../../kernel/owner.ts'
import type { Reader, Transaction } from '../postgres/reader.ts'

/** The authenticated caller. @see docs/reference/rules.md#credentials */
export interface Principal {
  readonly installationId: string
  /** The one store whose catalog the credential sees, or `null` for the whole marketplace. */
  readonly storeId: string | null
  /** Set if an access token reaches less than its installation. */
  readonly narrowedTo: Narrowing | null
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  readonly senderConstrained: boolean
  readonly jkt: string | null
  /** The URLs that the installation may send shoppers back to. */
  readonly returnUrls: readonly string[]
  readonly credential: {
    readonly type: 'api_key' | 'access_token'
    readonly id: string
    /** The part that may be displayed. */
    readonly display: string
    readonly createdAt: Date
    readonly expiresAt: Date | null
  }
}

/** The part of the context that every handler has. */
export interface RequestFacts {
  readonly now: Date
  /** Language ranges in the caller's order of preference: the `locale` parameter, else Accept-Language. RFC 4647. */
  readonly languages: readonly string[]
  /** The environment of the credential; `live` for public operations. */
  readonly environment: Environment
}

/** A public read. Its response is cached until the revision of a subject changes. */
export interface PublicReadContext extends RequestFacts {
  readonly reader: Reader
  /**
   * Declares a subject that the response depends on, such as `catalog/store_…`, or `catalog` for all stores. Call it before
   * the read. The cached response is dropped when the revision of the subject grows.
   */
  dependsOn(subject: string): void
  /** The revision of a subject as this process knows it. */
  revisionOf(subject: string): string
  /** The raw X-Store-Access token, or `null`. */
  readonly storeAccess: string | null
  /** Marks the response as private, such as that of a gated store: neither this service nor a cache in between stores it. */
  markPrivate(): void
  /** Registers a callback for each response that is sent, cached ones included. It must be cheap. */
  onAnswer(act: () => void): void
}

/** Returned by a read if the client has the current response: a 304. */
export class NotModified {}

export interface KeyReadContext extends RequestFacts {
  readonly reader: Reader
  readonly principal: Principal
  revisionOf(subject: string): string
  /** Whether the client sent an If-None-Match header. */
  readonly isConditional: boolean
  /** Declares the version of the response, for its ETag. Returns the 304 if the client has this version, else `null`. */
  notModified(version: string): NotModified | null
}

export interface WriteContext extends RequestFacts {
  readonly tx: Transaction
  readonly principal: Principal
  readonly ids: IdSource
  revisionOf(subject: string): string
}

/** A write without a credential. */
interface PublicWriteContext extends RequestFacts {
  readonly tx: Transaction
  readonly ids: IdSource
  /** The raw X-Store-Access token, or `null`. */
  readonly storeAccess: string | null
  /** Commits what was written so far even if the request is refused afterwards, such as a counted attempt. */
  commitEvenIfRefused(): void
}

/** OAuth metadata. */
interface OAuthReadContext extends RequestFacts {
  readonly reader: Reader
}

/** An OAuth write. The handler authenticates the client. */
export interface OAuthWriteContext extends RequestFacts {
  readonly tx: Transaction
  readonly ids: IdSource
  /** The key of the caller's DPoP proof; `null` if the row needs none and none was sent. */
  readonly proof: { readonly jkt: string } | null
  /** Commits what was written so far even if the request is refused afterwards. */
  commitEvenIfRefused(): void
}

/** The contexts of a read and of a write, by kind of `auth`. */
interface Contexts {
  public: [PublicReadContext, PublicWriteContext]
  oauth: [OAuthReadContext, OAuthWriteContext]
  key: [KeyReadContext, WriteContext]
  senderConstrained: [KeyReadContext, WriteContext]
  installation: [KeyReadContext, WriteContext]
}

/** The kind of context follows from the row. */
type ContextOf<Row extends Operation> = Contexts[Row['auth']['kind']][Row['method'] extends 'GET' ? 0 : 1]

/** A handler: load, decide, save, publish, present. */
export type Handler<Row extends Operation> = (
  input: InputOf<Row>,
  context: ContextOf<Row>,
) => Promise<OutputOf<Row> | (Row['conditional'] extends true ? NotModified : never)>

/** The context of a preparation. */
export interface PreparationContext extends RequestFacts {
  readonly reader: Reader
  /** Runs a short separate transaction before the slow work, such as one that counts a login attempt. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
}

/**
 * A handler with slow work, such as hashing a password, that runs before the transaction begins: no connection waits for it.
 * The handler receives its result.
 */
export function prepared<Row extends Operation, Prepared>(
  prepare: (input: InputOf<Row>, context: PreparationContext) => Promise<Prepared>,
  handle: (input: InputOf<Row>, context: ContextOf<Row> & { readonly prepared: Prepared }) => Promise<OutputOf<Row>>,
): Handler<Row> {
  return Object.assign(handle as unknown as Handler<Row>, { prepare })
}

/**
 * A handler with a callback that runs after the commit and before the response. It does not run for a replay by
 * idempotency key.
 */
export function afterCommit<Row extends Operation>(handle: Handler<Row>, committed: () => void): Handler<Row> {
  return Object.assign(handle, { committed })
}
