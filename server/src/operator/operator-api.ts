import { type OperatorOperationId, operatorOperations } from '@vitrine/contract/operator'
import type { FastifyInstance } from 'fastify'
import type { OperatorHandler } from './door/operator-handler.ts'
import { type AnyOperatorHandler, addOperatorRoutes, type OperatorHouse } from './door/operator-routes.ts'
import { afterSalesOperations } from './operations/after-sales-operations.ts'
import { listAuditLog } from './operations/audit-operations.ts'
import { cancellationOperations } from './operations/cancellation-operations.ts'
import { categoryOperations } from './operations/category-operations.ts'
import { customerOperations } from './operations/customer-operations.ts'
import { getDashboard } from './operations/dashboard-operations.ts'
import { decorationOperations } from './operations/decoration-operations.ts'
import { fulfilmentOperations } from './operations/fulfilment-operations.ts'
import { importOperations } from './operations/import-operations.ts'
import { installationOperations } from './operations/installation-operations.ts'
import { jobOperations } from './operations/job-operations.ts'
import { legalOperations } from './operations/legal-operations.ts'
import { type LicenceOperationDeps, licenceOperations } from './operations/licence-operations.ts'
import { mailboxOperations } from './operations/mailbox-operations.ts'
import { type OAuthOperationDeps, oauthClientOperations } from './operations/oauth-operations.ts'
import { operatorAccountOperations } from './operations/operator-operations.ts'
import { importOrders } from './operations/order-import-operations.ts'
import { orderOperations } from './operations/order-operations.ts'
import { type PaymentOperationDeps, paymentOperations } from './operations/payment-operations.ts'
import { policyOperations } from './operations/policy-operations.ts'
import { productOperations } from './operations/product-operations.ts'
import { promotionOperations } from './operations/promotion-operations.ts'
import { getSession, getSetupState, type SessionDeps, setUp, signIn, signOut } from './operations/session-operations.ts'
import { siteOperations } from './operations/site-operations.ts'
import { storeOperations } from './operations/store-operations.ts'
import { taxAndShippingOperations } from './operations/tax-and-shipping-operations.ts'
import { type WebhookOperationDeps, webhookOperations } from './operations/webhook-operations.ts'

/** One handler a row: a missing or an extra one does not compile. */
type OperatorHandlerMap = {
  readonly [Id in OperatorOperationId]: OperatorHandler<(typeof operatorOperations)[Id]>
}

/** What the operator's handlers are made with. */
export interface OperatorDeps
  extends OperatorHouse,
    SessionDeps,
    PaymentOperationDeps,
    LicenceOperationDeps,
    OAuthOperationDeps,
    WebhookOperationDeps {
  readonly cursorSecret: Buffer
}

function operatorHandlersOf(parts: OperatorDeps): OperatorHandlerMap {
  return {
    getSetupState,
    setUp: setUp(parts),
    signIn: signIn(parts),
    getSession,
    signOut,
    getDashboard: getDashboard(parts.metrics),
    ...orderOperations(parts),
    ...cancellationOperations(parts),
    ...afterSalesOperations(parts),
    ...fulfilmentOperations(parts),
    ...paymentOperations(parts),
    ...licenceOperations(parts),
    importOrders,
    ...policyOperations,
    ...customerOperations(parts),
    ...storeOperations(parts),
    ...taxAndShippingOperations,
    ...productOperations(parts),
    ...categoryOperations,
    ...promotionOperations(parts),
    ...importOperations(parts),
    ...installationOperations(parts),
    ...webhookOperations(parts),
    ...siteOperations,
    ...legalOperations,
    ...decorationOperations,
    ...mailboxOperations(parts),
    ...jobOperations,
    ...oauthClientOperations(parts),
    ...operatorAccountOperations(parts),
    listAuditLog: listAuditLog(parts.cursorSecret),
  }
}

/** Adds the operator API to its door. */
export function addOperatorApi(app: FastifyInstance, parts: OperatorDeps): void {
  const handlers = operatorHandlersOf(parts) as unknown as Readonly<Record<string, AnyOperatorHandler>>
  addOperatorRoutes(app, parts, operatorOperations, handlers)
}
