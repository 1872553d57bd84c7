import { present } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import { withdraw } from '../../platform/jobs/index.ts'
import type { Logger } from '../../platform/observe/logger.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Database, Transaction } from '../../platform/postgres/index.ts'
import { ADVANCE_JOB, lookSoon } from './begin.ts'
import { type Intent, isEnded, providerKey } from './intent.ts'
import { answered, type Claim, confirmed, dueNow, leavesAtRest, nextClaim, type Occasion } from './intent-moves.ts'
import { intentOf, lockIntent, noteAnswered, noteAsked, saveIntent } from './intent-store.ts'
import { takeNotification } from './notification-store.ts'
import type { PaymentOutcomes } from './outcomes.ts'
import type { LookupAnswer, NotificationRequest, PaymentProvider, ProviderCall } from './payment-provider.ts'
import { giveBackRefused } from './refund-store.ts'

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
export interface ManualWord {
  /** Whether the money has come, or gone back; false: it never will. */
  readonly isDone: boolean
  /** Told in the transaction that takes the word. */
  readonly onSettled?: (tx: Transaction, before: Intent, settled: Intent) => void
}

/** Who holds an intent has given up by then, whatever the provider does. */
const LEASE_BEYOND_TIMEOUT_MS = 5000

/** Moves money, each effect once, whatever breaks and whoever asks. @see docs/decisions/0060 */
export class Payments {
  readonly #parts: PaymentsDeps
  readonly #providers: ReadonlyMap<string, PaymentProvider>
  /** What this process is advancing: whoever asks meanwhile waits for the same answer. */
  readonly #running = new Map<string, Promise<Intent>>()

  constructor(parts: PaymentsDeps) {
    this.#parts = parts
    this.#providers = new Map(parts.providers.map((provider) => [provider.name, provider]))
  }

  /** What can be paid with. Money that is not real is never offered in the live environment. */
  methodsFor(environment: Environment, currency: string): readonly PaymentMethod[] {
    const { providers, instructions } = this.#parts
    return providers
      .filter((provider) => provider.takes(environment, currency))
      .map(({ name, isManual }) => ({
        provider: name,
        kind: isManual ? 'manual' : 'card',
        instructions: isManual ? instructions : null,
      }))
  }

  /**
   * Submits or looks up an intent until it has to wait for somebody else. May be called by anyone, at any time, also at
   * once: one of them asks the provider.
   *
   * @returns the intent as it stands then
   */
  advance(intentId: string): Promise<Intent> {
    return this.#running.get(intentId) ?? this.#see(intentId, () => this.#claim(intentId))
  }

  /** What a charge is begun with by who will send it: see `beginHeldCharge`. */
  occasion(provider: string): Occasion {
    const { clock, timeoutMs } = this.#parts
    const looksForActions = this.#providers.get(provider)?.isManual !== true
    return { now: clock.now(), leaseMs: timeoutMs + LEASE_BEYOND_TIMEOUT_MS, looksForActions }
  }

