import { afterSalesRefundOutcome } from '../features/after-sales/index.ts'
import { cancellationRefundOutcome } from '../features/cancellations/index.ts'
import {
  type CheckoutDeps,
  type CheckoutPageDeps,
  checkoutOutcome,
  lateSuccessOutcome,
} from '../features/checkout/index.ts'
import { beginFulfillment } from '../features/fulfillment/index.ts'
import { operatorRefundOutcome } from '../features/orders/index.ts'
import { type PaymentOutcomes, Payments, paymentProviders } from '../features/payments/index.ts'
import type { Runtime } from './runtime.ts'

export function createPayments({ config, database, clock, ids, log }: Runtime): Payments {
  const { pagesUrl, simulator } = config
  return new Payments({
    database,
    clock,
    ids,
    log,
    providers: paymentProviders({ pagesUrl, simulator }),
    outcomes: outcomesOf(pagesUrl),
    timeoutMs: config.paymentTimeoutMs,
    instructions: config.paymentInstructions,
  })
}

/** What an outcome changes, by the purpose of the payment. */
function outcomesOf(pagesUrl: string): PaymentOutcomes {
  return {
    checkout: checkoutOutcome({ beginFulfillment, pagesUrl }),
    cancellation: cancellationRefundOutcome,
    after_sales: afterSalesRefundOutcome,
    operator: operatorRefundOutcome,
    late_success: lateSuccessOutcome,
  }
}

export function createCheckoutPageDeps(
  { revisions }: Runtime,
  checkout: CheckoutDeps,
  payments: Payments,
): CheckoutPageDeps {
  return {
    ...checkout,
    beginFulfillment,
    isOffered: (provider, environment, currency) =>
      payments.methodsFor(environment, currency).some((method) => method.provider === provider),
    revisionOf: (subject) => String(revisions.of(subject)),
  }
}
