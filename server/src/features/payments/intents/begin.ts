import { assert, present } from '../../../kernel/assert.ts'
import type { Environment } from '../../../kernel/environment.ts'
import { refuse, refuseField } from '../../../kernel/refusal.ts'
import { withdraw } from '../../../platform/jobs/index.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import {
  ADVANCE_JOB,
  amountTaken,
  createdIntent,
  type Intent,
  isEnded,
  type NewIntent,
  type RefundPurpose,
} from './intent.ts'
import { enqueueAdvance, scheduleReconciliation } from './reconcile.ts'
import { insertIntent, insertLeasedIntent, lockIntent, refundOfSubject, saveIntent } from './store.ts'
import { type Lease, type LeaseTerms, nextLease, withCaptureRequested, withVoidRequested } from './transitions.ts'

/** Input for a charge. */
export interface NewCharge {
  /** The checkout session. It has at most one charge that has not failed or been canceled. */
  readonly subjectId: string
  readonly purpose: 'checkout'
  readonly environment: Environment
  readonly installationId: string
  readonly storeId: string | null
  readonly provider: string
  /** Minor units, above zero. */
  readonly amount: bigint
  readonly currency: string
  /** The URL that the provider's page sends the shopper back to. */
  readonly returnUrl: string
  /** Whether an authorization waits for the shop to capture it; absent: captured at once. */
  readonly capturesLater?: boolean
}

/**
 * Create a charge and its job in the caller's transaction. Nothing is sent before the commit. After it, call `Payments.advance`, or
 * leave the charge to the job.
 *
 * @returns the id of the intent
 */
export function beginCharge(tx: Transaction, charge: NewCharge, context: EventContext): string {
  return begin(tx, chargeOf(charge), { ...context, sendAt: context.now })
}

/** When the job of a leased charge starts. By then its caller usually has the answer; an earlier job would only wait for it. */
const SENDER_MS = 1000

/**
 * Create a charge that the caller sends itself with `Payments.send`, once it is committed. The charge is created with a lease and
 * with its attempt recorded. The job takes over if the caller does not finish.
 *
 * @returns the lease for `Payments.send`
 */
export function beginLeasedCharge(
  tx: Transaction,
  charge: NewCharge,
  leaseTerms: LeaseTerms,
  { ids, now }: EventContext,
): Lease {
  const created = createdIntent({ ...chargeOf(charge), id: ids.next('pay') }, now)
  const lease = present(nextLease(created, { ...leaseTerms, now }), 'a new intent has no other lease')
  insertLeasedIntent(tx, lease)
  enqueueAdvance(tx, lease.intent.id, new Date(now.getTime() + SENDER_MS), ids)
  return lease
}

function chargeOf(charge: NewCharge) {
  const { capturesLater = false } = charge
  return { ...charge, kind: 'charge', step: 'authorize', chargeId: null, capturesLater } as const
}

/** Input for a refund. */
export interface NewRefund {
  readonly chargeId: string
  /** The cancellation, after-sales request, session or manual refund. It has at most one refund. */
  readonly subjectId: string
  readonly purpose: RefundPurpose
  /** Minor units, above zero. Together with earlier refunds at most the charge. */
  readonly amount: bigint
  /** When a worker calls the provider; absent: at once. */
  readonly sendAt?: Date
}

/**
 * Create a refund and its job in the caller's transaction. A subject has one refund: a second call returns its id. Locks the
 * charge.
 *
 * @returns the id of the intent
 */
export async function beginRefund(tx: Transaction, refund: NewRefund, context: EventContext): Promise<string> {
  const { chargeId, subjectId, purpose, amount, sendAt = context.now } = refund
  const charge = present(await lockIntent(tx, chargeId), 'the charge that is refunded')
  const existing = await refundOfSubject(tx, subjectId, purpose)
  if (existing) {
    assert(existing.chargeId === chargeId && existing.amount === amount, 'a subject has one refund, of one amount')
    return existing.id
  }
  assert(charge.kind === 'charge' && charge.status === 'succeeded', 'only a successful charge can be refunded')
  const refundRequested = charge.refundRequested + amount
  assert(amount > 0n && refundRequested <= amountTaken(charge), 'no more is refunded than was charged')
  saveIntent(tx, charge, { ...charge, refundRequested, updatedAt: context.now })
  const refunding = { kind: 'refund', step: 'refund', capturesLater: false } as const
  const facts = { ...charge, ...refunding, subjectId, purpose, amount, chargeId }
  return begin(tx, facts, { ...context, sendAt })
}

function begin(
  tx: Transaction,
  beginning: Omit<NewIntent, 'id'>,
  { ids, now, sendAt }: EventContext & { readonly sendAt: Date },
): string {
  const id = ids.next('pay')
  insertIntent(tx, createdIntent({ ...beginning, id }, now))
  enqueueAdvance(tx, id, sendAt, ids)
  return id
}

/**
 * Request the void of a charge. A charge that was not sent is canceled at once. A sent charge is voided as soon as that is safe,
 * unless it turns out to be captured; its outcome is reported then. Locks the intent; call `Payments.advance` after the commit, or
 * leave it to the job.
 *
 * @returns the intent: `canceled` if nothing is left to wait for
 */
export async function requestVoid(tx: Transaction, chargeId: string, { ids, now }: EventContext): Promise<Intent> {
  const charge = present(await lockIntent(tx, chargeId), 'the charge to void')
  const changed = withVoidRequested(charge, now)
  if (changed === charge) return charge
  const saved = saveIntent(tx, charge, changed)
  if (isEnded(saved)) withdraw(tx, { kind: ADVANCE_JOB, subject: chargeId })
  else scheduleReconciliation(tx, chargeId, { ids, now })
  return saved
}

/**
 * Request the capture of an authorization, in part or as a whole; the provider releases the rest. Locks the intent; call
 * `Payments.advance` after the commit, or leave it to the job.
 *
 * Refusals: `not_found`, `state_conflict` if nothing is authorized, `validation_failed` for an amount beyond it.
 */
export async function requestCapture(
  tx: Transaction,
  chargeId: string,
  amount: bigint | null,
  { ids, now }: EventContext,
): Promise<Intent> {
  const charge = (await lockIntent(tx, chargeId)) ?? refuse('not_found')
  const isRequested = charge.captureAmount !== null || charge.voidRequested
  if (charge.status !== 'authorized' || isRequested) {
    refuse('state_conflict', { conflict: { currentState: charge.status } })
  }
  const captured = amount ?? charge.amount
  if (captured < 1n || captured > charge.amount) {
    refuseField('amount', 'out_of_range', `1 to ${charge.amount}`, { min: 1, max: Number(charge.amount) })
  }
  const saved = saveIntent(tx, charge, withCaptureRequested(charge, captured, now))
  scheduleReconciliation(tx, chargeId, { ids, now })
  return saved
}
