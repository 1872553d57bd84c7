import { AFTER_SALES_KINDS } from '@vitrine/contract'
import {
  type AfterSalesKind,
  type Decision,
  type Eligibility,
  firstObstacle,
  ineligible,
  latest,
  type Obstacle,
  type Order,
  type OrderLine,
  type Parcel,
  paymentStatusOf,
  type Reason,
  type ReasonCode,
  reasonOf,
  rulesOf,
  type Situation,
  type Terms,
} from '../orders/index.ts'

const DAY_MS = 86_400_000
/** Maximum of the contract. */
const REASONS_MAX = 100

/** The answer for one kind. */
export interface KindEligibility extends Eligibility {
  readonly kind: AfterSalesKind
}

/** The answer for all kinds. */
export interface AfterSalesEligibility extends Omit<Eligibility, 'max'> {
  readonly kinds: readonly KindEligibility[]
}

/** Evaluates every kind. The overall decision is the best of them. @see docs/reference/rules.md#after-sales-request */
export function evaluateAfterSales(situation: Situation, terms: Terms): AfterSalesEligibility {
  const kinds = AFTER_SALES_KINDS.map((kind) => evaluateKind(situation, terms, kind))
  const decision = best(kinds.map((each) => each.decision))
  const reasons = decision === 'eligible' ? [] : kinds.filter((each) => each.decision === decision).flatMap(reasonsOf)
  return { decision, reasons: distinct(reasons), until: latest(kinds.map((each) => each.until)), kinds }
}

/**
 * Evaluates one kind. `eligible`: a request is approved at once; `manual_review`: an operator decides. The reasons name the
 * lines that are excluded.
 */
export function evaluateKind(situation: Situation, terms: Terms, kind: AfterSalesKind): KindEligibility {
  const obstacle = firstObstacle(OBSTACLES, situation)
  if (obstacle) return { kind, ...ineligible(reasonOf(obstacle)) }

  const lines = situation.order.lines.map((line) => judgeLine(line, situation, terms, kind))
  const good = lines.filter(({ units }) => units > 0)
  const late = lines.flatMap(({ lineId, reason }) => (reason === null ? [] : [reasonOf(reason, lineId)]))
  if (good.length === 0) return { kind, ...ineligible(...ofAllLines(late)) }

  const isManual = good.some(({ automatic }) => !automatic)
  return {
    kind,
    decision: isManual ? 'manual_review' : 'eligible',
    reasons: [...(isManual ? [reasonOf('approval_required')] : []), ...late].slice(0, REASONS_MAX),
    until: latest(good.map(({ endsAt }) => endsAt)),
    max: good.map(({ lineId, units }) => ({ lineId, quantity: units })),
  }
}

const SETTLED = new Set(['paid', 'partially_refunded', 'refunded'])

/** Conditions that exclude an order, by precedence. */
const OBSTACLES: readonly Obstacle[] = [
  ['payment_outcome_unknown', ({ order }) => paymentStatusOf(order.money) === 'unknown'],
  ['payment_not_settled', ({ order }) => !SETTLED.has(paymentStatusOf(order.money))],
  ['order_canceled', ({ order }) => order.status === 'canceled'],
  ['order_not_completed', ({ order }) => order.lines.every(({ units }) => units.fulfilled === 0)],
]

interface LineJudgement {
  readonly lineId: string
  /** Units that can be requested. */
  readonly units: number
  /** The reason if `units` is 0. */
  readonly reason: ReasonCode | null
  readonly endsAt: Date | null
  readonly automatic: boolean
}

interface LineView {
  readonly line: OrderLine
  readonly offered: boolean
  readonly isFinalSale: boolean
  readonly isOpen: boolean
  /** Units in parcels with an open window. */
  readonly inTime: number
  /** Fulfilled units that were neither returned nor refunded. */
  readonly left: number
}

