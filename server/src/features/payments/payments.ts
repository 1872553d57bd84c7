import { createHash, timingSafeEqual } from 'node:crypto'
import { present } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import { type JobHandlers, withdraw } from '../../platform/jobs/index.ts'
import type { Logger } from '../../platform/observe/logger.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Database, Reader, Transaction } from '../../platform/postgres/index.ts'
import { requestVoid } from './intents/begin.ts'
import { type Intent, isEnded, type Purpose, providerKey } from './intents/intent.ts'
import { ADVANCE_JOB, scheduleReconciliation } from './intents/reconcile.ts'
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
  type Lease,
  type LeaseTerms,
  leavesAtRest,
  manuallyConfirmed,
  nextLease,
} from './intents/transitions.ts'
import { insertNotification } from './notifications.ts'
import {
  checkedAnswer,
  type LookupAnswer,
  type Mismatch,
  type NotificationRequest,
  type OrderToPay,
  PAYMENT_PATHS,
  type PaymentProvider,
  type ProviderCall,
  type TestOutcome,
} from './providers/provider.ts'

/** What follows from a payment's result. The composition root provides one per purpose. @see docs/decisions/0060 */
export interface PaymentOutcome {
  /** Locks what ranks before the intent (cart, session, order), before the intent is locked. */
  lock(tx: Transaction, intent: Intent): Promise<void>
  /**
   * Applies a result, in the transaction that records it. Called for each answer that leaves the intent at rest:
   * requires_action, succeeded, failed, canceled or unknown; also repeatedly with the same one.
   */
  settle(tx: Transaction, intent: Intent, context: EventContext): Promise<void>
  /** Called after the commit and before the response. It writes nothing. */
  committed?(intent: Intent): void
  /** What a charge pays for, for providers that ask. */
  orderOf?(reader: Reader, intent: Intent): Promise<OrderToPay>
}

export type PaymentOutcomes = Readonly<Record<Purpose, PaymentOutcome>>

export interface PaymentsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: IdSource
  readonly log: Logger
  readonly providers: readonly PaymentProvider[]
  readonly outcomes: PaymentOutcomes
  /** Timeout of a provider call. */
  readonly timeoutMs: number
}

/** A payment method offered by a page. */
export interface PaymentMethod {
  readonly provider: string
  /** Hosted: on a page of the provider. */
  readonly kind: 'manual' | 'card' | 'hosted'
  /** Whether nothing is charged, and the shopper chooses how the payment ends. */
  readonly isSimulated: boolean
}

/** An operator's confirmation of a manual payment. */
export interface ManualConfirmation {
  /** Whether the money was received, or refunded; false: it never will be. */
  readonly isDone: boolean
  /** Called in the transaction that records the confirmation. */
  readonly onSettled?: (tx: Transaction, before: Intent, settled: Intent) => void
}

