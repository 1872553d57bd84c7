/** The private interface of the operator side: its rows, by operationId. It may change freely; nobody else builds on it. */
import { auditRows } from './rows/audit.ts'
import { dashboardRows } from './rows/dashboard.ts'
import { installationRows } from './rows/installations.ts'
import { sessionRows } from './rows/sessions.ts'

export * from './operation.ts'
export { LIMIT_DEFAULT, listQuery, pageOf } from './page.ts'
export { type OperatorRefusalCode, operatorRefusals } from './refusals.ts'
export { AuditEntry } from './rows/audit.ts'
export { Dashboard } from './rows/dashboard.ts'
export { OperatorInstallation, OperatorKey } from './rows/installations.ts'
export { OperatorSession } from './rows/sessions.ts'

export const operatorOperations = {
  ...sessionRows,
  ...dashboardRows,
  ...installationRows,
  ...auditRows,
}

export type OperatorOperationId = keyof typeof operatorOperations
export const operatorOperationIds = Object.keys(operatorOperations) as readonly OperatorOperationId[]
