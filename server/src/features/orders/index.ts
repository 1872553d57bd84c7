/** The door of orders: what other features may use, and nothing else. */
export {
  type Actor,
  type Adjustment,
  type AdjustmentKind,
  admits,
  beginProcessing,
  chargeVoided,
  currentUnits,
  fulfillableUnits,
  hold,
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
  recordCancelled,
  recordDelivered,
  recordParcel,
  recordParcelChanged,
  recordReturned,
  refundableUnits,
  refundBegun,
  refundSettled,
  refundTriedAgain,
  release,
  returnableUnits,
  statusesOf,
} from './order.ts'
export type { OrderDraft } from './order-draft.ts'
export { type OrderPosition, type OrderSearch, orderIdsOfNumber, type SummaryRow, searchOrders } from './order-list.ts'
export { type OrderStatus, orderMachine } from './order-machine.ts'
export { type OrderParts, orderOperations } from './order-operations.ts'
export {
  findOrder,
  findOrderById,
  lockOrder,
  lockOrderById,
  orderIdOfSession,
  placeOrder,
  saveOrder,
} from './order-store.ts'
export { maskedEmail, showOrder } from './order-view.ts'
export { type Refund, type RefundClaim, refundFor, refundOf, storesWithoutUnits } from './refund.ts'
