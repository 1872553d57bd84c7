import type { BankTransferConfig, Config } from '../config.ts'
import { afterSalesRefundOutcome } from '../features/after-sales/index.ts'
import { cancellationRefundOutcome } from '../features/cancellations/index.ts'
import {
  type CheckoutDeps,
  type CheckoutPageDeps,
  checkoutOutcome,
  lateSuccessOutcome,
  type TransferTerms,
} from '../features/checkout/index.ts'
import { prepareFulfillment } from '../features/fulfillment/index.ts'
import { operatorRefundOutcome } from '../features/orders/index.ts'
import { type PaymentOutcomes, Payments, paymentProviders } from '../features/payments/index.ts'
import type { Runtime } from './runtime.ts'

export function createPayments({ config, database, clock, ids, log }: Runtime): Payments {
  const { pagesUrl, simulator, paymentOrder: order, paymentTimeoutMs: timeoutMs } = config
  const stripe = { ...config.stripe, timeoutMs }
  return new Payments({
    database,
    clock,
    ids,
    log,
    providers: paymentProviders({ pagesUrl, simulator, stripe, order }),
    outcomes: outcomesOf(config),
    timeoutMs,
  })
}

/** What an outcome changes, by the purpose of the payment. */
function outcomesOf({ pagesUrl, bankTransfer }: Config): PaymentOutcomes {
  return {
    checkout: checkoutOutcome({ prepareFulfillment, pagesUrl, transfer: transferTerms(bankTransfer) }),
    cancellation: cancellationRefundOutcome,
    after_sales: afterSalesRefundOutcome,
    operator: operatorRefundOutcome,
    late_success: lateSuccessOutcome,
  }
}

const DAY_MS = 86_400_000

function transferTerms({ accounts, currencies, days, stockPercent }: BankTransferConfig): TransferTerms {
  return { accounts, currencies, holdMs: days * DAY_MS, stockPercent }
}

export function createCheckoutPageDeps(
  { revisions, config }: Runtime,
  checkout: CheckoutDeps,
  payments: Payments,
): CheckoutPageDeps {
  return {
    ...checkout,
    prepareFulfillment,
    transfer: transferTerms(config.bankTransfer),
    isTransfer: (provider) => payments.isTransfer(provider),
    isOffered: (provider, { environment, currency, storeIds }) =>
      payments.methodsFor(environment, currency, storeIds).some((method) => method.provider === provider),
    revisionOf: (subject) => String(revisions.of(subject)),
  }
}
