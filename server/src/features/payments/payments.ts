import { present } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { Environment } from '../../platform/http/handler.ts'
import { type JobHandlers, withdraw } from '../../platform/jobs/index.ts'
import type { Logger } from '../../platform/observe/logger.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Database, Transaction } from '../../platform/postgres/index.ts'
import { type Intent, isEnded, type Purpose, providerKey } from './intents/intent.ts'
import { ADVANCE_JOB, scheduleReconciliation } from './intents/reconcile.ts'
import { intentOf, lockIntent, recordAnswer, recordAttempt, releaseRefund, saveIntent } from './intents/store.ts'
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
import type { LookupAnswer, NotificationRequest, PaymentProvider, ProviderCall } from './providers/provider.ts'

/** What becomes of an answer, handed in for each purpose by the composition root. @see docs/decisions/0060 */
export interface PaymentOutcome {
  /** Locks what ranks before the intent (cart, session, order), before the intent itself is locked. */
  lock(tx: Transaction, intent: Intent): Promise<void>
  /**
   * Takes what the provider or an operator has said, in the transaction that writes it down. Called after each answer that
   * leaves the intent at rest: requires_action, succeeded, failed, canceled or unknown; also more than once with the same.
   */
  settle(tx: Transaction, intent: Intent, context: EventContext): Promise<void>
  /** Hears that all of that is committed, before anybody is answered. It changes nothing any more. */
  committed?(intent: Intent): void
}

export type PaymentOutcomes = Readonly<Record<Purpose, PaymentOutcome>>

/** What payments are made with. */
export interface PaymentsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: IdSource
  readonly log: Logger
  readonly providers: readonly PaymentProvider[]
  readonly outcomes: PaymentOutcomes
  /** How long a provider may take to answer. */
  readonly timeoutMs: number
  /** What the operator says to who pays by transfer or in cash. */
  readonly instructions: string | null
}

/** What a page offers to pay with. */
export interface PaymentMethod {
  readonly provider: string
  readonly kind: 'manual' | 'card'
  /** How to pay, as the operator says it. */
  readonly instructions: string | null
}

/** An operator's word about a manual payment. */
export interface ManualConfirmation {
  /** Whether the money has come, or gone back; false: it never will. */
  readonly isDone: boolean
  /** Told in the transaction that takes the word. */
  readonly onSettled?: (tx: Transaction, before: Intent, settled: Intent) => void
}

/** Who holds an intent has given up by then, whatever the provider does. */
const LEASE_BEYOND_TIMEOUT_MS = 5000

/** Moves money, each effect once, whatever breaks and whoever asks. @see docs/decisions/0060 */
export class Payments {
  readonly #deps: PaymentsDeps
  readonly #providers: ReadonlyMap<string, PaymentProvider>
  /** What this process is advancing: whoever asks meanwhile waits for the same answer. */
  readonly #running = new Map<string, Promise<Intent>>()

  constructor(deps: PaymentsDeps) {
    this.#deps = deps
    this.#providers = new Map(deps.providers.map((provider) => [provider.name, provider]))
  }

  /** What can be paid with. Money that is not real is never offered in the live environment. */
  methodsFor(environment: Environment, currency: string): readonly PaymentMethod[] {
    const { providers, instructions } = this.#deps
    return providers
      .filter((provider) => provider.takes(environment, currency))
      .map(({ name, isManual }) => ({
        provider: name,
        kind: isManual ? 'manual' : 'card',
        instructions: isManual ? instructions : null,
      }))
  }

  /**
   * Submits or lookups up an intent until it has to wait for somebody else. May be called by anyone, at any time, also at
   * once: one of them asks the provider.
   *
   * @returns the intent as it stands then
   */
  advance(intentId: string): Promise<Intent> {
    return this.#running.get(intentId) ?? this.#see(intentId, () => this.#lease(intentId))
  }

  /** What a charge is begun with by who will send it: see `beginLeasedCharge`. */
  leaseTerms(provider: string): LeaseTerms {
    const { clock, timeoutMs } = this.#deps
    const pollsForActions = this.#providers.get(provider)?.isManual !== true
    return { now: clock.now(), leaseMs: timeoutMs + LEASE_BEYOND_TIMEOUT_MS, pollsForActions }
  }

