import { limits } from '@vitrine/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { Logger } from '../../platform/observe/logger.ts'
import { type Answer, NO_ANSWER_WORDS, type NoAnswer, type Outgoing } from '../../platform/outgoing/index.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Keyring } from '../../platform/secrets/keyring.ts'
import { type DeliveryStatus, type Outcome, retryAfterMs } from './delivery.ts'
import { claimDeliveries, dueEndpoints, type HeldDelivery } from './delivery-claim.ts'
import { NOTHING_WAITS, type WaitingFigures, waitingFigures } from './delivery-figures.ts'
import { type EndedAttempt, lostAttempts, recordAttempts } from './delivery-record.ts'
import { fanOut, hasEvents } from './fan-out.ts'
import { signingSecrets } from './secret-store.ts'
import { signatureHeaders } from './signing.ts'

export interface DeliveryParts {
  readonly database: Database
  readonly clock: Clock
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly keyring: Keyring
  readonly outgoing: Outgoing
  readonly log: Logger
}

/** What a worker may hold at once. A hundred endpoints that stall take no more than that. */
const IN_FLIGHT_MAX = 500
/** An attempt takes 15 s at most, and its record a moment. */
const LEASE_MS = (limits.webhooks.timeoutSeconds + 15) * 1000

const USER_AGENT = 'Vitrine-Webhooks/1'

/**
 * Delivers, in rounds. A round is one transaction: it writes down what has come back, makes deliveries of what was announced,
 * and claims what is due and may be called. Calls are made between rounds, and none waits for another.
 */
export class DeliveryRounds {
  readonly #parts: DeliveryParts
  readonly #calls = new Set<Promise<void>>()
  readonly #stopped = new AbortController()
  readonly #outcomes: Record<string, number> = {}
  /** Attempts that have ended and are not written down. */
  #ended: readonly EndedAttempt[] = []
  #isClosed = false
  #waiting: WaitingFigures = NOTHING_WAITS
  /** Told when a call has ended, so that it need not wait for the next round. */
  onEnded: () => void = () => {}

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  get inFlight(): number {
    return this.#calls.size
  }

  /** What waited when it was looked at last. */
  get waiting(): WaitingFigures {
    return this.#waiting
  }

  /** Looks at what waits. */
  async look(): Promise<void> {
    const { database, clock } = this.#parts
    this.#waiting = await waitingFigures(database.reader, clock.now())
  }

  /** Whether calls have ended that are not written down yet. */
  get hasEnded(): boolean {
    return this.#ended.length > 0
  }

  /** Attempts since the start of the process that led to a state. */
  countOf(status: DeliveryStatus): number {
    return this.#outcomes[status] ?? 0
  }

  /**
   * Does one round.
   *
   * @returns whether there was anything to do
   */
  async round(): Promise<boolean> {
    const { database, clock, ids } = this.#parts
    const now = clock.now()
    const { reader } = database
    const [lost, isTold, due] = this.#isClosed
      ? [[], false, []]
      : await Promise.all([lostAttempts(reader, now), hasEvents(reader), dueEndpoints(reader, now)])
    const ended = this.#ended
    const limit = IN_FLIGHT_MAX - this.#calls.size
    if (ended.length + lost.length === 0 && !isTold && (due.length === 0 || limit === 0)) return false

    const teller = { ids, now }
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const { statuses, held } = await database.transaction(async (tx) => {
      const statuses = await recordAttempts(tx, [...ended, ...lost], teller)
      if (this.#isClosed) return { statuses, held: [] }
      const told = isTold ? await fanOut(tx, teller) : []
      // Those of what has just ended as well: there is room for their next ones.
      const endpointIds = [...new Set([...due, ...told, ...ended.map(({ endpointId }) => endpointId)])]
      return { statuses, held: await claimDeliveries(tx, { endpointIds, now, leaseUntil, limit }) }
    })
    this.#ended = this.#ended.slice(ended.length)
    for (const status of statuses) this.#outcomes[status] = this.countOf(status) + 1
    this.#send(held)
    return true
  }

  /** Does rounds until there is nothing to do and nothing in flight. */
  async runDue(): Promise<void> {
    do await Promise.all(this.#calls)
    while (await this.round())
  }

  /**
   * Claims nothing more, waits for what is in flight, and gives back what does not end in time: its next attempt is due at
   * once, for whoever comes.
   */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true
    const cut = setTimeout(() => this.#stopped.abort(), graceMs)
    await Promise.all(this.#calls)
    clearTimeout(cut)
    await this.round()
  }

  #send(held: readonly HeldDelivery[]): void {
    if (held.length === 0) return
    const secrets = this.#secretsOf(held)
    for (const delivery of held) {
      const call = this.#deliver(delivery, secrets.get(delivery.endpointId)).then((outcome) => {
        this.#note(delivery, outcome)
        this.#calls.delete(call)
        this.onEnded()
      })
      this.#calls.add(call)
    }
  }

  #note(delivery: HeldDelivery, outcome: Outcome): void {
    const { clock, randomness } = this.#parts
    const chance = randomness.bytes(4).readUInt32BE() / 2 ** 32
    const { id, fence, endpointId, attempt, startedAt } = delivery
    this.#ended = [...this.#ended, { id, fence, endpointId, attempt, startedAt, endedAt: clock.now(), outcome, chance }]
  }

  /** Those of each endpoint apart, so that one that cannot be opened stops nobody else's deliveries. */
  #secretsOf(held: readonly HeldDelivery[]): ReadonlyMap<string, Promise<readonly Buffer[]>> {
    const { database, keyring, clock } = this.#parts
    const now = clock.now()
    return new Map(
      [...new Set(held.map(({ endpointId }) => endpointId))].map((id) => [
        id,
        signingSecrets(database.reader, keyring, [id], now).then((found) => found.get(id) ?? []),
      ]),
    )
  }

  async #deliver(delivery: HeldDelivery, secrets: Promise<readonly Buffer[]> | undefined): Promise<Outcome> {
    const { outgoing, clock, log } = this.#parts
    try {
      const message = { id: delivery.eventId, sentAt: clock.now(), body: delivery.body }
      const signature = signatureHeaders(message, (await secrets) ?? [])
      const headers = {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...signature,
        'webhook-delivery-id': delivery.id,
        'webhook-attempt': String(delivery.attempt),
      }
      const answer = await outgoing.post({ url: delivery.url, headers, body: delivery.body }, this.#stopped.signal)
      crashPoint('delivery.answered')
      return outcomeOf(answer, clock.now())
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'a delivery could not be made')
      return { kind: 'unanswered', error: 'We could not make the call.' }
    }
  }
}

function outcomeOf(answer: Answer | NoAnswer, now: Date): Outcome {
  if (answer.kind === 'answered') {
    return { kind: 'answered', httpStatus: answer.status, retryAfterMs: retryAfterMs(answer.retryAfter, now) }
  }
  const kind = answer.reason === 'stopped' ? 'interrupted' : 'unanswered'
  return { kind, error: NO_ANSWER_WORDS[answer.reason] }
}
