import type { Randomness } from '../../kernel/randomness.ts'

/** What the operations of hosted login stand on, beside the request. */
export interface HostedLoginDeps {
  /** The pages door as the world sees it, without a trailing slash. */
  readonly pagesUrl: string
  readonly randomness: Randomness
}
