import type { Randomness } from '../../kernel/randomness.ts'
import type { AllowedTargets } from '../../platform/outbound/index.ts'
import type { Keyring } from '../../platform/secrets/keyring.ts'

/** What the operations of webhooks stand on, beside the request. */
export interface WebhookDeps {
  readonly cursorSecret: Buffer
  /** What the secrets of signature fixtures are derived from. */
  readonly fixtureSecret: Buffer
  /** What the secrets of endpoints are sealed with. */
  readonly keyring: Keyring
  readonly randomness: Randomness
  readonly allowedTargets: AllowedTargets
}
