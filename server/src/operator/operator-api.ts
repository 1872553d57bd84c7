import { type OperatorOperationId, operatorOperations } from '@vitrine/contract/operator'
import type { FastifyInstance } from 'fastify'
import type { EndpointDeps } from '../features/webhooks/index.ts'
import type { OperatorHandler } from './door/handler.ts'
import { type AnyOperatorHandler, addOperatorRoutes, type OperatorDeps } from './door/routes.ts'
import { type InstallationOperationDeps, installationOperations } from './operations/apps/installations.ts'
import { integrationOperations } from './operations/apps/integrations.ts'
import { type OAuthOperationDeps, oauthClientOperations } from './operations/apps/oauth.ts'
import { type WebhookOperationDeps, webhookOperations } from './operations/apps/webhooks.ts'
import { categoryOperations } from './operations/catalog/categories.ts'
import { importOperations } from './operations/catalog/imports.ts'
import { type PictureOperationDeps, pictureOperations } from './operations/catalog/pictures.ts'
import { policyOperations } from './operations/catalog/policies.ts'
import { productOperations } from './operations/catalog/products.ts'
import { promotionOperations } from './operations/catalog/promotions.ts'
import { searchOperations } from './operations/catalog/search.ts'
import { storeOperations } from './operations/catalog/stores.ts'
import { type TaxOperationDeps, taxAndShippingOperations } from './operations/catalog/tax-and-shipping.ts'
import { listAuditLog } from './operations/monitoring/audit-log.ts'
import { findRecords } from './operations/monitoring/find.ts'
import { jobOperations } from './operations/monitoring/jobs.ts'
import { getLaunch } from './operations/monitoring/launch.ts'
import { mailboxOperations } from './operations/monitoring/mailbox.ts'
import { getSales } from './operations/monitoring/sales.ts'
import { getSystem } from './operations/monitoring/system.ts'
import { getWork } from './operations/monitoring/work.ts'
import { afterSalesOperations } from './operations/sales/after-sales.ts'
import { bankAccountOperations } from './operations/sales/bank-accounts.ts'
import { cancellationOperations } from './operations/sales/cancellations.ts'
import { customerOperations } from './operations/sales/customers.ts'
import { exportOperations } from './operations/sales/exports.ts'
import { fulfillmentOperations } from './operations/sales/fulfillments.ts'
import { invoiceOperations } from './operations/sales/invoices.ts'
import { type LicenseOperationDeps, licenseOperations } from './operations/sales/licenses.ts'
import { importOrders } from './operations/sales/order-imports.ts'
import { orderStaffOperations } from './operations/sales/order-staff.ts'
import { orderOperations } from './operations/sales/orders.ts'
import { type PaymentOperationDeps, paymentOperations } from './operations/sales/payments.ts'
import { type TransferOperationDeps, transferOperations } from './operations/sales/transfers.ts'
import { decorationOperations } from './operations/settings/decorations.ts'
import { proofOperations } from './operations/settings/fresh-proof.ts'
import { legalOperations } from './operations/settings/legal.ts'
import { mailSenderOperations } from './operations/settings/mail-sender.ts'
import { type MailTemplateDeps, mailTemplateOperations } from './operations/settings/mail-templates.ts'
import { operatorAccountOperations } from './operations/settings/operators.ts'
import { passkeyOperations } from './operations/settings/passkeys.ts'
import { privacyOperations } from './operations/settings/privacy.ts'
import { providerSignInOperations } from './operations/settings/provider-sign-in.ts'
import { secondFactorOperations } from './operations/settings/second-factor.ts'
import { type SecretOperationDeps, secretOperations } from './operations/settings/secrets.ts'
import { sellerOperations } from './operations/settings/seller-records.ts'
import { getSession, getSetupState, type SessionDeps, setUp, signIn, signOut } from './operations/settings/sessions.ts'
import { siteOperations } from './operations/settings/site.ts'

/** One handler per row: a missing or an extra one does not compile. */
type OperatorHandlerMap = {
  readonly [Id in OperatorOperationId]: OperatorHandler<(typeof operatorOperations)[Id]>
}

/** Dependencies of the operator handlers. */
export interface OperatorApiDeps
  extends OperatorDeps,
    SessionDeps,
    InstallationOperationDeps,
    PaymentOperationDeps,
    TransferOperationDeps,
    LicenseOperationDeps,
    OAuthOperationDeps,
    WebhookOperationDeps,
    EndpointDeps,
    SecretOperationDeps,
    PictureOperationDeps,
    TaxOperationDeps,
    MailTemplateDeps {
  readonly trustedProxies: number
}

function operatorHandlersOf(deps: OperatorApiDeps): OperatorHandlerMap {
  return {
    getSetupState: getSetupState(deps),
    setUp: setUp(deps),
    signIn: signIn(deps),
    getSession,
    signOut,
    getWork,
    getLaunch: getLaunch(deps),
    getSales,
    findRecords,
    getSystem: getSystem(deps),
    ...orderOperations(deps),
    ...orderStaffOperations(deps),
    ...invoiceOperations,
    ...cancellationOperations(deps),
    ...afterSalesOperations(deps),
    ...fulfillmentOperations(deps),
    ...paymentOperations(deps),
    ...bankAccountOperations,
    ...transferOperations(deps),
    ...licenseOperations(deps),
    importOrders,
    ...policyOperations,
    ...customerOperations(deps),
    ...storeOperations(deps),
    ...taxAndShippingOperations(deps),
    ...productOperations(deps),
    ...pictureOperations(deps),
    ...categoryOperations,
    ...promotionOperations(deps),
    ...searchOperations(deps),
    ...exportOperations,
    ...importOperations(deps),
    ...installationOperations(deps),
    ...webhookOperations(deps),
    ...integrationOperations(deps),
    ...siteOperations,
    ...sellerOperations,
    ...legalOperations,
    ...decorationOperations,
    ...mailTemplateOperations(deps),
    ...mailSenderOperations(deps),
    ...mailboxOperations(deps),
    ...jobOperations,
    ...oauthClientOperations(deps),
    ...operatorAccountOperations(deps),
    ...secondFactorOperations(deps),
    ...passkeyOperations(deps),
    ...providerSignInOperations(deps),
    ...privacyOperations,
    ...proofOperations(deps),
    ...secretOperations(deps),
    listAuditLog: listAuditLog(deps.cursorSecret),
  }
}

/** Adds the operator API to its door. */
export function addOperatorApi(app: FastifyInstance, deps: OperatorApiDeps): void {
  const handlers = operatorHandlersOf(deps) as unknown as Readonly<Record<string, AnyOperatorHandler>>
  addOperatorRoutes(app, deps, operatorOperations, handlers)
}
