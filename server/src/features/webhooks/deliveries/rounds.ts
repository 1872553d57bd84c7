import { limits } from '@vitrine/contract'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Randomness } from '../../../kernel/randomness.ts'
import type { Reader } from '../../../platform/postgres/index.ts'
import { signingSecrets } from '../endpoints/secret-store.ts'
import { claimDeliveries, dueEndpoints, type HeldDelivery, setBackDeliveries } from './claim.ts'
import type { DeliveryStatus } from './delivery.ts'
import { fanOut, hasEvents, NOTHING_FANNED_OUT } from './fan-out.ts'
import { NOTHING_WAITING, readWaitingFigures, type WaitingFigures } from './figures.ts'
import { type EndedAttempt, lostAttempts, recordAttempts } from './record.ts'
import type { Outcome } from './retry-policy.ts'
import { type SendDeps, sendDelivery } from './send.ts'

interface DeliveryDeps extends SendDeps {
  readonly ids: IdSource
  readonly randomness: Randomness
}

/** The maximum number of requests in flight per worker. A hundred stalled endpoints, at five each, take no more. */
const IN_FLIGHT_MAX = 500
/** A request takes at most 15 s; the other 15 s are for recording it. */
const LEASE_MS = (limits.webhooks.timeoutSeconds + 15) * 1000

/** The interval at which deliveries with an expired lease are looked for. */
const LOST_CHECK_INTERVAL_MS = 1000
/** Smaller steps of the clock are ignored: they delay deliveries too little. */
const CLOCK_STEP_MS = 1000

type Secrets = ReadonlyMap<string, readonly Buffer[]>

/**
 * Delivers events in rounds. A round is one transaction:
 *
 *     record the attempts that ended → fan out new events → claim due deliveries
 *
 * The claimed deliveries are then sent concurrently, outside the transaction. Attempts that end are kept in `#ended` until the next
 * round records them.
 */
export class DeliveryRounds {
  readonly #deps: DeliveryDeps
  readonly #inFlight = new Set<Promise<void>>()
  readonly #abort = new AbortController()
  readonly #recorded: Partial<Record<DeliveryStatus, number>> = {}
  #ended: readonly EndedAttempt[] = []
  /** The fences of the deliveries in flight or in `#ended`, by id. They are not lost, however long recording them takes. */
  readonly #held = new Map<string, number>()
  #isClosed = false
  #lostCheckedAt = 0
  /** The time of the previous round. */
  #previousRoundAt = new Date(0)
  #waiting: WaitingFigures = NOTHING_WAITING
  /** Called when an attempt ends, so that recording it need not wait for the next scheduled round. */
  onEnded: () => void = () => {}

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  /** The backlog as of the last `refreshWaiting`. */
  get waiting(): WaitingFigures {
    return this.#waiting
  }

  async refreshWaiting(): Promise<void> {
    const { database, clock } = this.#deps
    this.#waiting = await readWaitingFigures(database.reader, clock.now())
  }

  /** Whether there are ended attempts to record. */
  get hasEnded(): boolean {
    return this.#ended.length > 0
  }

  /** Attempts recorded since the process started that left their delivery in this status. */
  countOf(status: DeliveryStatus): number {
    return this.#recorded[status] ?? 0
  }

