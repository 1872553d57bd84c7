import type { DeliveryRounds } from '../features/webhooks/index.ts'
import type { Logger } from '../platform/observe/logger.ts'

/**
 * How long it waits where there was nothing to do. Short while there was something lately: an event is on its way some
 * milliseconds after its commit. A round that takes events costs two processes 2 ms, however many there are, so it is not
 * made for each: with 10 ms, a tenth of what 80 checkouts a second cost went into rounds.
 */
const BUSY_WAIT_MS = 20
const IDLE_WAIT_MS = 100
const BUSY_FOR_ROUNDS = 100
/** How long it waits after a failure, such as a database that cannot be reached. */
const FAILURE_WAIT_MS = 1000
/** How often what waits is counted, for those who watch. */
const LOOK_EVERY_MS = 15_000
/** What a stop waits for calls that are in flight: with the rest of a stop, under the 8 s in which doors drain. */
const GRACE_MS = 5000

/** Delivers until it is stopped. */
export class DeliveryLoop {
  readonly #rounds: DeliveryRounds
  readonly #log: Logger
  #running: Promise<void> = Promise.resolve()
  #isStopping = false
  #wake: () => void = () => {}
  #looking: NodeJS.Timeout | null = null

  constructor(rounds: DeliveryRounds, log: Logger) {
    this.#rounds = rounds
    this.#log = log
    rounds.onEnded = () => this.#wake()
  }

  start(): void {
    this.#running = this.#run()
    const look = () =>
      void this.#rounds
        .refreshWaiting()
        .catch((error: unknown) => this.#log.warn({ err: error }, 'deliveries: could not look'))
    this.#looking = setInterval(look, LOOK_EVERY_MS)
    this.#looking.unref()
  }

  /** Waits for what is in flight, and gives back what does not end in time. */
  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#looking) clearInterval(this.#looking)
    this.#wake()
    await this.#running
    await this.#rounds
      .close(GRACE_MS)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'deliveries: the last attempts were not written down'))
  }

  async #run(): Promise<void> {
    let idleRounds = 0
    while (!this.#isStopping) {
      let waitMs = 0
      try {
        idleRounds = (await this.#rounds.round()) ? 0 : idleRounds + 1
        if (idleRounds > 0 && !this.#rounds.hasEnded)
          waitMs = idleRounds < BUSY_FOR_ROUNDS ? BUSY_WAIT_MS : IDLE_WAIT_MS
      } catch (error) {
        this.#log.error({ err: error }, 'deliveries: a round failed')
        waitMs = FAILURE_WAIT_MS
      }
      if (waitMs > 0 && !this.#isStopping) await this.#waitFor(waitMs)
    }
  }

  /** Waits for a time, or until a call has ended. */
  #waitFor(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = () => {}
        resolve()
      }
    })
  }
}