/** By the end of its lease a caller has given up, whatever the provider does. */
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
   * Payment methods for a place, in the operator's order. A transfer also needs an account: `transferAccount`. Simulated payments are never
   * offered in live.
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

  /** Whether its payments arrive by bank transfer or in cash, and an operator confirms them. */
  isTransfer(provider: string): boolean {
    return this.#providers.get(provider)?.isManual === true
  }

  /** Whether its shoppers pay on a page of the provider. */
  isHosted(provider: string): boolean {
    return this.#providers.get(provider)?.isHosted === true
  }

  /**
   * Sends or looks up an intent until it has to wait for the shopper, the operator or the reconciler. Safe to call at any time,
   * also concurrently: one caller calls the provider.
   *
   * @returns the intent as of then
   */
  advance(intentId: string): Promise<Intent> {
    return this.#running.get(intentId) ?? this.#see(intentId, () => this.#lease(intentId))
  }

  /** The lease terms of a charge that its caller sends: see `beginLeasedCharge`. */
  leaseTerms(provider: string): LeaseTerms {
    const { clock, timeoutMs } = this.#deps
    const pollsForActions = this.#providers.get(provider)?.isManual !== true
    return { now: clock.now(), leaseMs: timeoutMs + LEASE_BEYOND_TIMEOUT_MS, pollsForActions }
  }

  /**
   * Sends a leased charge, once its transaction is committed, and continues as `advance` does.
   *
   * @param outcome how a simulated payment ends; others ignore it
   */
  send(lease: Lease, outcome: TestOutcome = 'pays'): Promise<Intent> {
    return this.#see(lease.intent.id, async () => {
      const call = { key: providerKey(lease.intent.id, lease.intent.step), signal: this.#timeout() }
      await this.#providers.get(lease.intent.provider)?.rehearse?.(call, outcome)
      crashPoint('payment.submitted')
      return { intent: lease.intent, lease }
    })
  }

  #see(intentId: string, begin: () => Promise<Step>): Promise<Intent> {
    const mine = this.#seeThrough(intentId, begin).finally(() => this.#running.delete(intentId))
    this.#running.set(intentId, mine)
    return mine
  }

  async #seeThrough(intentId: string, begin: () => Promise<Step>): Promise<Intent> {
    let { intent, lease } = await begin()
    while (lease) {
      const answer = await this.#ask(lease)
      ;({ intent, lease } = await this.#record(lease, answer))
      if (!lease && nextLease(intent, this.leaseTerms(intent.provider)))
        ({ intent, lease } = await this.#lease(intentId))
    }
    return intent
  }

  /** Leases an intent and records the attempt, before the provider is called. */
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

  /** Asks the provider, outside of any transaction. Any failure to answer leaves the outcome unknown. */
  async #ask({ intent, action }: Lease): Promise<LookupAnswer | Mismatch> {
    const provider = this.#providers.get(intent.provider)
    if (!provider) return { kind: 'unknown', detail: 'the provider is not configured' }
    try {
      const call = await this.#callOf(intent, provider)
      const answer = checkedAnswer(
        intent,
        await (action === 'look' ? provider.lookup(call) : send(provider, intent, call)),
      )
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

  /** Records the answer and its outcome. An answer under a lost lease has no effect. */
  async #record(lease: Lease, answer: LookupAnswer | Mismatch): Promise<Step> {
    const step = await this.#deps.database.transaction<Step>(async (tx) => {
      const { now } = this.#context()
      const rests = leavesAtRest(lease.intent, answer)
      if (rests) await this.#outcomeOf(lease.intent).lock(tx, lease.intent)
      const before = present(await lockIntent(tx, lease.intent.id), `the intent ${lease.intent.id}`)
      tx.resolveBy(answerIsRecorded(lease))
      const received = { lease, answer, now }
      if (before.fence !== lease.intent.fence || before.leaseUntil === null) {
        recordLateAnswer(tx, received)
        return { intent: before, lease: null }
      }

      const after = answered(before, answer, this.leaseTerms(before.provider))

      if (!rests) return stepOf(proceedWith(tx, before, { action: 'send', intent: after }, received))
      return { intent: await this.#settle(tx, settleIntent(tx, before, after, received)), lease: null }
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

  /** Records that money was received or refunded manually, or never will be. Refuses if no one waits for it. */
  async confirmManual(intentId: string, { isDone, onSettled }: ManualConfirmation): Promise<Intent> {
    const settled = await this.#deps.database.transaction(async (tx) => {
      const found = (await intentOf(tx, intentId)) ?? refuse('not_found')
      if (!this.#providers.get(found.provider)?.isManual) refuse('not_found')
      await this.#outcomeOf(found).lock(tx, found)
      const before = present(await lockIntent(tx, intentId), `the intent ${intentId}`)
      const after = manuallyConfirmed(before, isDone, this.#deps.clock.now())
      if (!after) refuse('version_conflict', { conflict: { currentState: before.status } })
      const saved = await this.#settle(tx, saveIntent(tx, before, after))
      onSettled?.(tx, before, saved)
      return saved
    })
    this.#outcomeOf(settled).committed?.(settled)
    return settled
  }

  /** What an operator can do with an intent now: reconcile it, or confirm it if there is no provider to ask. */
  stepsOf(intent: Intent): readonly ('reconcile' | 'confirm')[] {
    if (isEnded(intent)) return []
    if (!this.#providers.get(intent.provider)?.isManual) return ['reconcile']
    return manuallyConfirmed(intent, true, this.#deps.clock.now()) ? ['confirm'] : ['reconcile']
  }

  /**
   * Looks the payment up for a shopper who returns from the provider. If they left its page without paying, the charge is voided
   * first, unless it is paid by now. Refusals: `not_found`, before any lookup.
   *
   * @returns the URL to send the shopper to
   */
  async returnOf(intentId: string, key: string, isAbandoned = false): Promise<string> {
    const intent = await intentOf(this.#deps.database.reader, intentId)
    if (!intent?.returnUrl || !timingSafeEqual(Buffer.from(key), Buffer.from(returnKeyOf(intent)))) refuse('not_found')
    if (isAbandoned && intent.kind === 'charge') {
      await this.#deps.database.transaction((tx) => requestVoid(tx, intentId, this.#context()))
    }
    await this.reconcileNow(intentId)
    return intent.returnUrl
  }

  /** Looks the payment up now, due or not. */
  async reconcileNow(intentId: string): Promise<Intent> {
    await this.#deps.database.transaction(async (tx) =>
      this.#wake(tx, (await lockIntent(tx, intentId)) ?? refuse('not_found')),
    )
    return this.advance(intentId)
  }

  /**
   * Receives a provider's notification, once. It triggers a lookup by a worker.
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
    const { id, key } = notification
    if (key === null) return 'taken'
    await database.transaction(async (tx) => {
      const intentId = key.split(':')[0] as string
      const intent = await lockIntent(tx, intentId)
      if (intent?.provider !== provider) return
      const isNew = await insertNotification(tx, {
        provider,
        notificationId: id,
        intentId,
        now: this.#deps.clock.now(),
      })
      if (isNew) this.#wake(tx, intent)
    })
    return 'taken'
  }

  #wake(tx: Transaction, intent: Intent): void {
    if (isEnded(intent)) return
    const context = this.#context()
    saveIntent(tx, intent, dueNow(intent, context.now))
    scheduleReconciliation(tx, intent.id, context)
  }

  /** What follows from an intent that was saved. */
  async #settle(tx: Transaction, saved: Intent): Promise<Intent> {
    if (saved.kind === 'refund' && saved.status === 'failed') releaseRefund(tx, saved)
    if (isEnded(saved)) withdraw(tx, { kind: ADVANCE_JOB, subject: saved.id })
    await this.#outcomeOf(saved).settle(tx, saved, this.#context())
    return saved
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

function callOf(
  intent: Intent,
  facts: Pick<ProviderCall, 'chargeReference' | 'order'>,
  signal: AbortSignal,
): ProviderCall {
  const { id, chargeId, step, amount, currency, environment, providerReference } = intent
  const returnPath = `${PAYMENT_PATHS.return}?payment=${id}&key=${returnKeyOf(intent)}`
  return {
    ...facts,
    intentId: id,
    step,
    reference: providerReference,
    key: providerKey(id, step),
    authorizeKey: providerKey(chargeId ?? id, 'authorize'),
    amount,
    currency,
    environment,
    returnPath,
    abandonPath: `${returnPath}&abandoned=true`,
    signal,
  }
}

/** Follows from the key of the checkout page, which it leads to: the id alone, which merchants and logs see, leads nowhere. */
function returnKeyOf({ id, returnUrl }: Intent): string {
  return createHash('sha256').update(`${id} ${returnUrl}`).digest('base64url')
}

function send(provider: PaymentProvider, { step }: Intent, call: ProviderCall) {
  switch (step) {
    case 'authorize':
      return provider.authorize(call)
    case 'capture':
      return provider.capture(call)
    case 'void':
      return provider.cancel(call)
    case 'refund':
      return provider.refund(call)
  }
}

/** The reconciler: sends what was not sent, and looks up what is unknown. */
export function paymentJobs(payments: Payments): JobHandlers {
  return {
    [ADVANCE_JOB]: async ({ subject }) => {
      const { leaseUntil, dueAt } = await payments.advance(subject)
      // A leased intent is checked again when its lease ends. One that waits for an operator is not polled.
      return leaseUntil ?? dueAt ?? undefined
    },
  }
}
