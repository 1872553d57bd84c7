import type { InputOf, OutputOf } from '@vitrine/contract'
import type { OperatorOperationId, operatorOperations } from '@vitrine/contract/operator'
import type { World } from '../support/world.ts'
import type { Marketplace, SignedInOperator } from './marketplace.ts'

type Rows = typeof operatorOperations
type Data<Id extends OperatorOperationId> = OutputOf<Rows[Id]>

/** The entry that a change leaves in the audit log. */
export interface AuditTrace<Answer> {
  readonly kind: 'created' | 'changed' | 'deleted'
  readonly subjectType: string
  /** `null`: an id that the answer does not contain. */
  readonly subjectId: (answer: Answer) => string | null
}

/** The rows that leave an audit entry: changes and recorded reads. */
type ChangeId = {
  [Id in OperatorOperationId]: Rows[Id] extends { readonly recorded: true }
    ? Id
    : Rows[Id] extends { readonly method: 'GET' } | { readonly unaudited: true }
      ? never
      : Id
}[OperatorOperationId]

/** A request that a row answers with 200, typed by the row, and its audit entry. */
export type Call<Id extends OperatorOperationId> = {
  readonly params?: InputOf<Rows[Id]>['params']
  readonly query?: InputOf<Rows[Id]>['query']
  /** A file, if the row takes one. */
  readonly upload?: string | Uint8Array<ArrayBuffer>
  /** The operator who calls; the owner of the marketplace by default. */
  readonly as?: SignedInOperator
  /** The world to call; the marketplace by default. */
  readonly world?: World
} & (InputOf<Rows[Id]>['body'] extends null ? object : { readonly body: InputOf<Rows[Id]>['body'] }) &
  (Id extends ChangeId ? { readonly audit: AuditTrace<Data<Id>> } : object)

/**
 * A call of each row; a row without one does not compile. Each call creates the objects that its row consumes, and uses nothing that
 * another call creates or changes, so that calls succeed separately and in any order.
 */
export type Calls = {
  readonly [Id in OperatorOperationId]: (marketplace: Marketplace) => Call<Id> | Promise<Call<Id>>
}

/** An entry for a new object: no state before. */
export function created<Answer>(subjectType: string, subjectId: (answer: Answer) => string | null): AuditTrace<Answer> {
  return { kind: 'created', subjectType, subjectId }
}

export function changed(subjectType: string, id: string): AuditTrace<unknown> {
  return { kind: 'changed', subjectType, subjectId: () => id }
}

/** An entry for a removed object: no state after. */
export function deleted(subjectType: string, id: string): AuditTrace<unknown> {
  return { kind: 'deleted', subjectType, subjectId: () => id }
}
