/** The private interface of the operator side: its rows, by operationId. It may change freely; nobody else builds on it. */
import { afterSalesRows } from './rows/after-sales.ts'
import { auditRows } from './rows/audit.ts'
import { cancellationRows } from './rows/cancellations.ts'
import { dashboardRows } from './rows/dashboard.ts'
import { fulfilmentRows } from './rows/fulfilment.ts'
import { importRows } from './rows/imports.ts'
import { installationRows } from './rows/installations.ts'
import { orderRows } from './rows/orders.ts'
import { sessionRows } from './rows/sessions.ts'
import { storeRows } from './rows/stores.ts'
import { webhookRows } from './rows/webhooks.ts'

export * from './operation.ts'
export { LIMIT_DEFAULT, listQuery, pageOf } from './page.ts'
export { type OperatorRefusalCode, operatorRefusals } from './refusals.ts'
export { AFTER_SALES_STEPS, OperatorAfterSales } from './rows/after-sales.ts'
export { AuditEntry } from './rows/audit.ts'
export { OperatorCancellation } from './rows/cancellations.ts'
export { Dashboard } from './rows/dashboard.ts'
export { FULFILMENT_STATUSES, OperatorFulfilment, PARCEL_STEPS } from './rows/fulfilment.ts'
export { OperatorImport, OperatorImportReport } from './rows/imports.ts'
export { OperatorInstallation, OperatorKey } from './rows/installations.ts'
export { OperatorOrder, OperatorOrderSummary } from './rows/orders.ts'
export { OperatorSession } from './rows/sessions.ts'
export { OperatorStaff, OperatorStore } from './rows/stores.ts'
export { OperatorWebhookDelivery, OperatorWebhookEndpoint } from './rows/webhooks.ts'

export const operatorOperations = {
  ...sessionRows,
  ...dashboardRows,
  ...orderRows,
  ...cancellationRows,
  ...afterSalesRows,
  ...fulfilmentRows,
  ...storeRows,
  ...importRows,
  ...installationRows,
  ...webhookRows,
  ...auditRows,
}

export type OperatorOperationId = keyof typeof operatorOperations
export const operatorOperationIds = Object.keys(operatorOperations) as readonly OperatorOperationId[]
