import { limits } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { Logger } from '../../platform/observe/logger.ts'
import { inSpan } from '../../platform/observe/tracing.ts'
import { type OutboundResponse, NO_RESPONSE_MESSAGES, type NoResponse, type OutboundHttp } from '../../platform/outbound/index.ts'
import type { Database, Reader } from '../../platform/postgres/index.ts'
import type { Keyring } from '../../platform/secrets/keyring.ts'
import { type DeliveryStatus, type Outcome, retryAfterMs } from './delivery.ts'
import { claimDeliveries, dueEndpoints, type HeldDelivery } from './delivery-claim.ts'
import { NOTHING_WAITS, type WaitingFigures, waitingFigures } from './delivery-figures.ts'
import { type EndedAttempt, lostAttempts, recordAttempts } from './delivery-record.ts'
import { fanOut, hasEvents, NOTHING_FANNED_OUT } from './fan-out.ts'
import { signingSecrets } from './secret-store.ts'
import { signatureHeaders } from './signing.ts'

export interface DeliveryDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly keyring: Keyring
  readonly outboundHttp: OutboundHttp
  readonly log: Logger
}

/** What a worker may hold at once. A hundred endpoints that stall take no more than that. */
const IN_FLIGHT_MAX = 500
/** An attempt takes 15 s at most, and its record a moment. */
const LEASE_MS = (limits.webhooks.timeoutSeconds + 15) * 1000

/** Deliveries whose worker died are found within so long of the end of their lease. */
const LOOK_FOR_LOST_EVERY_MS = 1000

const USER_AGENT = 'Vitrine-Webhooks/1'

type Secrets = ReadonlyMap<string, readonly Buffer[]>

/**
 * Delivers, in rounds. A round is one transaction: it writes down what has come back, makes deliveries of what was announced,
 * and claims what is due and may be called. Calls are made between rounds, and none waits for another.
 */
export class DeliveryRounds {
  readonly #parts: DeliveryDeps
  readonly #calls = new Set<Promise<void>>()
  readonly #stopped = new AbortController()
  readonly #outcomes: Record<string, number> = {}
  /** Attempts that have ended and are not written down. */
  #ended: readonly EndedAttempt[] = []
  #isClosed = false
  #lookedForLostAt = 0
  #waiting: WaitingFigures = NOTHING_WAITS
  /** Told when a call has ended, so that it need not wait for the next round. */
  onEnded: () => void = () => {}

