/** What other features and entry points may use of orders. */

export {
  type Decision,
  type Eligibility,
  earliest,
  firstObstacle,
  ineligible,
  latest,
  type Obstacle,
  type Reason,
  type ReasonCode,
  reasonOf,
  rulesOf,
  type Situation,
  type Terms,
  versionsOf,
} from './eligibility/eligibility.ts'
export {
  DECLINE_REASON,
  refuseInvalidLines,
  refuseInvalidText,
  refuseStaleVersion,
  refuseTooMany,
  refuseUnknownLines,
  refuseUnknownOutcome,
} from './eligibility/guards.ts'
export { type MoneyPreview, partOfRefund, previewOf } from './eligibility/preview.ts'
export { answerFrom, situationOf, termsNow, termsOf } from './eligibility/terms.ts'
export { type EligibilityAnswer, openOptionalToken, sealEligibilityToken } from './eligibility/token.ts'
export { type EligibilityFacts, presentEligibility, presentReasons } from './eligibility/view.ts'
export { importOrders } from './import/run.ts'
export { importOrderUpload } from './import/upload.ts'
export { vatSumsOf } from './invoice/figures.ts'
export { findInvoice, type Invoice, invoiceFile, invoicesOfOrder, invoicesOfPeriod } from './invoice/store.ts'
export { buyerAddressOf } from './invoice/xml.ts'
export {
  INVOICES_ANCHOR,
  ORDER_LINK_PATHS,
  type OrderLink,
  openOrderLink,
  orderLinkOf,
  readOrderLinks,
  savePagesAddress,
} from './link/link.ts'
export { limitOrderLinkRequest, orderLinkJobs, requestOrderLink } from './link/request.ts'
export { attachedInvoices } from './mail/attached.ts'
export {
  goodsRow,
  lineRows,
  linkInMail,
  type MailContext,
  ORDER_PLACEHOLDERS,
  type OrderMail,
  parcelDetails,
} from './mail/compose.ts'
export { composeSample, editableOrderMails, type MailSample } from './mail/editable.ts'
export { type RepeatableMail, repeatableMails } from './mail/resend.ts'
export { SAMPLE_CARRIAGE, type SamplePictures, sampleLink } from './mail/sample.ts'
export { documentLinks, notifyShopper } from './mail/send.ts'
export { orderOperations } from './operations.ts'
export { beginOrder, holdOrder, releaseOrder } from './operator-actions.ts'
export { orderActionsOf } from './order/actions.ts'
export type { OrderDraft } from './order/draft.ts'
export { eventFactsOf, publishOfOrder } from './order/events.ts'
export {
  type DayOfOrders,
  environmentOfOrders,
  hasTestOrder,
  ordersByDay,
  topProducts,
} from './order/figures.ts'
export {
  beginProcessing,
  hold,
  recordCanceled,
  recordDelivered,
  recordParcel,
  recordParcelChanged,
  recordReturnDeclined,
  recordReturned,
  release,
} from './order/goods.ts'
export {
  environmentsWithOrders,
  FIRST_IN_QUEUE,
  type FoundOrder,
  findOrders,
  type OrderPosition,
  type OrderSearch,
  ofEnvironment,
  ofOneStore,
  ordersOfAddress,
  ordersOfCustomer,
  type QueuePage,
  type QueuePosition,
  searchOrders,
} from './order/list.ts'
export {
  chargeAuthorized,
  chargeCaptured,
  chargeDisputed,
  chargeFailed,
  chargeVoided,
  refundBegun,
  refundSettled,
  refundTriedAgain,
} from './order/money.ts'
export {
  type Adjustment,
  type AmountByStore,
  admits,
  type Carriage,
  type CommandContext,
  currentUnits,
  fulfillableUnits,
  isUnpaid,
  type LineQuantity,
  lineOf,
  moneyLeft,
  type Order,
  type OrderLine,
  type OrderMoney,
  type Parcel,
  refundableUnits,
  storesOf,
} from './order/order.ts'
export { type Refund, type RefundPart, refundByStore, refundFor } from './order/refund-amounts.ts'
export { amountsOf, type StoredAmounts } from './order/rows.ts'
export { asShown, ofLines, shareOf, wholeOf } from './order/share.ts'
export { paymentStatusOf, statusesOf } from './order/status.ts'
export { deductStock, releaseHeld, restock } from './order/stock.ts'
export {
  findOrder,
  findOrderById,
  findOrderOfSession,
  findOrderOfShopper,
  lockOrder,
  lockOrderById,
  lockOrderOfSession,
  lockOrderOfShopper,
  ordersOfSessions,
  type PlacedOrder,
  type ShopperAccess,
  saveOrder,
} from './order/store.ts'
export {
  type Actor,
  type EarlierFacts,
  presentTimeline,
  type StoredEntry,
  storedEntry,
  type TimelineEntry,
  timelineEntry,
} from './order/timeline.ts'
export { maskedEmail, type OrderRequests, presentOrder, presentSummary } from './order/view.ts'
export { orderTable } from './order-table.ts'
export { placeOrder } from './placing/place.ts'
export { countPromotionUses, listPromotionUses } from './placing/promotion-uses.ts'
export {
  type AfterSalesKind,
  type AfterSalesRules,
  DEFAULT_POLICY,
  type OrderPolicy,
  type VersionedPolicy,
} from './policy/policy.ts'
export {
  type Policies,
  type PolicyDraft,
  policiesNamed,
  policiesNow,
  readOrderPolicy,
  saveOrderPolicy,
  storesWithoutPolicy,
} from './policy/store.ts'
export {
  countFailedRefunds,
  operatorRefundOutcome,
  previewRefundOfOperator,
  type RefundCompletion,
  type RefundPreview,
  recordRefundPaid,
  recordRefundReturned,
  refundByOperator,
  refundOutcome,
  refundPreviewOf,
  refundsPaidOutside,
  requestRefund,
  retryRefund,
} from './refunds.ts'
export {
  addStaffNote,
  listStaffTags,
  readStaffRecord,
  setStaffTags,
} from './staff/store.ts'
export { type TaxReportLine, taxReport } from './tax-report.ts'
