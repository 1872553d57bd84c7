/** The door of orders: what other features may use, and nothing else. */

export { type AfterSales, stepsOf as afterSalesStepsOf } from './after-sales.ts'
export {
  type ApprovalWords,
  approveAfterSales,
  declineAfterSales,
  reviewAfterSales,
  withdrawAfterSales,
} from './after-sales-decisions.ts'
export { type Findings, inspectAfterSales, markInTransit, markReceived } from './after-sales-goods.ts'
export { expireOverdueAfterSales } from './after-sales-jobs.ts'
export { completeAfterSales, resolveAfterSales } from './after-sales-resolution.ts'
export { afterSalesIn, afterSalesOf, afterSalesUnderWay, findAfterSales } from './after-sales-store.ts'
export { presentAfterSales } from './after-sales-view.ts'
export { cancelByOperator, type OperatorCancellation } from './cancel-by-operator.ts'
export type { Cancellation } from './cancellation.ts'
export { type CancellationVerdict, decideCancellation } from './cancellation-decisions.ts'
export type { CancellationDeps } from './cancellation-effects.ts'
export {
  cancellationsIn,
  cancellationsOf,
  findCancellation,
  type QueuePosition,
} from './cancellation-store.ts'
export { presentCancellation } from './cancellation-view.ts'
export {
  type Actor,
  type Adjustment,
  type AdjustmentKind,
  admits,
  fulfillableUnits,
  type LineQuantity,
  type LineUnits,
  lineOf,
  moneyLeft,
  type Occasion,
  type Order,
  type OrderLine,
  type OrderMoney,
  type Parcel,
  type RefundOutcome,
  refundableUnits,
  statusesOf,
} from './order.ts'
export { beginOrder, holdOrder, releaseOrder, type StepByHand, stepsByHand } from './order-by-hand.ts'
export type { OrderDraft } from './order-draft.ts'
export { type DayOfOrders, openOrders, ordersByDay } from './order-figures.ts'
export {
  beginProcessing,
  hold,
  recordCancelled,
  recordDelivered,
  recordParcel,
  recordParcelChanged,
  release,
} from './order-goods.ts'
export { importOrders, type OrderImportReport, type OrderImportRequest } from './order-import.ts'
export { type FoundOrder, type OrderPosition, type OrderSearch, type SummaryRow, searchOrders } from './order-list.ts'
export type { OrderStatus } from './order-machine.ts'
export { refundBegun, refundSettled, refundTriedAgain } from './order-money.ts'
export { type OrderDeps, orderOperations } from './order-operations.ts'
export {
  findOrderById,
  lockOrderById,
  orderIdOfSession,
  placeOrder,
  saveOrder,
} from './order-store.ts'
export { importOrderUpload, type OrderUpload } from './order-upload.ts'
export { maskedEmail, presentOrder, presentSummary } from './order-view.ts'
export type { AfterSalesKind, OrderPolicy, VersionedPolicy } from './policy.ts'
export { DEFAULT_POLICY } from './policy.ts'
export { type PolicyDraft, readOrderPolicy, saveOrderPolicy } from './policy-store.ts'
export { type Refund, type RefundClaim, type RefundPart, refundFor } from './refund.ts'
export { recordRefundPaid, refundByOperator, refundOutcomes, retryRefund } from './refund-intents.ts'
