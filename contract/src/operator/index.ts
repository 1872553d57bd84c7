/** The private operator API: its rows, by operationId. It may change with each release. */

import { installationRows } from './rows/apps/installations.ts'
import { integrationRows } from './rows/apps/integrations.ts'
import { oauthClientRows } from './rows/apps/oauth-clients.ts'
import { webhookRows } from './rows/apps/webhooks.ts'
import { categoryRows } from './rows/catalog/categories.ts'
import { importRows } from './rows/catalog/imports.ts'
import { pictureRows } from './rows/catalog/pictures.ts'
import { policyRows } from './rows/catalog/policies.ts'
import { productRows } from './rows/catalog/products.ts'
import { promotionRows } from './rows/catalog/promotions.ts'
import { searchRows } from './rows/catalog/search.ts'
import { storeRows } from './rows/catalog/stores.ts'
import { taxAndShippingRows } from './rows/catalog/tax-and-shipping.ts'
import { auditRows } from './rows/monitoring/audit-log.ts'
import { findRows } from './rows/monitoring/find.ts'
import { jobRows } from './rows/monitoring/jobs.ts'
import { launchRows } from './rows/monitoring/launch.ts'
import { mailboxRows } from './rows/monitoring/mailbox.ts'
import { salesRows } from './rows/monitoring/sales.ts'
import { systemRows } from './rows/monitoring/system.ts'
import { workRows } from './rows/monitoring/work.ts'
import { afterSalesRows } from './rows/sales/after-sales.ts'
import { bankAccountRows } from './rows/sales/bank-accounts.ts'
import { cancellationRows } from './rows/sales/cancellations.ts'
import { customerRows } from './rows/sales/customers.ts'
import { fulfillmentRows } from './rows/sales/fulfillments.ts'
import { invoiceRows } from './rows/sales/invoices.ts'
import { licenseRows } from './rows/sales/licenses.ts'
import { orderImportRows } from './rows/sales/order-imports.ts'
import { orderStaffRows } from './rows/sales/order-staff.ts'
import { orderRows } from './rows/sales/orders.ts'
import { paymentRows } from './rows/sales/payments.ts'
import { transferRows } from './rows/sales/transfers.ts'
import { contactRows } from './rows/settings/contact.ts'
import { decorationRows } from './rows/settings/decorations.ts'
import { freshProofRows } from './rows/settings/fresh-proof.ts'
import { legalRows } from './rows/settings/legal.ts'
import { mailTemplateRows } from './rows/settings/mail-templates.ts'
import { operatorRows } from './rows/settings/operators.ts'
import { passkeyRows } from './rows/settings/passkeys.ts'
import { privacyRows } from './rows/settings/privacy.ts'
import { providerSignInRows } from './rows/settings/provider-sign-in.ts'
import { secondFactorRows } from './rows/settings/second-factor.ts'
import { secretRows } from './rows/settings/secrets.ts'
import { sellerRows } from './rows/settings/seller-records.ts'
import { sessionRows } from './rows/settings/sessions.ts'
import { siteRows } from './rows/settings/site.ts'

