import { type RefundCompletion, refundOutcome } from '../orders/index.ts'
import type { PaymentOutcome } from '../payments/index.ts'
import { completeCancellation } from './cancellation.ts'
import { findCancellation, saveCancellation } from './store.ts'

/** Completes an approved cancellation once its refund is paid. */
export const completeRefundedCancellation: RefundCompletion = async (tx, { reference }, { now }) => {
  const cancellation = await findCancellation(tx, reference)
  if (cancellation?.status !== 'approved') return
  saveCancellation(tx, cancellation, completeCancellation(cancellation, now))
}

/** Applies a provider's answer to the refund of a cancellation. */
export const cancellationRefundOutcome: PaymentOutcome = refundOutcome(completeRefundedCancellation)
