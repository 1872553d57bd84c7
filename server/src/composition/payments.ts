import type { BankTransferConfig } from '../config.ts'
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

export function createPayments(runtime: Runtime): Payments {
  const { config, database, clock, ids, log } = runtime
  const { pagesUrl, simulator, paymentOrder: order, paymentTimeoutMs: timeoutMs } = config
  const stripe = { ...config.stripe, timeoutMs }
  return new Payments({
    database,
    clock,
    ids,
    log,
    providers: paymentProviders({ pagesUrl, simulator, stripe, order }),
    outcomes: outcomesOf(runtime),
    timeoutMs,
  })
}

/** The changes that an outcome makes, keyed by the purpose of the payment. */
function outcomesOf({ config, secrets }: Runtime): PaymentOutcomes {
  const { pagesUrl, bankTransfer } = config
  const pageSecret = secrets['checkout-page']
  return {
    checkout: checkoutOutcome({ prepareFulfillment, pagesUrl, pageSecret, transfer: transferTerms(bankTransfer) }),
    cancellation: cancellationRefundOutcome,
    after_sales: afterSalesRefundOutcome,
    operator: operatorRefundOutcome,
    late_success: lateSuccessOutcome,
  }
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The terms of payment by bank transfer. */
export function transferTerms({
  accounts,
  currencies,
  days,
  confirmMinutes,
  stockPercent,
}: BankTransferConfig): TransferTerms {
  const unconfirmedMs = confirmMinutes === 0 ? null : confirmMinutes * MINUTE_MS
  return { accounts, currencies, holdMs: days * DAY_MS, unconfirmedMs, stockPercent }
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
    capturesLater: (...asked) => payments.capturesLater(...asked),
    isOffered: (provider, { environment, currency, storeIds }) =>
      payments.methodsFor(environment, currency, storeIds).some((method) => method.provider === provider),
    revisionOf: (subject) => String(revisions.of(subject)),
  }
}
