/** What other features and entry points may use of after-sales. */

export { type AfterSales, afterSalesActionsOf } from './after-sales.ts'
export { afterSalesAnswer, openAfterSales } from './change.ts'
export {
  approveAfterSales,
  declineAfterSales,
  reviewAfterSales,
  usualApproval,
  withdrawAfterSales,
} from './decisions.ts'
export { type Replacement, replacementsOf } from './exchange.ts'
export { type InspectionResult, inspectAfterSales, markInTransit, markReceived } from './goods.ts'
export { expireOverdueAfterSales } from './jobs.ts'
export { editableAfterSalesMails, repeatableRequestMails } from './mails.ts'
export { afterSalesOperations } from './operations.ts'
export { afterSalesRefundOutcome, completeRefundedAfterSales } from './refund-outcome.ts'
export { presentRequests, requestsOf } from './requests-of-order.ts'
export { completeAfterSales, resolveAfterSales } from './resolution.ts'
export {
  afterSalesEnded,
  afterSalesIn,
  afterSalesOf,
  afterSalesUnderWay,
  countReturnsToDecide,
  type EndedPosition,
  findAfterSales,
} from './store.ts'
export { presentAfterSales } from './view.ts'
