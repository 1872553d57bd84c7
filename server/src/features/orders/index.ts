/** The door of orders: what other features may use, and nothing else. */
export {
  type Actor,
  type Adjustment,
  type AdjustmentKind,
  admits,
  currentUnits,
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
  returnableUnits,
  statusesOf,
} from './order.ts'
export type { OrderDraft } from './order-draft.ts'
export {
  beginProcessing,
  hold,
  recordCancelled,
  recordDelivered,
  recordParcel,
  recordParcelChanged,
  recordReturned,
  release,
} from './order-goods.ts'
export { type OrderPosition, type OrderSearch, orderIdsOfNumber, type SummaryRow, searchOrders } from './order-list.ts'
export { type OrderStatus, orderMachine } from './order-machine.ts'
export { chargeVoided, refundBegun, refundSettled, refundTriedAgain } from './order-money.ts'
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
export { type Refund, type RefundClaim, type RefundPart, refundFor, refundOf, storesWithoutUnits } from './refund.ts'
