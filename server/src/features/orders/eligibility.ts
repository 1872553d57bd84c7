import type { OrderEligibility } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import type { LineQuantity, Order } from './order.ts'
import type { OrderPolicy, VersionedPolicy } from './policy.ts'

/** An order, and what is under way with it. Goods and money are always as they are now. */
export interface Situation {
  readonly order: Order
  /** The open cancellation, if there is one. */
  readonly openCancellationId: string | null
  /** The open after-sales request of a line, by line id. */
  readonly openRequests: ReadonlyMap<string, string>
}

/** By which rules, and at which moment, an order is judged: now, or when a token was given. */
export interface Terms {
  readonly at: Date
  /** By store id. */
  readonly policies: ReadonlyMap<string, VersionedPolicy>
  /** The lines that are sold for good, by line id. */
  readonly finalSale: ReadonlySet<string>
}

/** Every reason, with what it says to people. The codes never change. */
export const REASONS = {
  payment_outcome_unknown: 'It is not known yet what became of a payment.',
  payment_not_settled: 'The order is not paid.',
  order_canceled: 'The order is canceled.',
  order_not_completed: 'The order has not come to the point where this can be asked for.',
  order_on_hold: 'The order is on hold, so a person decides.',
  already_shipped: 'All of it has shipped.',
  in_fulfillment: 'It is being prepared, so a person decides.',
  approval_required: 'The store decides each request by hand.',
  refund_by_hand: 'The money did not come through us, so a person gives it back.',
  window_closed: 'The window has closed.',
  not_shipped: 'It has not shipped. It can be canceled instead.',
  already_reimbursed: 'The money for it has gone back already.',
  final_sale: 'It was sold for good.',
  quantity_exceeded: 'There are fewer units than that.',
  open_request_exists: 'There is an open request for it.',
  kind_not_offered: 'The store does not offer this.',
} as const
export type ReasonCode = keyof typeof REASONS

export interface Reason {
  readonly code: ReasonCode
  readonly lineId?: string
}

export type Decision = OrderEligibility['decision']

/** What would be answered to a request. */
export interface Judgement {
  readonly decision: Decision
  readonly reasons: readonly Reason[]
  /** Until when it would be answered so, where time changes it. */
  readonly until: Date | null
  /** The units that may be asked for, without the lines of which none may. */
  readonly max: readonly LineQuantity[]
}

/** What stands in the way of a whole order. */
export type Obstacle = readonly [code: ReasonCode, stands: (situation: Situation) => boolean]

/** The first that stands, because only it is told. */
export function firstObstacle(obstacles: readonly Obstacle[], situation: Situation): ReasonCode | null {
  return obstacles.find(([, stands]) => stands(situation))?.[0] ?? null
}

export function reasonOf(code: ReasonCode, lineId?: string): Reason {
  return { code, ...(lineId !== undefined && { lineId }) }
}

/** Whom nothing can be asked, for one reason. */
export function ineligible(...reasons: readonly Reason[]): Judgement {
  return { decision: 'ineligible', reasons, until: null, max: [] }
}

/** The stores of an order, in the order of their first lines. */
export function listVisibleStores({ lines }: Pick<Order, 'lines'>): readonly string[] {
  return [...new Set(lines.map(({ storeId }) => storeId))]
}

/** The rules of a store: there are some for each store of the order. */
export function rulesOf({ policies }: Pick<Terms, 'policies'>, storeId: string): OrderPolicy {
  return policyOf(policies, storeId).policy
}

/** The versions by which an order is judged, by store id. */
export function versionsOf({ policies }: Pick<Terms, 'policies'>): Readonly<Record<string, number>> {
  return Object.fromEntries([...policies].map(([storeId, { version }]) => [storeId, version]))
}

/** The last of some moments; `null` where there is none. */
export function latest(moments: readonly (Date | null)[]): Date | null {
  return moments.reduce((last, moment) => (last === null || (moment !== null && moment > last) ? moment : last), null)
}

/** The first of some moments; `null` where there is none. */
export function earliest(moments: readonly (Date | null)[]): Date | null {
  return moments.reduce(
    (first, moment) => (first === null || (moment !== null && moment < first) ? moment : first),
    null,
  )
}

function policyOf(policies: Terms['policies'], storeId: string): VersionedPolicy {
  return present(policies.get(storeId), `the policy of ${storeId}`)
}