  /** Sends what was begun in the caller's hands, once that is committed, and goes on as `advance` does. */
  send(lease: Lease): Promise<Intent> {
    return this.#see(lease.intent.id, async () => {
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

  /** Takes hold of an intent and writes down what will be asked, before it is asked. */
  async #lease(intentId: string): Promise<Step> {
    const step = await this.#deps.database.transaction(async (tx) => {
      const intent = present(await lockIntent(tx, intentId), `the intent ${intentId}`)
      const lease = nextLease(intent, this.leaseTerms(intent.provider))
      if (!lease) return { intent, lease: null }
      if (intent.kind === 'charge' && intent.status === 'created') crashPoint('payment.intended')
      return hold(tx, intent, lease)
    })
    if (step.lease?.action === 'send')
      crashPoint(step.intent.kind === 'charge' ? 'payment.submitted' : 'refund.submitted')
    return step
  }

  /** Asks the provider, with no transaction open. Whatever keeps it from answering leaves the outcome unknown. */
  async #ask({ intent, action }: Lease): Promise<LookupAnswer> {
    const provider = this.#providers.get(intent.provider)
    if (!provider) return { kind: 'unknown', detail: 'the provider is not configured' }
    const call = callOf(intent, AbortSignal.timeout(this.#deps.timeoutMs))
    try {
      const answer = await (action === 'look' ? provider.lookup(call) : send(provider, intent, call))
      crashPoint(intent.kind === 'charge' ? 'payment.answered' : 'refund.answered')
      return answer
    } catch (error) {
      this.#deps.log.error({ err: error, intent: intent.id, step: intent.step }, 'payments: the provider was not asked')
      return { kind: 'unknown', detail: 'it could not be asked' }
    }
  }

  /** Writes down what came back, and what follows from it. An answer to a holding that was lost does not count. */
  async #record(lease: Lease, answer: LookupAnswer): Promise<Step> {
    const step = await this.#deps.database.transaction<Step>(async (tx) => {
      const { now } = this.#context()
      const rests = leavesAtRest(lease.intent, answer)
      if (rests) await this.#outcomeOf(lease.intent).lock(tx, lease.intent)
      const before = present(await lockIntent(tx, lease.intent.id), `the intent ${lease.intent.id}`)
      recordAnswer(tx, lease, { answer, now })
      if (before.fence !== lease.intent.fence || before.leaseUntil === null) return { intent: before, lease: null }

      const after = answered(before, answer, this.leaseTerms(before.provider))

      if (!rests) return hold(tx, before, { action: 'send', intent: after })
      return { intent: await this.#settle(tx, before, after), lease: null }
    })
    if (!step.lease) this.#outcomeOf(step.intent).committed?.(step.intent)
    return step
  }

  /** An operator says that money has come or gone back, or never will. Refuses where nobody waits for that word. */
  async confirmManual(intentId: string, { isDone, onSettled }: ManualConfirmation): Promise<Intent> {
    const settled = await this.#deps.database.transaction(async (tx) => {
      const found = (await intentOf(tx, intentId)) ?? refuse('not_found')
      if (!this.#providers.get(found.provider)?.isManual) refuse('not_found')
      await this.#outcomeOf(found).lock(tx, found)
      const before = present(await lockIntent(tx, intentId), `the intent ${intentId}`)
      const after = manuallyConfirmed(before, isDone, this.#deps.clock.now())
      if (!after) refuse('version_conflict', { conflict: { currentState: before.status } })
      const saved = await this.#settle(tx, before, after)
      onSettled?.(tx, before, saved)
      return saved
    })
    this.#outcomeOf(settled).committed?.(settled)
    return settled
  }

  /** What an operator can do with an intent now: look it up, or say what became of it where nobody can be asked. */
  stepsOf(intent: Intent): readonly ('reconcile' | 'confirm')[] {
    if (isEnded(intent)) return []
    if (!this.#providers.get(intent.provider)?.isManual) return ['reconcile']
    return manuallyConfirmed(intent, true, this.#deps.clock.now()) ? ['confirm'] : ['reconcile']
  }

  /** Looks now, whenever it would be time to. */
  async reconcileNow(intentId: string): Promise<Intent> {
    await this.#deps.database.transaction(async (tx) =>
      this.#wake(tx, (await lockIntent(tx, intentId)) ?? refuse('not_found')),
    )
    return this.advance(intentId)
  }

  /**
   * Takes what a provider tells of its own accord, once. It is a reason to look, and a worker does so at once.
   *
   * @returns whether the provider is to be answered that it was taken, that it is not its own, or that there is no such
   */
  async receiveNotification(
    provider: string,
    request: NotificationRequest,
  ): Promise<'taken' | 'forged' | 'unknown_provider'> {
    const { database } = this.#deps
    const found = this.#providers.get(provider)
    if (!found) return 'unknown_provider'
    const notification = found.verify(request, this.#deps.clock.now())
    if (!notification) return 'forged'
    await database.transaction(async (tx) => {
      const intentId = notification.key.split(':')[0] as string
      const intent = await lockIntent(tx, intentId)
      if (intent?.provider !== provider) return
      const isNew = await insertNotification(tx, { provider, notification, intentId, now: this.#deps.clock.now() })
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

  async #settle(tx: Transaction, before: Intent, after: Intent): Promise<Intent> {
    const saved = saveIntent(tx, before, after)
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

/** An intent, and what its holder is to ask. */
interface Step {
  readonly intent: Intent
  readonly lease: Lease | null
}

function hold(tx: Transaction, before: Intent, { action, intent }: Lease): Step {
  const lease = { action, intent: saveIntent(tx, before, intent) }
  recordAttempt(tx, lease)
  return { intent: lease.intent, lease }
}

function callOf(intent: Intent, signal: AbortSignal): ProviderCall {
  const { id, chargeId, step, amount, currency, environment } = intent
  return {
    intentId: id,
    key: providerKey(id, step),
    authorizeKey: providerKey(chargeId ?? id, 'authorize'),
    amount,
    currency,
    environment,
    signal,
  }
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

/** Sees every intent to its end: sends what nobody has sent, and lookups up what nobody knows. */
export function paymentJobs(payments: Payments): JobHandlers {
  return {
    [ADVANCE_JOB]: async ({ subject }) => {
      const { leaseUntil, dueAt } = await payments.advance(subject)
      // What somebody is asking is looked up if they never come back; what an operator has to say is not waited for.
      return leaseUntil ?? dueAt ?? undefined
    },
  }
}
