import type { OrderEligibility } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import type { ShopperTexts } from '../../../kernel/languages/texts.ts'
import type { LineQuantity, Order } from '../order/order.ts'
import type { UnderWay } from '../order/under-way.ts'
import type { OrderPolicy, VersionedPolicy } from '../policy/policy.ts'

/** An order and its open requests. Goods and money are always current. */
export interface Situation extends UnderWay {
  readonly order: Order
}

/** The rules and the time that an order is evaluated by: now, or those of an eligibility token. */
export interface Terms {
  readonly at: Date
  /** By store id. */
  readonly policies: ReadonlyMap<string, VersionedPolicy>
  /** Ids of the lines that are final sale. */
  readonly finalSale: ReadonlySet<string>
}

/** Codes are stable. */
export type ReasonCode = keyof ShopperTexts['eligibility']

export interface Reason {
  readonly code: ReasonCode
  readonly lineId?: string
}

export type Decision = OrderEligibility['decision']

/** The answer to an eligibility question. */
export interface Eligibility {
  readonly decision: Decision
  readonly reasons: readonly Reason[]
  /** When the answer changes; `null` if time does not change it. */
  readonly until: Date | null
  /** The units that can be requested. Lines without any are left out. */
  readonly max: readonly LineQuantity[]
}

/** A condition that excludes the whole order. */
export type Obstacle = readonly [code: ReasonCode, applies: (situation: Situation) => boolean]

/** The first obstacle that applies. Only this one is reported. */
export function firstObstacle(obstacles: readonly Obstacle[], situation: Situation): ReasonCode | null {
  return obstacles.find(([, applies]) => applies(situation))?.[0] ?? null
}

export function reasonOf(code: ReasonCode, lineId?: string): Reason {
  return { code, ...(lineId !== undefined && { lineId }) }
}

/** Not eligible, for these reasons. */
export function ineligible(...reasons: readonly Reason[]): Eligibility {
  return { decision: 'ineligible', reasons, until: null, max: [] }
}

/** The policy of a store of the order. */
export function rulesOf({ policies }: Pick<Terms, 'policies'>, storeId: string): OrderPolicy {
  return policyOf(policies, storeId).policy
}

/** The policy version of each store, by store id. */
export function versionsOf({ policies }: Pick<Terms, 'policies'>): Readonly<Record<string, number>> {
  return Object.fromEntries([...policies].map(([storeId, { version }]) => [storeId, version]))
}

/** The latest of some times; `null` if there is none. */
export function latest(moments: readonly (Date | null)[]): Date | null {
  return moments.reduce((last, moment) => (last === null || (moment !== null && moment > last) ? moment : last), null)
}

/** The earliest of some times; `null` if there is none. */
export function earliest(moments: readonly (Date | null)[]): Date | null {
  return moments.reduce(
    (first, moment) => (first === null || (moment !== null && moment < first) ? moment : first),
    null,
  )
}

function policyOf(policies: Terms['policies'], storeId: string): VersionedPolicy {
  return present(policies.get(storeId), `the policy of ${storeId}`)
}
