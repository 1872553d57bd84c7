import type { DeliveryRounds } from '../features/webhooks/index.ts'
import type { Logger } from '../platform/observe/logger.ts'

/**
 * Wait after an empty round. It is short while there was work recently, so that an event is sent some milliseconds after its
 * commit. A round with events takes 2 ms of two processes, however many events there are, so a wait batches them: with 10 ms,
 * rounds took a tenth of the processor time of 80 checkouts a second.
 */
const BUSY_WAIT_MS = 20
const IDLE_WAIT_MS = 100
const BUSY_FOR_ROUNDS = 100
/** Wait after a failure, such as an unreachable database. */
const FAILURE_WAIT_MS = 1000
/** A single failure may be a deadlock. This many in a row mean that no webhooks are delivered. */
const FAILURES_MAX = 5
/** The interval at which waiting deliveries are counted, for metrics. */
const COUNT_EVERY_MS = 15_000
/** How long a stop waits for calls in flight. With the rest of a stop it is less than the 8 s of draining. */
const GRACE_MS = 5000

/** Delivers webhooks until it is stopped. */
export class DeliveryLoop {
  readonly #rounds: DeliveryRounds
  readonly #log: Logger
  #running: Promise<void> = Promise.resolve()
  #isStopping = false
  #failures = 0
  #wake: () => void = () => {}
  #counting: NodeJS.Timeout | null = null

  constructor(rounds: DeliveryRounds, log: Logger) {
    this.#rounds = rounds
    this.#log = log
    rounds.onEnded = () => this.#wake()
  }

  /** Whether rounds succeed. */
  get isWorking(): boolean {
    return this.#failures < FAILURES_MAX
  }

  start(): void {
    this.#running = this.#run()
    const count = () =>
      void this.#rounds
        .refreshWaiting()
        .catch((error: unknown) => this.#log.warn({ err: error }, 'deliveries: could not count waiting deliveries'))
    this.#counting = setInterval(count, COUNT_EVERY_MS)
    this.#counting.unref()
  }

  /** Waits for calls in flight, and returns deliveries that do not end in time. */
  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#counting) clearInterval(this.#counting)
    this.#wake()
    await this.#running
    await this.#rounds
      .close(GRACE_MS)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'deliveries: could not record the last attempts'))
  }

  async #run(): Promise<void> {
    let idleRounds = 0
    while (!this.#isStopping) {
      let waitMs = 0
      try {
        idleRounds = (await this.#rounds.round()) ? 0 : idleRounds + 1
        this.#failures = 0
        if (idleRounds > 0 && !this.#rounds.hasEnded)
          waitMs = idleRounds < BUSY_FOR_ROUNDS ? BUSY_WAIT_MS : IDLE_WAIT_MS
      } catch (error) {
        this.#log.error({ err: error }, 'deliveries: a round failed')
        this.#failures += 1
        waitMs = FAILURE_WAIT_MS
      }
      if (waitMs > 0 && !this.#isStopping) await this.#waitFor(waitMs)
    }
  }

  /** Waits for a time or until a call has ended. */
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
