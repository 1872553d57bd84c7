import { type RefundCompletion, refundOutcome } from '../orders/index.ts'
import type { PaymentOutcome } from '../payments/index.ts'
import { complete } from './after-sales.ts'
import { publishAfterSalesEvent } from './events.ts'
import { findAfterSales, saveAfterSales } from './store.ts'

/** Completes a resolving after-sales request once its refund is paid. */
export const completeRefundedAfterSales: RefundCompletion = async (tx, { order, reference, actor }, context) => {
  const request = await findAfterSales(tx, reference)
  if (request?.status !== 'resolving') return
  const completed = complete(request, { now: context.now, actor })
  saveAfterSales(tx, request, completed)
  publishAfterSalesEvent(tx, 'after_sales.updated', { order, request: completed }, context)
}

/** Applies a provider's answer to the refund of an after-sales request. */
export const afterSalesRefundOutcome: PaymentOutcome = refundOutcome(completeRefundedAfterSales)
