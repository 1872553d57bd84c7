import { integrationAllows, type OperatorOperation, roleAllows, storeAllows } from '@vitrine/contract/operator'
import { refuse } from '../../kernel/refusal.ts'
import type { Operator } from './handler.ts'

/**
 * Refuses a row that the role or the token does not allow; for one store, also a row that is not narrowed to stores.
 *
 * Refusals: `role_insufficient`, `access_insufficient`.
 */
export function refuseInsufficient(operator: Operator, row: OperatorOperation): void {
  const { role, integration, store } = operator
  const isAllowed = integration ? integrationAllows(integration.access, row) : roleAllows(role, row)
  if (!isAllowed || (store && !storeAllows(row))) refuseAccess(operator)
}

/** Refusals: `role_insufficient`; for tokens of integrations, `access_insufficient`. */
export function refuseAccess({ integration }: Pick<Operator, 'integration'>): never {
  return refuse(integration ? 'access_insufficient' : 'role_insufficient')
}
