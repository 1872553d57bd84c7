import type { Repeat } from '../../kernel/clock.ts'
import type { Logger } from '../observe/logger.ts'
import type { Database } from '../postgres/index.ts'
import type { Revisions } from './revisions.ts'

/** Notifications only make it faster. The poll ensures that no change is missed. */
const POLL_MS = 1000

interface RevisionFollowerDeps {
  readonly database: Database
  readonly revisions: Revisions
  readonly log: Logger
  readonly repeat: Repeat
}

/** Keeps the revisions of this process in sync with the database until it is stopped. */
export class RevisionFollower {
  readonly #deps: RevisionFollowerDeps
  #stopPolling: (() => void) | null = null
  #unlisten: (() => Promise<void>) | null = null
  #refreshing: Promise<void> | null = null
  #refreshAgain = false

  constructor(deps: RevisionFollowerDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    const { database, log, repeat } = this.#deps
    this.#unlisten = await database.listen('vitrine_revisions', () => void this.#refreshOnce())
    this.#stopPolling = repeat(() => void this.#refreshOnce(), POLL_MS)
    await this.#refreshOnce()
    log.debug('following revisions')
  }

  async stop(): Promise<void> {
    this.#stopPolling?.()
    await this.#unlisten?.()
    await this.#refreshing
  }

  /** One refresh at a time. A wake-up during a refresh causes another one, since it may have begun before the change. */
  async #refreshOnce(): Promise<void> {
    if (this.#refreshing) {
      this.#refreshAgain = true
      return this.#refreshing
    }
    this.#refreshing = this.#refresh()
    await this.#refreshing
    this.#refreshing = null
  }

  async #refresh(): Promise<void> {
    const { database, revisions, log } = this.#deps
    do {
      this.#refreshAgain = false
      try {
        await revisions.refresh(database.reader)
      } catch (error) {
        log.warn({ err: error }, 'could not read revisions; retrying in a second')
      }
    } while (this.#refreshAgain)
  }
}
