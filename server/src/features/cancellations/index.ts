/** What other features and entry points may use of cancellations. */

export { cancellationAnswer, cancelOrder } from './cancel-order.ts'
export { completeRequestsOfUnpaid } from './canceled-unpaid.ts'
export { type Cancellation, shownIn as cancellationsShownIn } from './cancellation.ts'
export { type CancellationDecision, decideCancellation } from './decisions.ts'
export type { CancellationDeps } from './effects.ts'
export { editableCancellationMails } from './mails.ts'
export { cancellationOperations } from './operations.ts'
export { cancelByOperator, previewCancellation } from './operator-cancellation.ts'
export { cancellationRefundOutcome, completeRefundedCancellation } from './refund-outcome.ts'
export { cancellationsIn, cancellationsOf, countCancellationsToDecide, findCancellation } from './store.ts'
export { presentCancellation } from './view.ts'
