/** The private interface of the operator side: its rows, by operationId. It may change freely; nobody else builds on it. */
import { afterSalesRows } from './rows/after-sales.ts'
import { auditRows } from './rows/audit.ts'
import { cancellationRows } from './rows/cancellations.ts'
import { categoryRows } from './rows/categories.ts'
import { contactRows } from './rows/contact.ts'
import { customerRows } from './rows/customers.ts'
import { dashboardRows } from './rows/dashboard.ts'
import { decorationRows } from './rows/decorations.ts'
import { fulfilmentRows } from './rows/fulfilment.ts'
import { importRows } from './rows/imports.ts'
import { installationRows } from './rows/installations.ts'
import { jobRows } from './rows/jobs.ts'
import { legalRows } from './rows/legal.ts'
import { licenceRows } from './rows/licences.ts'
import { mailboxRows } from './rows/mailbox.ts'
import { oauthClientRows } from './rows/oauth-clients.ts'
import { operatorRows } from './rows/operators.ts'
import { orderImportRows } from './rows/order-imports.ts'
import { orderRows } from './rows/orders.ts'
import { paymentRows } from './rows/payments.ts'
import { policyRows } from './rows/policies.ts'
import { productRows } from './rows/products.ts'
import { promotionRows } from './rows/promotions.ts'
import { sessionRows } from './rows/sessions.ts'
import { siteRows } from './rows/site.ts'
import { storeRows } from './rows/stores.ts'
import { taxAndShippingRows } from './rows/tax-and-shipping.ts'
import { webhookRows } from './rows/webhooks.ts'

export * from './operation.ts'
export { LIMIT_DEFAULT, listQuery, pageOf } from './page.ts'
export { type OperatorRefusalCode, operatorRefusals } from './refusals.ts'
export { AFTER_SALES_STEPS, OperatorAfterSales } from './rows/after-sales.ts'
export { AuditEntry } from './rows/audit.ts'
export { OperatorCancellation } from './rows/cancellations.ts'
export { OperatorCategory } from './rows/categories.ts'
export { OperatorContactList } from './rows/contact.ts'
export { OperatorCustomer, OperatorCustomerSummary } from './rows/customers.ts'
export { Dashboard } from './rows/dashboard.ts'
export { OperatorDecoration, OperatorDecorationContent } from './rows/decorations.ts'
export { FULFILMENT_STATUSES, OperatorFulfilment, PARCEL_STEPS } from './rows/fulfilment.ts'
export { OperatorImport, OperatorImportReport } from './rows/imports.ts'
export { OperatorInstallation, OperatorKey } from './rows/installations.ts'
export { OperatorJob } from './rows/jobs.ts'
export { OperatorLegalDocument, OperatorLegalVersion } from './rows/legal.ts'
export { OperatorLicencePool, OperatorLineReport } from './rows/licences.ts'
export { OperatorMail, OperatorMailWithText } from './rows/mailbox.ts'
export { OperatorGrant, OperatorOAuthClient } from './rows/oauth-clients.ts'
export { OperatorAccount } from './rows/operators.ts'
export { OperatorOrder, OperatorOrderSummary } from './rows/orders.ts'
export { OperatorPayment, OperatorPaymentHistory, PAYMENT_VIEWS } from './rows/payments.ts'
export { OperatorOrderPolicy } from './rows/policies.ts'
export { OperatorProduct, OperatorProductSummary, OperatorSku } from './rows/products.ts'
export { OperatorPromotion, PromotionTrial } from './rows/promotions.ts'
export { OperatorSession } from './rows/sessions.ts'
export { OperatorSite } from './rows/site.ts'
export { OperatorStaff, OperatorStore } from './rows/stores.ts'
export { OperatorShippingZone, OperatorTaxRate } from './rows/tax-and-shipping.ts'
export { OperatorWebhookDelivery, OperatorWebhookEndpoint } from './rows/webhooks.ts'

export const operatorOperations = {
  ...sessionRows,
  ...dashboardRows,
  ...orderRows,
  ...cancellationRows,
  ...afterSalesRows,
  ...fulfilmentRows,
  ...paymentRows,
  ...licenceRows,
  ...orderImportRows,
  ...policyRows,
  ...customerRows,
  ...storeRows,
  ...taxAndShippingRows,
  ...productRows,
  ...categoryRows,
  ...promotionRows,
  ...importRows,
  ...installationRows,
  ...webhookRows,
  ...siteRows,
  ...contactRows,
  ...legalRows,
  ...decorationRows,
  ...mailboxRows,
  ...jobRows,
  ...oauthClientRows,
  ...operatorRows,
  ...auditRows,
}

export type OperatorOperationId = keyof typeof operatorOperations
export const operatorOperationIds = Object.keys(operatorOperations) as readonly OperatorOperationId[]
