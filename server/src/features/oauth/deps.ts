import type { Randomness } from '../../kernel/randomness.ts'
import type { Secret } from '../../platform/secrets/rotating-secret.ts'
import type { AuthorizationServer } from './server-metadata.ts'

export interface OAuthDeps {
  readonly server: AuthorizationServer
  /** Public URL of the pages door, without a trailing slash. */
  readonly pagesUrl: string
  /** Encrypts authorization requests on their way to the consent page. */
  readonly requestSecret: Secret
  /** Derives the next refresh token from the current one. */
  readonly tokenSecret: Secret
  readonly randomness: Randomness
}
