import { refuse } from '../../kernel/refusal.ts'
import {
  currentUnits,
  type Decision,
  isUnpaid,
  type LineQuantity,
  type Order,
  refuseTooMany,
  refuseUnknownOutcome,
  type Situation,
  statusesOf,
  type Terms,
  wholeOf,
} from '../orders/index.ts'
import type { CancellationScope } from './cancellation.ts'
import { evaluateCancellation } from './eligibility.ts'

/** The units to cancel, and whether they are canceled at once. */
interface CancellationPlan {
  readonly decision: Exclude<Decision, 'ineligible'>
  readonly units: readonly LineQuantity[]
  readonly scope: CancellationScope
}

/**
 * Plans the cancellation of some units, or of all that can be canceled.
 *
 * Refusals: `payment_outcome_unknown`, `order_not_cancelable`, `cancellation_exists`, `quantity_exceeded`.
 */
export function planCancellation(
  situation: Situation,
  terms: Terms,
  wanted: readonly LineQuantity[] | undefined,
): CancellationPlan {
  const { order, openCancellation } = situation
  refuseUnknownOutcome(order)
  // Evaluated without the open cancellation first: if nothing can be canceled anymore, it is refused for that reason.
  const eligibility = evaluateCancellation({ ...situation, openCancellation: null }, terms)
  const { decision } = eligibility
  if (decision === 'ineligible')
    refuseCancellation(
      order,
      eligibility.reasons.map(({ code }) => code),
    )
  if (openCancellation !== null) {
    const isShown = openCancellation.lineIds.some((lineId) => order.lines.some(({ id }) => id === lineId))
    const heldBy = isShown ? { heldBy: openCancellation.id } : {}
    refuse('cancellation_exists', { conflict: { ...currentStateOf(order), ...heldBy } })
  }
  const units = wanted ?? eligibility.max
  refuseTooMany(units, eligibility)
  const scope = scopeOf(wholeOf(order), units)
  // A payment that was not captured can only be voided as a whole.
  if (scope === 'partial' && isUnpaid(order)) refuseCancellation(order, ['payment_not_settled'])
  return { decision, units, scope }
}

/** Refuses `order_not_cancelable` with the reasons. */
export function refuseCancellation(
  order: Order,
  reasons: readonly string[],
  lines: readonly LineQuantity[] = [],
): never {
  refuse('order_not_cancelable', {
    conflict: {
      ...currentStateOf(order),
      reasons: [...new Set(reasons)].slice(0, 20),
      ...(lines.length > 0 && {
        lines: lines.map(({ lineId, quantity }) => ({ lineId, availableQuantity: quantity })),
      }),
    },
  })
}

function scopeOf({ lines }: Order, wanted: readonly LineQuantity[]): CancellationScope {
  const units = new Map(wanted.map(({ lineId, quantity }) => [lineId, quantity]))
  return lines.every((line) => currentUnits(line.units) === (units.get(line.id) ?? 0)) ? 'full' : 'partial'
}

function currentStateOf(order: Order) {
  return { currentState: statusesOf(order).status, currentVersion: order.version }
}
