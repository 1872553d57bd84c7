import type { InputOf, Operation, OutputOf, Scope } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Reader, Transaction } from '../postgres/reader.ts'

/** Who is asking, verified, whichever credential it came by. @see CONTRACT, CredentialCache */
export interface Principal {
  readonly installationId: string
  /** The one store the installation belongs to, or `null` for the whole marketplace. */
  readonly storeId: string | null
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  readonly senderConstrained: boolean
  readonly jkt: string | null
  readonly credential: {
    readonly type: 'api_key' | 'access_token'
    readonly id: string
    /** What may be shown of it. */
    readonly display: string
    readonly createdAt: Date
    readonly expiresAt: Date | null
  }
}

/** What every handler is told. */
export interface RequestFacts {
  readonly now: Date
  /** Language ranges in the caller's order of preference: the `locale` parameter, else Accept-Language. RFC 4647. */
  readonly languages: readonly string[]
  /** The environment whose data is shown: the credential's; `live` for public reads. */
  readonly environment: Environment
}

/** A public read: its answer is kept as bytes until the revision of its subject changes. */
export interface PublicReadContext extends RequestFacts {
  readonly reader: Reader
  /**
   * Names what the answer shows, such as `catalog/store_…`, or `catalog` for all stores. Call it before the read that
   * it covers. The answer is forgotten when that subject's revision grows.
   */
  dependsOn(subject: string): void
  /** The revision of a subject as this process knows it. */
  revisionOf(subject: string): string
  /** The raw X-Store-Access token, or `null`. */
  readonly storeAccess: string | null
  /** Says that the answer is for this caller alone, as that of a gated store is: nobody keeps it, neither we nor a cache. */
  markPrivate(): void
}

export interface KeyReadContext extends RequestFacts {
  readonly reader: Reader
  readonly principal: Principal
  revisionOf(subject: string): string
}

export interface WriteContext extends RequestFacts {
  readonly tx: Transaction
  readonly principal: Principal
  readonly ids: IdSource
  revisionOf(subject: string): string
}

/** A public write: what anyone may ask to be done. */
export interface PublicWriteContext extends RequestFacts {
  readonly tx: Transaction
  readonly ids: IdSource
  /** The raw X-Store-Access token, or `null`. */
  readonly storeAccess: string | null
  /** What was written so far stays, even where the request is refused after it: a try that counts. */
  commitEvenIfRefused(): void
}

/** The OAuth endpoint that describes. */
export interface OAuthReadContext extends RequestFacts {
  readonly reader: Reader
}

/** The OAuth endpoints that change something. Who the client is, is theirs to find out. */
export interface OAuthWriteContext extends RequestFacts {
  readonly tx: Transaction
  readonly ids: IdSource
  /** The key that the caller has proven to hold. */
  readonly proof: { readonly jkt: string }
  /** What was written so far stays, even where the request is refused after it. */
  commitEvenIfRefused(): void
}

/** By kind of `auth`: what a read is given, and a write. */
interface Contexts {
  public: [PublicReadContext, PublicWriteContext]
  oauth: [OAuthReadContext, OAuthWriteContext]
  key: [KeyReadContext, WriteContext]
  senderConstrained: [KeyReadContext, WriteContext]
  installation: [KeyReadContext, WriteContext]
}

/** The kind of context follows from the row. */
export type ContextOf<Row extends Operation> = Contexts[Row['auth']['kind']][Row['method'] extends 'GET' ? 0 : 1]

/** A handler: load, decide, save, tell, show. */
export type Handler<Row extends Operation> = (input: InputOf<Row>, context: ContextOf<Row>) => Promise<OutputOf<Row>>

/** What a preparation is told. It reads, and changes nothing. */
export interface PreparationContext extends RequestFacts {
  readonly reader: Reader
}

/**
 * A handler with a slow part, such as hashing a password, that runs before the transaction is open: no connection is held
 * for it. What it answers is given to the handler; what it refuses has changed nothing.
 */
export function prepared<Row extends Operation, Prepared>(
  prepare: (input: InputOf<Row>, context: PreparationContext) => Promise<Prepared>,
  handle: (input: InputOf<Row>, context: ContextOf<Row> & { readonly prepared: Prepared }) => Promise<OutputOf<Row>>,
): Handler<Row> {
  return Object.assign(handle as unknown as Handler<Row>, { prepare })
}

/**
 * A handler that hears when its change is committed, before anybody is answered. It is told nothing and changes nothing
 * any more; a repetition that is answered from its key is not heard of.
 */
export function afterCommit<Row extends Operation>(handle: Handler<Row>, committed: () => void): Handler<Row> {
  return Object.assign(handle, { committed })
}
