import type { InputOf, OutputOf } from '@vitrine/contract'
import type { OperatorOperationId, operatorOperations } from '@vitrine/contract/operator'
import type { Client } from '../support/client.ts'
import type { Shop } from '../support/commerce/shop.ts'

type Rows = typeof operatorOperations
export type Said<Id extends OperatorOperationId> = OutputOf<Rows[Id]>

/** What a change leaves in the audit log. */
export interface Trace<Data> {
  /** `made`: nothing was there before; `gone`: nothing is there now; `changed`: it is another one. */
  readonly kind: 'made' | 'changed' | 'gone'
  readonly type: string
  /** `null`: an id of its own, which no answer tells. */
  readonly id: (said: Data) => string | null
}

/** The changes: all that is not read alone. */
type ChangeId = {
  [Id in OperatorOperationId]: Rows[Id] extends { readonly method: 'GET' } | { readonly unaudited: true } ? never : Id
}[OperatorOperationId]

/** How a row is asked so that it succeeds: what it takes, by the types of the row, and what it leaves in the audit log. */
export type Call<Id extends OperatorOperationId> = {
  readonly params?: InputOf<Rows[Id]>['params']
  readonly query?: InputOf<Rows[Id]>['query']
  /** A file, where the row takes one. */
  readonly upload?: string
} & (InputOf<Rows[Id]>['body'] extends null ? object : { readonly body: InputOf<Rows[Id]>['body'] }) &
  (Id extends ChangeId ? { readonly leaves: Trace<Said<Id>> } : object)

/** A marketplace at work, in which the rows are done one after another. */
export interface Stage {
  readonly shop: Shop
  /** The app whose orders, webhooks and customers there are. */
  readonly app: Client & { readonly installationId: string }
  /** What a row has answered, which was done before. */
  said<Id extends OperatorOperationId>(id: Id): Said<Id>
  /** Does once what several rows stand on. */
  once<Result>(name: string, make: () => Promise<Result>): Promise<Result>
}

/** A call for each row: one that has none does not compile. They are done in this order. */
export type Calls = {
  readonly [Id in OperatorOperationId]: (stage: Stage) => Call<Id> | Promise<Call<Id>>
}

/** There is something new: the one that the answer names. */
export function made<Data>(type: string, id: (said: Data) => string | null): Trace<Data> {
  return { kind: 'made', type, id }
}

export function changed(type: string, id: string): Trace<unknown> {
  return { kind: 'changed', type, id: () => id }
}

export function gone(type: string, id: string): Trace<unknown> {
  return { kind: 'gone', type, id: () => id }
}