  /**
   * Runs one round.
   *
   * @returns whether it did anything
   */
  async round(): Promise<boolean> {
    const now = this.#deps.clock.now()
    await this.#followClock(now)
    const ended = this.#ended
    const lost = await this.#findLost(now)
    if (ended.length + lost.length === 0 && !(await this.#hasWork(now))) return false

    const { statuses, fannedOut, claimed } = await this.#transact(ended, lost, now)
    this.#ended = this.#ended.slice(ended.length)
    for (const { id, fence } of ended) if (this.#held.get(id) === fence) this.#held.delete(id)
    for (const status of statuses) this.#recorded[status] = this.countOf(status) + 1
    for (const delivery of claimed.held) this.#send(delivery, claimed.secrets?.get(delivery.endpointId))
    // If another worker has locked what is due, an immediate next round would do nothing either.
    return statuses.length + fannedOut.events + claimed.held.length + claimed.ended > 0
  }

  /** If the clock was set back, moves up the deliveries that were scheduled too late while it was ahead. */
  async #followClock(now: Date): Promise<void> {
    const before = this.#previousRoundAt
    if (before.getTime() - now.getTime() > CLOCK_STEP_MS) {
      await this.#deps.database.transaction(async (tx) => setBackDeliveries(tx, { now, before }))
      this.#lostCheckedAt = 0
    }
    this.#previousRoundAt = now
  }

  #transact(ended: readonly EndedAttempt[], lost: readonly EndedAttempt[], now: Date) {
    const { database, ids } = this.#deps
    const context = { ids, now }
    const limit = this.#isClosed ? 0 : IN_FLIGHT_MAX - this.#inFlight.size
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    return database.transaction(async (tx) => {
      // Together, so that their queries share a round trip.
      const [statuses, fannedOut, due] = await Promise.all([
        recordAttempts(tx, [...ended, ...lost], context),
        this.#isClosed ? NOTHING_FANNED_OUT : fanOut(tx, context),
        limit === 0 ? [] : dueEndpoints(tx, now),
      ])
      // Endpoints whose attempts just ended have room for their next delivery.
      const endpointIds = [...new Set([...due, ...fannedOut.endpointIds, ...ended.map(({ endpointId }) => endpointId)])]
      const claimed = await claimDeliveries(tx, { endpointIds, now, leaseUntil, limit }, (claimable) =>
        this.#readSecrets(tx, claimable, now),
      )
      return { statuses, fannedOut, claimed }
    })
  }

  /** Finds attempts of workers that died: once a second, and whenever there is nothing to record. */
  async #findLost(now: Date): Promise<readonly EndedAttempt[]> {
    const isRecent = now.getTime() - this.#lostCheckedAt < LOST_CHECK_INTERVAL_MS
    if (this.#isClosed || (isRecent && this.hasEnded)) return []
    this.#lostCheckedAt = now.getTime()
    const lost = await lostAttempts(this.#deps.database.reader, now)
    return lost.filter(({ id, fence }) => this.#held.get(id) !== fence)
  }

  async #hasWork(now: Date): Promise<boolean> {
    const { reader } = this.#deps.database
    if (this.#isClosed) return false
    const [hasNewEvents, due] = await Promise.all([hasEvents(reader), dueEndpoints(reader, now)])
    return hasNewEvents || (due.length > 0 && this.#inFlight.size < IN_FLIGHT_MAX)
  }

  /** Runs rounds until there is nothing to do and nothing in flight. */
  async runDue(): Promise<void> {
    do await Promise.all(this.#inFlight)
    while (await this.round())
  }

  /** Stops claiming, and waits for the requests in flight. Those aborted after `graceMs` are due again at once, for any worker. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true
    const timer = setTimeout(() => this.#abort.abort(), graceMs)
    await Promise.all(this.#inFlight)
    clearTimeout(timer)
    await this.round()
  }

  #send(delivery: HeldDelivery, secrets: readonly Buffer[] | undefined): void {
    this.#held.set(delivery.id, delivery.fence)
    const request = sendDelivery(this.#deps, delivery, secrets, this.#abort.signal).then((outcome) => {
      this.#ended = [...this.#ended, this.#endedAttempt(delivery, outcome)]
      this.#inFlight.delete(request)
      this.onEnded()
    })
    this.#inFlight.add(request)
  }

  #endedAttempt({ id, fence, endpointId, attempt, startedAt }: HeldDelivery, outcome: Outcome): EndedAttempt {
    const { clock, randomness } = this.#deps
    const chance = randomness.bytes(4).readUInt32BE() / 2 ** 32
    return { id, fence, endpointId, attempt, startedAt, endedAt: clock.now(), outcome, chance }
  }

  /** `null` if a secret cannot be decrypted: `sendDelivery` then reads them for each endpoint, so that only this endpoint fails. */
  async #readSecrets(tx: Reader, endpointIds: readonly string[], now: Date): Promise<Secrets | null> {
    try {
      return await signingSecrets(tx, this.#deps.keyring, endpointIds, now)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'webhooks: the secret of an endpoint could not be read')
      return null
    }
  }
}