export * from './operation.ts'
export { LIMIT_DEFAULT, listQuery, pageOf } from './page.ts'
export { type OperatorRefusalCode, operatorRefusals } from './refusals.ts'
export {
  accessNeeded,
  type IntegrationAccess,
  type IntegrationArea,
  integrationAllows,
  integrationAreas,
  type OperatorAccess,
  type OperatorArea,
  type OperatorRole,
  operatorAreas,
  operatorRoleNames,
  operatorRoles,
  roleAllows,
  roleMayGive,
  storeAllows,
} from './roles.ts'
export { OperatorInstallation, OperatorKey } from './rows/apps/installations.ts'
export { LOGGED_EVENTS, OperatorEvent, OperatorIntegration } from './rows/apps/integrations.ts'
export { OperatorGrant, OperatorOAuthClient } from './rows/apps/oauth-clients.ts'
export { OperatorWebhookDelivery, OperatorWebhookEndpoint } from './rows/apps/webhooks.ts'
export { CATEGORIES_MAX, OperatorCategory } from './rows/catalog/categories.ts'
export {
  OperatorImport,
  OperatorImportPreview,
  OperatorImportReport,
  OperatorImportUndo,
} from './rows/catalog/imports.ts'
export { OperatorPicture } from './rows/catalog/pictures.ts'
export { OperatorOrderPolicy } from './rows/catalog/policies.ts'
export { OperatorProduct, OperatorProductSummary, OperatorSku } from './rows/catalog/products.ts'
export { OperatorPromotion, PromotionTrial } from './rows/catalog/promotions.ts'
export {
  OperatorSearchInsight,
  OperatorSearchPreview,
  OperatorSearchRule,
  OperatorSearchSynonyms,
  OperatorShippedSynonyms,
} from './rows/catalog/search.ts'
export { OperatorStaff, OperatorStore } from './rows/catalog/stores.ts'
export { OperatorShippingZone, OperatorTaxRate, OperatorTaxScheme } from './rows/catalog/tax-and-shipping.ts'
export { AuditEntry } from './rows/monitoring/audit-log.ts'
export { OperatorFindings } from './rows/monitoring/find.ts'
export { OperatorJob } from './rows/monitoring/jobs.ts'
export { LAUNCH_MISSING_MAX, LAUNCH_STEPS, OperatorLaunch } from './rows/monitoring/launch.ts'
export { OperatorMail, OperatorMailWithText } from './rows/monitoring/mailbox.ts'
export { OperatorSales } from './rows/monitoring/sales.ts'
export { OperatorSystem } from './rows/monitoring/system.ts'
export { OperatorWork, WORK_COUNT_MAX } from './rows/monitoring/work.ts'
export { AFTER_SALES_STEPS, OperatorAfterSales } from './rows/sales/after-sales.ts'
export { OperatorBankAccount } from './rows/sales/bank-accounts.ts'
export { OperatorCancellation } from './rows/sales/cancellations.ts'
export { OperatorCustomer, OperatorCustomerSummary } from './rows/sales/customers.ts'
export { FULFILLMENT_STATUSES, OperatorFulfillment, PARCEL_STEPS } from './rows/sales/fulfillments.ts'
export { OperatorInvoice } from './rows/sales/invoices.ts'
export { OperatorLicensePool, OperatorLineReport } from './rows/sales/licenses.ts'
export { OperatorRefundPreview } from './rows/sales/order-staff.ts'
export { OperatorOrder, OperatorOrderSummary } from './rows/sales/orders.ts'
export {
  DISPUTE_VIEWS,
  OperatorDispute,
  OperatorListedDispute,
  OperatorPayment,
  OperatorPaymentHistory,
  PAYMENT_VIEWS,
} from './rows/sales/payments.ts'
export { OperatorStatement, OperatorTransfer, STATEMENT_MATCHES, TRANSFER_VIEWS } from './rows/sales/transfers.ts'
export { OperatorContactList } from './rows/settings/contact.ts'
export { OperatorBrandingPreview, OperatorDecoration, OperatorDecorationContent } from './rows/settings/decorations.ts'
export { OperatorProof } from './rows/settings/fresh-proof.ts'
export { OperatorLegalDocument, OperatorLegalVersion } from './rows/settings/legal.ts'
export {
  MailTemplateWords,
  OperatorMailPreview,
  OperatorMailSender,
  OperatorMailTemplate,
} from './rows/settings/mail-templates.ts'
export { OperatorAccount, OperatorSessionSummary } from './rows/settings/operators.ts'
export { OperatorPasskey, PasskeyAssertion } from './rows/settings/passkeys.ts'
export {
  OperatorErasure,
  OperatorPersonalData,
  OperatorRetention,
  OperatorRetentionPreview,
} from './rows/settings/privacy.ts'
export { OperatorSecondFactor } from './rows/settings/second-factor.ts'
export { OperatorSecret, secretPurposes } from './rows/settings/secrets.ts'
export { OperatorSellerRecord } from './rows/settings/seller-records.ts'
export { OperatorSession } from './rows/settings/sessions.ts'
export { OperatorSite } from './rows/settings/site.ts'

export const operatorOperations = {
  ...sessionRows,
  ...workRows,
  ...launchRows,
  ...salesRows,
  ...findRows,
  ...systemRows,
  ...orderRows,
  ...orderStaffRows,
  ...invoiceRows,
  ...cancellationRows,
  ...afterSalesRows,
  ...fulfillmentRows,
  ...paymentRows,
  ...bankAccountRows,
  ...transferRows,
  ...licenseRows,
  ...orderImportRows,
  ...policyRows,
  ...customerRows,
  ...storeRows,
  ...taxAndShippingRows,
  ...productRows,
  ...pictureRows,
  ...categoryRows,
  ...promotionRows,
  ...searchRows,
  ...importRows,
  ...installationRows,
  ...webhookRows,
  ...integrationRows,
  ...siteRows,
  ...contactRows,
  ...sellerRows,
  ...legalRows,
  ...decorationRows,
  ...mailTemplateRows,
  ...mailboxRows,
  ...jobRows,
  ...oauthClientRows,
  ...operatorRows,
  ...secondFactorRows,
  ...passkeyRows,
  ...providerSignInRows,
  ...privacyRows,
  ...freshProofRows,
  ...secretRows,
  ...auditRows,
}

export type OperatorOperationId = keyof typeof operatorOperations