  /** Sends what was begun in the caller's hands, once that is committed, and goes on as `advance` does. */
  send(claim: Claim): Promise<Intent> {
    return this.#see(claim.intent.id, async () => {
      crashPoint('payment.submitted')
      return { intent: claim.intent, claim }
    })
  }

  #see(intentId: string, begin: () => Promise<Step>): Promise<Intent> {
    const mine = this.#seeThrough(intentId, begin).finally(() => this.#running.delete(intentId))
    this.#running.set(intentId, mine)
    return mine
  }

  async #seeThrough(intentId: string, begin: () => Promise<Step>): Promise<Intent> {
    let { intent, claim } = await begin()
    while (claim) {
      const answer = await this.#ask(claim)
      ;({ intent, claim } = await this.#record(claim, answer))
      if (!claim && nextClaim(intent, this.occasion(intent.provider))) ({ intent, claim } = await this.#claim(intentId))
    }
    return intent
  }

  /** Takes hold of an intent and writes down what will be asked, before it is asked. */
  async #claim(intentId: string): Promise<Step> {
    const step = await this.#parts.database.transaction(async (tx) => {
      const intent = present(await lockIntent(tx, intentId), `the intent ${intentId}`)
      const claim = nextClaim(intent, this.occasion(intent.provider))
      if (!claim) return { intent, claim: null }
      if (intent.kind === 'charge' && intent.status === 'created') crashPoint('payment.intended')
      return hold(tx, intent, claim)
    })
    if (step.claim?.action === 'send')
      crashPoint(step.intent.kind === 'charge' ? 'payment.submitted' : 'refund.submitted')
    return step
  }

  /** Asks the provider, with no transaction open. Whatever keeps it from answering leaves the outcome unknown. */
  async #ask({ intent, action }: Claim): Promise<LookupAnswer> {
    const provider = this.#providers.get(intent.provider)
    if (!provider) return { kind: 'unknown', detail: 'the provider is not configured' }
    const call = callOf(intent, AbortSignal.timeout(this.#parts.timeoutMs))
    try {
      const answer = await (action === 'look' ? provider.lookup(call) : send(provider, intent, call))
      crashPoint(intent.kind === 'charge' ? 'payment.answered' : 'refund.answered')
      return answer
    } catch (error) {
      this.#parts.log.error(
        { err: error, intent: intent.id, step: intent.step },
        'payments: the provider was not asked',
      )
      return { kind: 'unknown', detail: 'it could not be asked' }
    }
  }

  /** Writes down what came back, and what follows from it. An answer to a holding that was lost does not count. */
  async #record(claim: Claim, answer: LookupAnswer): Promise<Step> {
    const step = await this.#parts.database.transaction<Step>(async (tx) => {
      const { now } = this.#context()
      const rests = leavesAtRest(claim.intent, answer)
      if (rests) await this.#outcomeOf(claim.intent).lock(tx, claim.intent)
      const before = present(await lockIntent(tx, claim.intent.id), `the intent ${claim.intent.id}`)
      noteAnswered(tx, claim, { answer, now })
      if (before.fence !== claim.intent.fence || before.leaseUntil === null) return { intent: before, claim: null }

      const after = answered(before, answer, this.occasion(before.provider))

      if (!rests) return hold(tx, before, { action: 'send', intent: after })
      return { intent: await this.#settle(tx, before, after), claim: null }
    })
    if (!step.claim) this.#outcomeOf(step.intent).committed?.(step.intent)
    return step
  }

  /** An operator says that money has come or gone back, or never will. Refuses where nobody waits for that word. */
  async confirmManual(intentId: string, { isDone, onSettled }: ManualWord): Promise<Intent> {
    const settled = await this.#parts.database.transaction(async (tx) => {
      const found = (await intentOf(tx, intentId)) ?? refuse('not_found')
      if (!this.#providers.get(found.provider)?.isManual) refuse('not_found')
      await this.#outcomeOf(found).lock(tx, found)
      const before = present(await lockIntent(tx, intentId), `the intent ${intentId}`)
      const after = confirmed(before, isDone, this.#parts.clock.now())
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
    return confirmed(intent, true, this.#parts.clock.now()) ? ['confirm'] : ['reconcile']
  }

  /** Looks now, whenever it would be time to. */
  async reconcileNow(intentId: string): Promise<Intent> {
    await this.#parts.database.transaction(async (tx) =>
      this.#wake(tx, (await lockIntent(tx, intentId)) ?? refuse('not_found')),
    )
    return this.advance(intentId)
  }

  /**
   * Takes what a provider tells of its own accord, once. It is a reason to look, and a worker does so at once.
   *
   * @returns whether the provider is to be answered that it was taken, that it is not its own, or that there is no such
   */
  async notified(provider: string, request: NotificationRequest): Promise<'taken' | 'forged' | 'unknown_provider'> {
    const { database } = this.#parts
    const found = this.#providers.get(provider)
    if (!found) return 'unknown_provider'
    const notification = found.verify(request, this.#parts.clock.now())
    if (!notification) return 'forged'
    await database.transaction(async (tx) => {
      const intentId = notification.key.split(':')[0] as string
      const intent = await lockIntent(tx, intentId)
      if (intent?.provider !== provider) return
      const isNew = await takeNotification(tx, { provider, notification, intentId, now: this.#parts.clock.now() })
      if (isNew) this.#wake(tx, intent)
    })
    return 'taken'
  }

  #wake(tx: Transaction, intent: Intent): void {
    if (isEnded(intent)) return
    const context = this.#context()
    saveIntent(tx, intent, dueNow(intent, context.now))
    lookSoon(tx, intent.id, context)
  }

  async #settle(tx: Transaction, before: Intent, after: Intent): Promise<Intent> {
    const saved = saveIntent(tx, before, after)
    if (saved.kind === 'refund' && saved.status === 'failed') giveBackRefused(tx, saved)
    if (isEnded(saved)) withdraw(tx, { kind: ADVANCE_JOB, subject: saved.id })
    await this.#outcomeOf(saved).settle(tx, saved, this.#context())
    return saved
  }

  #outcomeOf({ purpose }: Intent) {
    return this.#parts.outcomes[purpose]
  }

  #context(): EventContext {
    return { ids: this.#parts.ids, now: this.#parts.clock.now() }
  }
}

/** An intent, and what its holder is to ask. */
interface Step {
  readonly intent: Intent
  readonly claim: Claim | null
}

function hold(tx: Transaction, before: Intent, { action, intent }: Claim): Step {
  const claim = { action, intent: saveIntent(tx, before, intent) }
  noteAsked(tx, claim)
  return { intent: claim.intent, claim }
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
