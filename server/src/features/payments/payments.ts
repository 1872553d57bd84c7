import { timingSafeEqual } from 'node:crypto'
import { present } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import { enqueue, withdraw } from '../../platform/jobs/index.ts'
import type { Logger } from '../../platform/observe/logger.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Database, Transaction } from '../../platform/postgres/index.ts'
import { chargeIdOf, DISPUTE_LOOKUP_MS, DISPUTE_RETRY_MS, hasOpened, isDecided, saveDisputes } from './disputes.ts'
import { requestCapture, requestVoid } from './intents/begin.ts'
import { ADVANCE_JOB, type Intent, isEnded, providerKey } from './intents/intent.ts'
import {
  DISPUTE_OPENED_JOB,
  DISPUTES_JOB,
  REVERSAL_JOB,
  scheduleReconciliation,
  wakeLookup,
} from './intents/reconcile.ts'
import {
  answerIsRecorded,
  holdIntent,
  intentOf,
  lockIntent,
  proceedWith,
  recordLateAnswer,
  releaseRefund,
  saveIntent,
  settleIntent,
} from './intents/store.ts'
import {
  answered,
  dueNow,
  isPlaced,
  type Lease,
  type LeaseTerms,
  manuallyConfirmed,
  mayRest,
  nextLease,
  reversed,
} from './intents/transitions.ts'
import { insertNotification } from './notifications.ts'
import type { BookTransfer, ManualConfirmation, PaymentOutcomes, Settle } from './outcome.ts'
import { callOf, returnKeyOf, send } from './provider-call.ts'
import {
  checkedAnswer,
  type LookupAnswer,
  type Mismatch,
  type NotificationRequest,
  type PaymentProvider,
  type ProviderCall,
  type TestOutcome,
} from './providers/provider.ts'

interface PaymentsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: IdSource
  readonly log: Logger
  readonly providers: readonly PaymentProvider[]
  readonly outcomes: PaymentOutcomes
  /** Timeout of a provider call. */
  readonly timeoutMs: number
}

/** A payment method that pages offer. */
export interface PaymentMethod {
  readonly provider: string
  /** `hosted`: the shopper pays on a page of the provider. */
  readonly kind: 'manual' | 'card' | 'hosted'
  /** Whether no money is moved and the shopper chooses the outcome. */
  readonly isSimulated: boolean
}

/** How much longer a lease is than the timeout of a call, so that the call has ended when the lease ends. */
const LEASE_BEYOND_TIMEOUT_MS = 5000

/** Moves money, each effect once, despite crashes and concurrent callers. @see docs/decisions/0060 */
export class Payments {
  readonly #deps: PaymentsDeps
  readonly #providers: ReadonlyMap<string, PaymentProvider>
  /** Intents that this process is advancing. Concurrent callers wait for the same answer. */
  readonly #running = new Map<string, Promise<Intent>>()

  constructor(deps: PaymentsDeps) {
    this.#deps = deps
    this.#providers = new Map(deps.providers.map((provider) => [provider.name, provider]))
  }

  /**
   * List the payment methods for a place, in the operator's order. A transfer also needs an account: see `transferAccount`. Simulated
   * payments are never offered in live.
   */
  methodsFor(environment: Environment, currency: string, storeIds: readonly string[] = []): readonly PaymentMethod[] {
    return this.#deps.providers
      .filter((provider) => provider.takes({ environment, currency, storeIds }))
      .map(({ name, isManual, isHosted, rehearse }) => ({
        provider: name,
        isSimulated: rehearse !== undefined,
        kind: isManual ? 'manual' : isHosted ? 'hosted' : 'card',
      }))
  }

