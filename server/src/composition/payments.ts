import {
  type CheckoutDeps,
  type CheckoutForPages,
  checkoutForPages,
  checkoutOutcome,
  lateSuccessOutcome,
} from '../features/checkout/index.ts'
import { beginFulfilment } from '../features/fulfilment/index.ts'
import { refundOutcomes } from '../features/orders/index.ts'
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
    checkout: checkoutOutcome({ beginFulfilment, pagesUrl }),
    ...refundOutcomes,
    late_success: lateSuccessOutcome,
  }
}

export function createCheckoutForPages(
  { revisions }: Runtime,
  checkout: CheckoutDeps,
  payments: Payments,
): CheckoutForPages {
  return checkoutForPages({
    ...checkout,
    beginFulfilment,
    isOffered: (provider, environment, currency) =>
      payments.methodsFor(environment, currency).some((method) => method.provider === provider),
    revisionOf: (subject) => String(revisions.of(subject)),
  })
}
