import type { TSchema } from 'typebox'
import { completed, type Declared, type Operation } from '../operation.ts'
import type { RefusalCode } from '../refusals.ts'
import type { OperatorRefusalCode } from './refusals.ts'
import type { OperatorArea } from './roles.ts'

/**
 * One operation of the private operator door as data, in the form of the public rows. The door records every change (every
 * method except GET) in the audit log, and the reads that say so.
 */
export interface OperatorOperation
  extends Pick<
    Operation,
    'method' | 'tag' | 'summary' | 'description' | 'params' | 'query' | 'body' | 'data' | 'meta' | 'secrets'
  > {
  readonly path: `/operator/v1/${string}`
  /** `none`: operations that must work without signing in. The area decides which roles may call a row; `own` is for all. */
  readonly auth: { readonly kind: 'none' } | { readonly kind: 'operator'; readonly area: OperatorArea | 'own' }
  /** The body is a file, read as a stream. */
  readonly upload?: true
  /** The answer is a streamed file of this content type; `data` is the schema of a line of text. */
  readonly download?: 'application/x-ndjson' | 'text/csv' | 'application/pdf'
  /** Opens its own transactions, because it calls other services or runs long. */
  readonly ownTransactions?: true
  /** Not audited: it changes nothing that others see. */
  readonly unaudited?: true
  /**
   * Accepts an Idempotency-Key header, because a repetition would have a second effect: with the same key, it gets the answer of the
   * first request, without its `secrets`. Not for a replacement of a secret: only another one gives the caller one that it knows.
   */
  readonly idempotencyKey?: true
  /** A GET that is in the audit log: it reads personal data of many people. */
  readonly recorded?: true
  /**
   * Requires a fresh proof of identity, so that a stolen session is not enough. `always`: the door checks it. `when_large`: the handler
   * checks it if the amount is above the limit of the marketplace. Tokens of integrations have no session and are refused.
   */
  readonly freshProof?: 'always' | 'when_large'
  /** A GET that shows or exports personal data. Each call is in the audit log, with the object that the parameter names. */
  readonly recordsRead?: { readonly type: string; readonly field: string }
  /** Absent: operators and tokens of one store may not call it. Rows of the caller's own session need none. */
  readonly store?: StoreNarrowing
  readonly refusals: readonly (RefusalCode | OperatorRefusalCode)[]
}

/** Objects that belong to one store. `order_share`: an order with items of several stores; each store sees its share. */
export type StoreObject =
  | 'order'
  | 'order_share'
  | 'fulfillment'
  | 'cancellation'
  | 'after_sales'
  | 'invoice'
  | 'product'
  | 'sku'
  | 'category'
  | 'promotion'
  | 'legal_document'
  | 'mail'

/**
 * How a row is narrowed for operators and tokens of one store. `filter`: the handler shows only that store; `no_store`: it concerns no
 * store; `slug`: the named field is the slug of the store; `object`: the path parameter is the id of an object of the store. Other
 * stores and their objects are answered as not found.
 */
export type StoreNarrowing =
  | 'filter'
  | 'no_store'
  | { readonly slug: 'params' | 'query' | 'body'; readonly field: string }
  | { readonly object: StoreObject; readonly field: string }

/** Declares a row, keeping its literal types for inference. */
export function operatorOperation<const Row extends Declared<OperatorOperation>>(row: Row) {
  return completed(row)
}

const named = new Map<string, TSchema>()

/** Gives a schema its name in the operator's OpenAPI document. */
export function operatorNamed<Schema extends TSchema>(name: string, schema: Schema): Schema {
  if (named.has(name)) throw new Error(`The schema name ${name} is taken.`)
  const titled = { ...schema, title: name }
  named.set(name, titled)
  return titled
}

/** Every named schema of the operator side, in order of declaration. */
export function operatorSchemas(): ReadonlyMap<string, TSchema> {
  return named
}
