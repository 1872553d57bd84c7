import type { Randomness } from '../../kernel/randomness.ts'
import type { AuthorizationServer } from './server-metadata.ts'

/** What the operations of OAuth stand on, beside the request. */
export interface OAuthDeps {
  readonly server: AuthorizationServer
  /** Where people consent: the address of the pages door, without a trailing slash. */
  readonly pagesUrl: string
  /** Seals requests on their way to the consent page. */
  readonly requestSecret: Buffer
  /** Derives the successor of a refresh token. */
  readonly tokenSecret: Buffer
  readonly randomness: Randomness
}
