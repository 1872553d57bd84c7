import type { TSchema } from 'typebox'
import type { Operation } from '../operation.ts'
import type { RefusalCode } from '../refusals.ts'
import type { OperatorRefusalCode } from './refusals.ts'
import type { OperatorArea } from './roles.ts'

/**
 * How a row is kept to one store for a token that is narrowed to it: `list`, its handler lists what is of the store alone; the
 * others, the object that its path names has to be of the store. Of an order of several stores, the share of one is shown.
 */
export type StoreNarrowing = 'list' | 'order' | 'parcel' | 'after_sales' | 'product'

/**
 * One operation of the private operator door as data, in the form of the public rows. The door records every change (every
 * method except GET) in the audit log.
 */
export interface OperatorOperation
  extends Pick<
    Operation,
    'method' | 'tag' | 'summary' | 'description' | 'params' | 'query' | 'body' | 'data' | 'meta'
  > {
  readonly path: `/operator/v1/${string}`
  /** `none`: operations that must work without signing in. The area decides which roles may call a row; `own` is for all. */
  readonly auth: { readonly kind: 'none' } | { readonly kind: 'operator'; readonly area: OperatorArea | 'own' }
  /** Absent: a token that is narrowed to one store may not call the row. */
  readonly store?: StoreNarrowing
  /** The body is a file, read as a stream. */
  readonly upload?: true
  /** The answer is a streamed file of this content type; `data` is the schema of a line of text. */
  readonly download?: 'application/x-ndjson' | 'text/csv' | 'application/pdf'
  /** Opens its own transactions, because it calls other services or runs for long. */
  readonly ownTransactions?: true
  /** Not audited: it changes nothing that others see. */
  readonly unaudited?: true
  readonly refusals: readonly (RefusalCode | OperatorRefusalCode)[]
}

/** Declares a row, keeping its literal types for inference. */
export function operatorOperation<const Row extends OperatorOperation>(row: Row): Row {
  return row
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
