import type { Randomness } from '../../kernel/randomness.ts'
import type { AllowedTargets } from '../../platform/outbound/index.ts'
import type { Keyring } from '../../platform/secrets/keyring.ts'
import type { Secret } from '../../platform/secrets/rotating-secret.ts'

/** The dependencies of the webhook operations. */
export interface WebhookDeps {
  readonly cursorSecret: Secret
  /** The secrets of signature fixtures are derived from it. */
  readonly fixtureSecret: Secret
  /** Seals the secrets of endpoints. */
  readonly keyring: Keyring
  readonly randomness: Randomness
  readonly allowedTargets: AllowedTargets
}