  constructor(parts: DeliveryDeps) {
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
   * @returns whether it has moved anything
   */
  async round(): Promise<boolean> {
    const { database, clock, ids } = this.#parts
    const now = clock.now()
    const ended = this.#ended
    const lost = await this.#lost(now)
    if (ended.length + lost.length === 0 && !(await this.#hasWork(now))) return false

    const context = { ids, now }
    const limit = this.#isClosed ? 0 : IN_FLIGHT_MAX - this.#calls.size
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const { statuses, told, claimed } = await database.transaction(async (tx) => {
      // Together: their questions share a round trip.
      const [statuses, told, due] = await Promise.all([
        recordAttempts(tx, [...ended, ...lost], context),
        this.#isClosed ? NOTHING_FANNED_OUT : fanOut(tx, context),
        limit === 0 ? [] : dueEndpoints(tx, now),
      ])
      // Those of what has just ended as well: there is room for their next ones.
      const endpointIds = [...new Set([...due, ...told.endpointIds, ...ended.map(({ endpointId }) => endpointId)])]
      const claimed = await claimDeliveries(tx, { endpointIds, now, leaseUntil, limit }, (claimable) =>
        this.#secretsOf(tx, claimable, now),
      )
      return { statuses, told, claimed }
    })
    this.#ended = this.#ended.slice(ended.length)
    for (const status of statuses) this.#outcomes[status] = this.countOf(status) + 1
    for (const delivery of claimed.held) this.#send(delivery, claimed.secrets?.get(delivery.endpointId))
    // Where another worker holds what is due there was nothing, and asking again at once would find the same.
    return statuses.length + told.events + claimed.held.length + claimed.ended > 0
  }

  /** Looked for once a second, and whenever there is nothing else to do. */
  async #lost(now: Date): Promise<readonly EndedAttempt[]> {
    const isSoon = now.getTime() - this.#lookedForLostAt < LOOK_FOR_LOST_EVERY_MS
    if (this.#isClosed || (isSoon && this.hasEnded)) return []
    this.#lookedForLostAt = now.getTime()
    return lostAttempts(this.#parts.database.reader, now)
  }

  async #hasWork(now: Date): Promise<boolean> {
    const { reader } = this.#parts.database
    if (this.#isClosed) return false
    const [isTold, due] = await Promise.all([hasEvents(reader), dueEndpoints(reader, now)])
    return isTold || (due.length > 0 && this.#calls.size < IN_FLIGHT_MAX)
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

  #send(delivery: HeldDelivery, secrets: readonly Buffer[] | undefined): void {
    const call = this.#deliver(delivery, secrets).then((outcome) => {
      this.#note(delivery, outcome)
      this.#calls.delete(call)
      this.onEnded()
    })
    this.#calls.add(call)
  }

  #note(delivery: HeldDelivery, outcome: Outcome): void {
    const { clock, randomness } = this.#parts
    const chance = randomness.bytes(4).readUInt32BE() / 2 ** 32
    const { id, fence, endpointId, attempt, startedAt } = delivery
    this.#ended = [...this.#ended, { id, fence, endpointId, attempt, startedAt, endedAt: clock.now(), outcome, chance }]
  }

  /** `null` where one of them does not open: then each is asked for apart, so that it stops nobody else's deliveries. */
  async #secretsOf(tx: Reader, endpointIds: readonly string[], now: Date): Promise<Secrets | null> {
    try {
      return await signingSecrets(tx, this.#parts.keyring, endpointIds, now)
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a secret of a webhook endpoint could not be read')
      return null
    }
  }

  async #deliver(delivery: HeldDelivery, secrets: readonly Buffer[] | undefined): Promise<Outcome> {
    const { database, keyring, outboundHttp, clock, log } = this.#parts
    try {
      const sentAt = clock.now()
      const { endpointId, body } = delivery
      const known = secrets ?? (await signingSecrets(database.reader, keyring, [endpointId], sentAt)).get(endpointId)
      const message = { id: delivery.eventId, sentAt, body }
      const signature = signatureHeaders(message, present(known, 'an endpoint has a secret'))
      const headers = {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...signature,
        'webhook-delivery-id': delivery.id,
        'webhook-attempt': String(delivery.attempt),
      }
      const attributes = { 'vitrine.delivery': delivery.id, 'vitrine.event': delivery.eventId }
      const answer = await inSpan('webhook.deliver', { kind: 'client', attributes }, async (span) => {
        const came = await outboundHttp.post({ url: delivery.url, headers, body }, this.#stopped.signal)
        if (came.kind === 'answered') span.setAttribute('http.response.status_code', came.status)
        else span.setAttribute('error.type', came.reason)
        return came
      })
      crashPoint('delivery.answered')
      return outcomeOf(answer, clock.now())
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'a delivery could not be made')
      return { kind: 'unanswered', error: 'We could not make the call.' }
    }
  }
}

function outcomeOf(answer: OutboundResponse | NoResponse, now: Date): Outcome {
  if (answer.kind === 'answered') {
    return { kind: 'answered', httpStatus: answer.status, retryAfterMs: retryAfterMs(answer.retryAfter, now) }
  }
  const kind = answer.reason === 'stopped' ? 'interrupted' : 'unanswered'
  return { kind, error: NO_RESPONSE_MESSAGES[answer.reason] }
}
