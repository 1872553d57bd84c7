/** What other features and entry points may use of after-sales. */

export { type AfterSales, afterSalesActionsOf } from './after-sales.ts'
export { afterSalesAnswer, openAfterSales } from './change.ts'
export {
  type ApprovalTexts,
  approveAfterSales,
  declineAfterSales,
  reviewAfterSales,
  withdrawAfterSales,
} from './decisions.ts'
export { type InspectionResult, inspectAfterSales, markInTransit, markReceived } from './goods.ts'
export { expireOverdueAfterSales } from './jobs.ts'
export { editableAfterSalesMails } from './mails.ts'
export { type AfterSalesDeps, afterSalesOperations } from './operations.ts'
export { afterSalesRefundOutcome, completeRefundedAfterSales } from './refund-outcome.ts'
export { presentRequests, requestsOf } from './requests-of-order.ts'
export { completeAfterSales, resolveAfterSales } from './resolution.ts'
export { afterSalesIn, afterSalesOf, afterSalesUnderWay, countReturnsToDecide, findAfterSales } from './store.ts'
export { presentAfterSales } from './view.ts'
