import { assert, present } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { enqueue, wake, withdraw } from '../../platform/jobs/index.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { createdIntent, type Intent, isEnded, type NewIntent, type RefundPurpose } from './intent.ts'
import { type Claim, nextClaim, type Occasion, unwanted } from './intent-moves.ts'
import { insertIntent, lockIntent, noteAsked, refundOfSubject, saveIntent } from './intent-store.ts'

/** The job that sees an intent to its end, whatever becomes of who began it. */
export const ADVANCE_JOB = 'payments.advance'
/** Money is never given up on: an operator sees what stays unknown, and the looks go on. */
const ATTEMPTS_MAX = 2_000_000_000

/** A charge that is to be made. */
export interface NewCharge {
  /** The checkout session. It has at most one charge that has not come to nothing. */
  readonly subjectId: string
  readonly purpose: 'checkout'
  readonly environment: Environment
  readonly installationId: string
  readonly storeId: string | null
  readonly provider: string
  /** Minor units, above zero. */
  readonly amount: bigint
  readonly currency: string
  /** Where a page of the provider sends the shopper back to in the end. */
  readonly returnUrl: string
}

/**
 * Writes a charge and its job in the caller's transaction. Nothing is sent before that is committed: then call
 * `Payments.advance`, or leave it to the job.
 *
 * @returns the id of the intent
 */
export function beginCharge(tx: Transaction, charge: NewCharge, context: EventContext): string {
  return begin(tx, chargeOf(charge), { ...context, askAt: context.now })
}

/** Who sends a charge themselves has an answer by then, as a rule; a worker before that would only wait for the same. */
const SENDER_MS = 1000

/**
 * The same by who sends it themselves as soon as it is committed, with `Payments.send`: it is begun in their hands, and what
 * they will ask is written down with it. Its job takes over where they never come back.
 *
 * @returns what is to be sent
 */
export function beginHeldCharge(
  tx: Transaction,
  charge: NewCharge,
  occasion: Occasion,
  { ids, now }: EventContext,
): Claim {
  const created = createdIntent({ ...chargeOf(charge), id: ids.next('pay') }, now)
  const claim = present(nextClaim(created, { ...occasion, now }), 'nobody else holds what is only beginning')
  insertIntent(tx, claim.intent)
  noteAsked(tx, claim)
  enqueueAdvance(tx, claim.intent.id, new Date(now.getTime() + SENDER_MS), ids)
  return claim
}

function chargeOf(charge: NewCharge) {
  return { ...charge, kind: 'charge', step: 'authorize', chargeId: null } as const
}

/** Money that is to be given back. */
export interface NewRefund {
  readonly chargeId: string
  /** What it is given back for: a cancellation, an after-sales request, a session. It has at most one refund. */
  readonly subjectId: string
  readonly purpose: RefundPurpose
  /** Minor units, above zero, and together with what was asked back before at most the charge. */
  readonly amount: bigint
  /** When a worker asks the provider; at once where absent. */
  readonly askAt?: Date
}

/**
 * Writes a refund and its job in the caller's transaction. A subject that has a refund gets no second one: its id is
 * answered again. Locks the charge.
 *
 * @returns the id of the intent
 */
export async function beginRefund(tx: Transaction, refund: NewRefund, context: EventContext): Promise<string> {
  const { chargeId, subjectId, purpose, amount, askAt = context.now } = refund
  const charge = present(await lockIntent(tx, chargeId), 'the charge that is given back')
  const begun = await refundOfSubject(tx, subjectId, purpose)
  if (begun) {
    assert(begun.chargeId === chargeId && begun.amount === amount, 'a subject asks for one refund, of one amount')
    return begun.id
  }
  assert(charge.kind === 'charge' && charge.status === 'succeeded', 'only what was charged can be given back')
  const refundAsked = charge.refundAsked + amount
  assert(amount > 0n && refundAsked <= charge.amount, 'never is more given back than was charged')
  saveIntent(tx, charge, { ...charge, refundAsked, updatedAt: context.now })
  const facts = { ...charge, kind: 'refund', step: 'refund', subjectId, purpose, amount, chargeId } as const
  return begin(tx, facts, { ...context, askAt })
}

function begin(
  tx: Transaction,
  beginning: Omit<NewIntent, 'id'>,
  { ids, now, askAt }: EventContext & { readonly askAt: Date },
): string {
  const id = ids.next('pay')
  insertIntent(tx, createdIntent({ ...beginning, id }, now))
  enqueueAdvance(tx, id, askAt, ids)
  return id
}

function enqueueAdvance(tx: Transaction, intentId: string, runAt: Date, ids: EventContext['ids']): void {
  enqueue(tx, { kind: ADVANCE_JOB, subject: intentId, runAt, attemptsMax: ATTEMPTS_MAX }, ids)
}

/**
 * Says that a charge is not wanted any more. What was not sent is dropped at once. What was sent is voided as soon as that
 * is safe, unless it turns out to be captured; its outcome is told then. Locks the intent; call `Payments.advance` after
 * the commit, or leave it to the job.
 *
 * @returns the intent as it stands now: `canceled` where nothing is left to wait for
 */
export async function askToVoid(tx: Transaction, chargeId: string, { ids, now }: EventContext): Promise<Intent> {
  const charge = present(await lockIntent(tx, chargeId), 'the charge that is not wanted any more')
  const changed = unwanted(charge, now)
  if (changed === charge) return charge
  const saved = saveIntent(tx, charge, changed)
  if (isEnded(saved)) withdraw(tx, { kind: ADVANCE_JOB, subject: chargeId })
  else lookSoon(tx, chargeId, { ids, now })
  return saved
}

/** Leaves the intent to a worker, now, also where its job waits for later. */
export function lookSoon(tx: Transaction, intentId: string, { ids, now }: EventContext): void {
  wake(tx, { kind: ADVANCE_JOB, subject: intentId, runAt: now, attemptsMax: ATTEMPTS_MAX }, ids)
}
