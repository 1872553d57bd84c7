import type { Logger } from '../observe/logger.ts'
import type { Database } from '../postgres/index.ts'
import type { Revisions } from './revisions.ts'

/** The notification is a wake-up; this look is the truth. */
const POLL_MS = 1000

/** Keeps what this process knows of revisions in step with the database, until it is stopped. */
export class RevisionFollower {
  readonly #parts: { readonly database: Database; readonly revisions: Revisions; readonly log: Logger }
  #timer: NodeJS.Timeout | null = null
  #unlisten: (() => Promise<void>) | null = null
  #looking: Promise<void> | null = null
  #lookAgain = false

  constructor(parts: { readonly database: Database; readonly revisions: Revisions; readonly log: Logger }) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    const { database, log } = this.#parts
    this.#unlisten = await database.listen('vitrine_revisions', () => void this.#look())
    this.#timer = setInterval(() => void this.#look(), POLL_MS)
    this.#timer.unref()
    await this.#look()
    log.debug('following revisions')
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    await this.#unlisten?.()
    await this.#looking
  }

  /** One look at a time; a wake-up during a look asks for one more, since the look may have begun before the change. */
  async #look(): Promise<void> {
    if (this.#looking) {
      this.#lookAgain = true
      return this.#looking
    }
    this.#looking = this.#refresh()
    await this.#looking
    this.#looking = null
  }

  async #refresh(): Promise<void> {
    const { database, revisions, log } = this.#parts
    do {
      this.#lookAgain = false
      try {
        await revisions.refresh(database.reader)
      } catch (error) {
        log.warn({ err: error }, 'revisions could not be read; the next look is in a second')
      }
    } while (this.#lookAgain)
  }
}