  /** The problems that the providers report for an environment. */
  async problemsIn(environment: Environment): Promise<readonly string[]> {
    const found = await Promise.all(this.#deps.providers.map((provider) => provider.problemsIn?.(environment) ?? []))
    return found.flat()
  }

  /** Whether a provider's payments arrive by bank transfer or in cash and are confirmed by an operator. */
  isTransfer(provider: string): boolean {
    return this.#providers.get(provider)?.isManual === true
  }

  /** Whether shoppers pay on a page of the provider. */
  isHosted(provider: string): boolean {
    return this.#providers.get(provider)?.isHosted === true
  }

  /**
   * Send or look up an intent until it has to wait for the shopper, the operator or the reconciler. Safe to call at any time, also
   * concurrently: only one caller calls the provider.
   *
   * @returns the intent after that
   */
  advance(intentId: string): Promise<Intent> {
    return this.#running.get(intentId) ?? this.#run(intentId, () => this.#lease(intentId))
  }

  /** The lease terms of a charge that its caller sends: see `beginLeasedCharge`. */
  leaseTerms(provider: string): LeaseTerms {
    const { clock, timeoutMs } = this.#deps
    const pollsForActions = this.#providers.get(provider)?.isManual !== true
    return { now: clock.now(), leaseMs: timeoutMs + LEASE_BEYOND_TIMEOUT_MS, pollsForActions }
  }

  /**
   * Send a leased charge, once its transaction is committed, and continue as `advance` does.
   *
   * @param outcome the outcome of a simulated payment; other providers ignore it
   */
  send(lease: Lease, outcome: TestOutcome = 'pays'): Promise<Intent> {
    return this.#run(lease.intent.id, async () => {
      const call = { key: providerKey(lease.intent.id, lease.intent.step), signal: this.#timeout() }
      await this.#providers.get(lease.intent.provider)?.rehearse?.(call, outcome)
      crashPoint('payment.submitted')
      return { intent: lease.intent, lease }
    })
  }

