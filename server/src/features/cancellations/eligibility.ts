import {
  type Eligibility,
  earliest,
  firstObstacle,
  fulfillableUnits,
  ineligible,
  moneyLeft,
  type Obstacle,
  type Order,
  paymentStatusOf,
  type ReasonCode,
  reasonOf,
  rulesOf,
  type Situation,
  storesOf,
  type Terms,
} from '../orders/index.ts'

const MINUTE_MS = 60_000

/**
 * Evaluates whether an order can be canceled, and which units. Reports the first obstacle only. `eligible`: canceled at once;
 * `manual_review`: an operator decides.
 *
 * @see docs/reference/rules.md#cancellation
 */
export function evaluateCancellation(situation: Situation, terms: Terms): Eligibility {
  const obstacle = firstObstacle(OBSTACLES, situation)
  if (obstacle) return ineligible(reasonOf(obstacle))

  const { order } = situation
  const left = order.lines.filter(({ units }) => fulfillableUnits(units) > 0)
  const isLate = ({ storeId }: { readonly storeId: string }) => hasClosed(order, terms, storeId)
  const late = left.filter(isLate).map(({ id }) => reasonOf('window_closed', id))
  const open = left.filter((line) => !isLate(line))
  if (open.length === 0) return ineligible(reasonOf('window_closed'))

  const reviewReasons = reviewReasonsOf(order, terms)
  return {
    decision: reviewReasons.length > 0 ? 'manual_review' : 'eligible',
    reasons: [...reviewReasons.map((code) => reasonOf(code)), ...late],
    until: earliest(open.map(({ storeId }) => endOfWindow(order, terms, storeId))),
    max: open.map(({ id, units }) => ({ lineId: id, quantity: fulfillableUnits(units) })),
  }
}

/** Conditions that exclude a cancellation, by precedence. */
const OBSTACLES: readonly Obstacle[] = [
  ['payment_outcome_unknown', ({ order }) => paymentStatusOf(order.money) === 'unknown'],
  ['order_canceled', ({ order }) => order.status === 'canceled'],
  ['already_shipped', ({ order }) => order.lines.every(({ units }) => fulfillableUnits(units) === 0)],
  ['open_request_exists', ({ openCancellation }) => openCancellation !== null],
]

/** Conditions that require a manual review. */
const REVIEW_REASONS: readonly (readonly [code: ReasonCode, applies: (order: Order, terms: Terms) => boolean])[] = [
  ['order_on_hold', ({ status }) => status === 'on_hold'],
  ['in_fulfillment', ({ status }) => status === 'processing'],
  ['refund_by_hand', ({ chargeId, money }) => chargeId === null && moneyLeft(money) > 0n],
  [
    'approval_required',
    (order, terms) => storesOf(order).some((storeId) => !rulesOf(terms, storeId).cancellation.automatic),
  ],
]

function reviewReasonsOf(order: Order, terms: Terms): readonly ReasonCode[] {
  return REVIEW_REASONS.filter(([, applies]) => applies(order, terms)).map(([code]) => code)
}

function hasClosed(order: Order, terms: Terms, storeId: string): boolean {
  const end = endOfWindow(order, terms, storeId)
  return end !== null && terms.at >= end
}

function endOfWindow({ placedAt }: Order, terms: Terms, storeId: string): Date | null {
  const { windowMinutes } = rulesOf(terms, storeId).cancellation
  return windowMinutes === null ? null : new Date(placedAt.getTime() + windowMinutes * MINUTE_MS)
}