/** Conditions that exclude a line, by precedence. */
const LINE_GUARDS: readonly (readonly [code: ReasonCode, applies: (view: LineView) => boolean])[] = [
  ['kind_not_offered', ({ offered }) => !offered],
  ['not_shipped', ({ line }) => line.units.fulfilled === 0],
  ['already_reimbursed', ({ left }) => left === 0],
  ['final_sale', ({ isFinalSale }) => isFinalSale],
  ['open_request_exists', ({ isOpen }) => isOpen],
  ['window_closed', ({ inTime }) => inTime === 0],
]

function judgeLine(line: OrderLine, situation: Situation, terms: Terms, kind: AfterSalesKind): LineJudgement {
  const { id: lineId, storeId } = line
  const { afterSales } = rulesOf(terms, storeId)
  const { offered, windowDays, automatic } = afterSales.kinds[kind]
  const open = parcelsOf(situation.order, line)
    .map(({ units, parcel }) => ({ units, endsAt: endOfWindow(parcel, windowDays, afterSales.deliveredAfterDays) }))
    .filter(({ units, endsAt }) => units > 0 && terms.at < endsAt)
  const inTime = open.reduce((units, parcel) => units + parcel.units, 0)
  const left = unreimbursedUnits(line)

  const isOpen = situation.openRequests.has(lineId)
  const view = { line, offered, isFinalSale: terms.finalSale.has(lineId), isOpen, inTime, left }
  const reason = LINE_GUARDS.find(([, applies]) => applies(view))?.[0] ?? null
  if (reason !== null) return { lineId, units: 0, reason, endsAt: null, automatic }
  return { lineId, units: Math.min(inTime, left), reason, endsAt: latest(open.map(({ endsAt }) => endsAt)), automatic }
}

/**
 * Fulfilled units that were neither returned nor refunded. Canceled units are subtracted from the refunded ones, because
 * they were refunded without being fulfilled. A free unit is returned without a refund.
 */
export function unreimbursedUnits({ units }: OrderLine): number {
  return units.fulfilled - Math.max(units.returned, units.refunded - units.canceled)
}

type Sent = Pick<Parcel, 'dispatchedAt' | 'deliveredAt'>

/** Fulfilled units by parcel. An imported order may have fulfilled units without a known parcel. */
function parcelsOf({ parcels, placedAt }: Order, { id, units }: OrderLine) {
  const known = parcels.flatMap((parcel) =>
    parcel.lines.filter(({ lineId }) => lineId === id).map(({ quantity }) => ({ units: quantity, parcel })),
  )
  const unknown = units.fulfilled - known.reduce((total, parcel) => total + parcel.units, 0)
  return [...known, { units: unknown, parcel: { dispatchedAt: placedAt, deliveredAt: null } }]
}

/** A parcel without a delivery report counts as delivered some days after dispatch. */
function endOfWindow({ dispatchedAt, deliveredAt }: Sent, windowDays: number, deliveredAfterDays: number): Date {
  const from = deliveredAt ?? new Date(dispatchedAt.getTime() + deliveredAfterDays * DAY_MS)
  return new Date(from.getTime() + windowDays * DAY_MS)
}

/** A reason that all lines share is reported once for the order. */
function ofAllLines(reasons: readonly Reason[]): readonly Reason[] {
  const codes = new Set(reasons.map(({ code }) => code))
  return codes.size === 1 ? [...codes].map((code) => reasonOf(code)) : reasons
}

function best(decisions: readonly Decision[]): Decision {
  return (['eligible', 'manual_review'] as const).find((each) => decisions.includes(each)) ?? 'ineligible'
}

function reasonsOf({ reasons }: KindEligibility): readonly Reason[] {
  return reasons
}

function distinct(reasons: readonly Reason[]): readonly Reason[] {
  const byName = new Map(reasons.map((reason) => [`${reason.code} ${reason.lineId ?? ''}`, reason]))
  return [...byName.values()].slice(0, REASONS_MAX)
}