  #run(intentId: string, begin: () => Promise<Step>): Promise<Intent> {
    const mine = this.#runToEnd(intentId, begin).finally(() => this.#running.delete(intentId))
    this.#running.set(intentId, mine)
    return mine
  }

  async #runToEnd(intentId: string, begin: () => Promise<Step>): Promise<Intent> {
    let { intent, lease } = await begin()
    while (lease) {
      const answer = await this.#ask(lease)
      ;({ intent, lease } = await this.#record(lease, answer))
      if (!lease && nextLease(intent, this.leaseTerms(intent.provider)))
        ({ intent, lease } = await this.#lease(intentId))
    }
    return intent
  }

  /** Lease an intent and record the attempt, before the provider is called. */
  async #lease(intentId: string): Promise<Step> {
    const step = await this.#deps.database.transaction(async (tx) => {
      const intent = present(await lockIntent(tx, intentId), `the intent ${intentId}`)
      const lease = nextLease(intent, this.leaseTerms(intent.provider))
      if (!lease) return { intent, lease: null }
      if (intent.kind === 'charge' && intent.status === 'created') crashPoint('payment.intended')
      return stepOf(holdIntent(tx, intent, lease))
    })
    if (step.lease?.action === 'send')
      crashPoint(step.intent.kind === 'charge' ? 'payment.submitted' : 'refund.submitted')
    return step
  }

  /** Call the provider, outside of any transaction. A failed call leaves the outcome unknown. */
  async #ask({ intent, action }: Lease): Promise<LookupAnswer | Mismatch> {
    const provider = this.#providers.get(intent.provider)
    if (!provider) return { kind: 'unknown', detail: 'the provider is not configured' }
    try {
      const call = await this.#callOf(intent, provider)
      const capturable = intent.step === 'capture' && intent.capturesLater ? intent.amount : undefined
      const found = await (action === 'look' ? provider.lookup(call) : send(provider, intent, call))
      const answer = checkedAnswer({ ...call, capturable }, found)
      crashPoint(intent.kind === 'charge' ? 'payment.answered' : 'refund.answered')
      return answer
    } catch (error) {
      this.#deps.log.error({ err: error, intent: intent.id, step: intent.step }, 'payments: the provider call failed')
      return { kind: 'unknown', detail: 'the call failed' }
    }
  }

  async #callOf(intent: Intent, { needsOrder }: PaymentProvider): Promise<ProviderCall> {
    const { reader } = this.#deps.database
    const [charge, order] = await Promise.all([
      intent.chargeId === null ? null : intentOf(reader, intent.chargeId),
      needsOrder && intent.kind === 'charge' ? this.#outcomeOf(intent).orderOf?.(reader, intent) : null,
    ])
    const facts = { chargeReference: charge?.providerReference ?? null, order: order ?? null }
    return callOf(intent, facts, this.#timeout())
  }

  #timeout(): AbortSignal {
    return AbortSignal.timeout(this.#deps.timeoutMs)
  }

  /** Record the answer and apply its outcome. An answer under a lost lease has no effect. */
  async #record(lease: Lease, answer: LookupAnswer | Mismatch): Promise<Step> {
    const step = await this.#deps.database.transaction<Step>(async (tx) => {
      const { now } = this.#context()
      const settle = mayRest(lease.intent, answer) && (await this.#outcomeOf(lease.intent).lock(tx, lease.intent))
      const before = present(await lockIntent(tx, lease.intent.id), `the intent ${lease.intent.id}`)
      tx.resolveBy(answerIsRecorded(lease))
      const received = { lease, answer, now }
      if (before.fence !== lease.intent.fence || before.leaseUntil === null) {
        recordLateAnswer(tx, received)
        return { intent: before, lease: null }
      }

      const after = answered(before, answer, this.leaseTerms(before.provider))

      if (!settle || after.status === 'submitted')
        return stepOf(proceedWith(tx, before, { action: 'send', intent: after }, received))
      const settled = settleIntent(tx, before, after, received)
      // A placed order does not end because its provider has no answer, even if the wait for the money is over.
      if (!(answer.kind === 'unknown' && isPlaced(settled))) await this.#settle(tx, settled, settle)
      return { intent: settled, lease: null }
    })
    if (!step.lease) this.#outcomeOf(step.intent).committed?.(step.intent)
    if (answer.kind === 'mismatched') {
      const { id, step: of, provider } = lease.intent
      this.#deps.log.warn(
        { intent: id, step: of, provider, detail: answer.detail },
        'payments: another amount was moved',
      )
    }
    return step
  }

  /** Record that money was received or refunded manually, or never will be. Refused if no confirmation is expected. */
  async confirmManual(intentId: string, { isDone, isReturned, onSettled }: ManualConfirmation): Promise<Intent> {
    const settled = await this.#deps.database.transaction(async (tx) => {
      const found = (await intentOf(tx, intentId)) ?? refuse('not_found')
      if (!this.#providers.get(found.provider)?.isManual) refuse('not_found')
      const settle = await this.#outcomeOf(found).lock(tx, found)
      const before = present(await lockIntent(tx, intentId), `the intent ${intentId}`)
      const after = manuallyConfirmed(before, { isDone, isReturned }, this.#deps.clock.now())
      if (!after) refuse('version_conflict', { conflict: { currentState: before.status } })
      const saved = saveIntent(tx, before, after)
      if (isEnded(saved)) withdraw(tx, { kind: ADVANCE_JOB, subject: saved.id })
      await this.#settle(tx, saved, settle)
      onSettled?.(tx, before, saved)
      return saved
    })
    this.#outcomeOf(settled).committed?.(settled)
    return settled
  }

  /**
   * Book money that has arrived for a charge by bank transfer. `book` runs under the lock of the charge and records the money in the
   * same transaction. The charge succeeds if `book` returns that it is paid.
   *
   * @returns whether it was booked
   */
  async bookTransfer(chargeId: string, book: BookTransfer): Promise<boolean> {
    const { isBooked, settled } = await this.#deps.database.transaction(async (tx) => {
      const found = (await intentOf(tx, chargeId)) ?? refuse('not_found')
      const settle = await this.#outcomeOf(found).lock(tx, found)
      const before = present(await lockIntent(tx, chargeId), `the intent ${chargeId}`)
      const { isBooked, isPaid } = await book(tx, before)
      if (!isPaid) return { isBooked, settled: null }
      // Refused if the charge's instructions are not sent yet. Booking the statement again succeeds once they are.
      const after = manuallyConfirmed(before, { isDone: true }, this.#deps.clock.now())
      if (!after) refuse('version_conflict', { conflict: { currentState: before.status } })
      const saved = saveIntent(tx, before, after)
      withdraw(tx, { kind: ADVANCE_JOB, subject: saved.id })
      await this.#settle(tx, saved, settle)
      return { isBooked, settled: saved }
    })
    if (settled) this.#outcomeOf(settled).committed?.(settled)
    return isBooked
  }

  /** Whether a provider's authorizations wait for the shop to capture them. */
  capturesLater(provider: string, environment: Environment, outcome: TestOutcome | null): boolean {
    return this.#providers.get(provider)?.capturesLater?.(environment, outcome) ?? false
  }

  /**
   * Capture an authorization as a whole (`null`) or in part. The provider releases the rest.
   *
   * Refusals: those of `requestCapture`.
   */
  async capture(intentId: string, amount: bigint | null): Promise<Intent> {
    await this.#deps.database.transaction((tx) => requestCapture(tx, intentId, amount, this.#context()))
    return this.advance(intentId)
  }

  /** Release an authorization, which cancels its order. Refusals: `not_found`, `state_conflict` if nothing is authorized. */
  async release(intentId: string): Promise<Intent> {
    await this.#deps.database.transaction(async (tx) => {
      const { status, captureAmount } = (await lockIntent(tx, intentId)) ?? refuse('not_found')
      if (status !== 'authorized' || captureAmount !== null) {
        refuse('state_conflict', { conflict: { currentState: status } })
      }
      await requestVoid(tx, intentId, this.#context())
    })
    return this.advance(intentId)
  }

  /**
   * The actions that an operator can take on an intent now: reconcile it, capture or release an authorization, confirm a manual
   * payment, or reverse a manual refund.
   */
  stepsOf(intent: Intent): readonly ('reconcile' | 'confirm' | 'reverse' | 'capture' | 'release')[] {
    const isConfirmable = (how: { isDone: boolean; isReturned?: boolean }) =>
      this.isTransfer(intent.provider) && manuallyConfirmed(intent, how, this.#deps.clock.now()) !== null
    if (isConfirmable({ isDone: false, isReturned: true })) return ['reverse']
    if (isEnded(intent)) return this.#canDispute(intent) || this.#canReverse(intent) ? ['reconcile'] : []
    if (intent.status === 'authorized' && intent.captureAmount === null && !intent.voidRequested) {
      return ['capture', 'release', 'reconcile']
    }
    return [isConfirmable({ isDone: true }) ? 'confirm' : 'reconcile']
  }

  /**
   * Look up the payment of a shopper who returns from the provider. If they left its page without paying, a void of the charge is
   * requested first, unless its order is placed: they may leave a second tab after paying in the first. A void has no effect if the
   * charge is paid by now. Refusals: `not_found`, before any lookup.
   *
   * @returns the URL to send the shopper to
   */
  async returnOf(intentId: string, key: string, isAbandoned = false): Promise<string> {
    const intent = await intentOf(this.#deps.database.reader, intentId)
    if (!intent?.returnUrl || !timingSafeEqual(Buffer.from(key), Buffer.from(returnKeyOf(intent)))) refuse('not_found')
    if (isAbandoned && intent.kind === 'charge') {
      await this.#deps.database.transaction(async (tx) => {
        const charge = await lockIntent(tx, intentId)
        // Set once the charge is pending or authorized, which places the order.
        if (charge?.expiresAt === null) await requestVoid(tx, intentId, this.#context())
      })
    }
    await this.reconcileNow(intentId)
    return intent.returnUrl
  }

  /** Look up the payment now, even if it is not due. */
  async reconcileNow(intentId: string): Promise<Intent> {
    const intent = await this.#deps.database.transaction(async (tx) => {
      const locked = (await lockIntent(tx, intentId)) ?? refuse('not_found')
      this.#wake(tx, locked)
      return locked
    })
    if (this.#canDispute(intent)) await this.lookUpDisputes(intentId)
    if (this.#canReverse(intent)) await this.lookUpReversal(intentId)
    return this.advance(intentId)
  }

  /**
   * Look up a refund that was paid: its bank may return the money days later. It has failed then, and can be requested again.
   *
   * @returns when to look it up again; `null`: not before a notification
   */
  async lookUpReversal(refundId: string): Promise<Date | null> {
    const { database, clock } = this.#deps
    const refund = present(await intentOf(database.reader, refundId), `the refund ${refundId}`)
    const retryAt = new Date(clock.now().getTime() + DISPUTE_RETRY_MS)
    if (!this.#canReverse(refund)) return isEnded(refund) ? null : retryAt
    const answer = await this.#ask({ action: 'look', intent: refund })
    if (answer.kind !== 'declined') return answer.kind === 'unknown' ? retryAt : null
    await database.transaction(async (tx) => {
      const settle = await this.#outcomeOf(refund).lock(tx, refund)
      const before = present(await lockIntent(tx, refundId), `the refund ${refundId}`)
      // Another process has recorded it.
      if (before.status !== 'succeeded') return
      await this.#settle(tx, saveIntent(tx, before, reversed(before, answer.code, clock.now())), settle)
    })
    return null
  }

  /**
   * Look up the disputes of a charge, once it is paid.
   *
   * @returns when to look them up again; `null`: not before a notification
   */
  async lookUpDisputes(chargeId: string): Promise<Date | null> {
    const { database, clock } = this.#deps
    const charge = await intentOf(database.reader, chargeId)
    const retryAt = new Date(clock.now().getTime() + DISPUTE_RETRY_MS)
    if (!charge || !this.#hasDisputes(charge)) return null
    if (charge.status !== 'succeeded') return isEnded(charge) ? null : retryAt
    const { environment, providerReference: reference, provider } = charge
    if (reference === null) return null
    const asked = { environment, reference, authorizeKey: providerKey(chargeId, 'authorize'), signal: this.#timeout() }
    const found = await this.#providers.get(provider)?.disputes?.(asked)
    if (!found) return retryAt
    if ('kind' in found) {
      this.#deps.log.warn({ intent: chargeId, provider, detail: found.detail }, 'payments: the disputes are not known')
      return retryAt
    }
    return database.transaction(async (tx) => {
      await this.#outcomeOf(charge).lock(tx, charge)
      const locked = present(await lockIntent(tx, chargeId), `the charge ${chargeId}`)
      const context = this.#context()
      const change = await saveDisputes(tx, locked, found, context.now)
      if (change) await this.#outcomeOf(charge).disputed?.(tx, locked, change, context)
      if (change && hasOpened(change)) {
        enqueue(tx, { kind: DISPUTE_OPENED_JOB, subject: chargeId, runAt: context.now }, context.ids)
      }
      return found.every(isDecided) ? null : new Date(context.now.getTime() + DISPUTE_LOOKUP_MS)
    })
  }

  #canDispute(intent: Intent): boolean {
    return intent.status === 'succeeded' && this.#hasDisputes(intent)
  }

  #canReverse({ kind, status, provider }: Intent): boolean {
    return kind === 'refund' && status === 'succeeded' && this.#providers.get(provider)?.isManual === false
  }

  #hasDisputes({ kind, provider }: Intent): boolean {
    return kind === 'charge' && this.#providers.get(provider)?.disputes !== undefined
  }

  /**
   * Receive a provider's notification, which triggers a lookup by a worker. A repeated notification is accepted and has no effect.
   *
   * @returns whether it was taken, was not signed by the provider, or names an unknown provider
   */
  async receiveNotification(
    provider: string,
    request: NotificationRequest,
  ): Promise<'taken' | 'forged' | 'unknown_provider'> {
    const { database } = this.#deps
    const found = this.#providers.get(provider)
    if (!found) return 'unknown_provider'
    const notification = await found.verify(request, this.#deps.clock.now())
    if (!notification) return 'forged'
    const { id, key, reference = null, isDispute = false } = notification
    await database.transaction(async (tx) => {
      const named = reference !== null && isDispute ? await chargeIdOf(tx, provider, reference) : null
      const intentId = key?.split(':')[0] ?? named
      if (intentId === null) return
      const intent = await lockIntent(tx, intentId)
      if (intent?.provider !== provider) return
      const context = this.#context()
      const isNew = await insertNotification(tx, { provider, notificationId: id, intentId, now: context.now })
      if (!isNew) return
      // Even if the charge is not known to be paid yet: the job waits for that.
      if (isDispute && this.#hasDisputes(intent)) wakeLookup(tx, DISPUTES_JOB, intentId, context)
      // Also while a lookup is under way, whose answer may be older.
      if (this.#canReverse(intent) || (intent.kind === 'refund' && intent.leaseUntil !== null)) {
        wakeLookup(tx, REVERSAL_JOB, intentId, context)
      }
      this.#wake(tx, intent)
    })
    return 'taken'
  }

  #wake(tx: Transaction, intent: Intent): void {
    if (isEnded(intent)) return
    const context = this.#context()
    saveIntent(tx, intent, dueNow(intent, context.now))
    scheduleReconciliation(tx, intent.id, context)
  }

  /** Apply the outcome of a saved intent. */
  async #settle(tx: Transaction, saved: Intent, settle: Settle): Promise<void> {
    if (saved.kind === 'refund' && saved.status === 'failed') releaseRefund(tx, saved)
    await settle(saved, this.#context())
  }

  #outcomeOf({ purpose }: Intent) {
    return this.#deps.outcomes[purpose]
  }

  #context(): EventContext {
    return { ids: this.#deps.ids, now: this.#deps.clock.now() }
  }
}

/** An intent, and the lease on it, if any. */
interface Step {
  readonly intent: Intent
  readonly lease: Lease | null
}

function stepOf(lease: Lease): Step {
  return { intent: lease.intent, lease }
}
