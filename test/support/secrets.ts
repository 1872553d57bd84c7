import type { Clock } from '../../server/src/kernel/clock.ts'
import { systemClock } from '../../server/src/kernel/clock.ts'
import { systemRandomness } from '../../server/src/kernel/randomness.ts'
import { keyring } from '../../server/src/platform/secrets/keyring.ts'
import { shared } from '../../server/src/platform/secrets/sealing-keys.ts'
import type { SecretDeps } from '../../server/src/platform/secrets/server-secrets.ts'

/** The sealing key of worlds and services in tests. */
export const SEALING_KEY = Buffer.alloc(32, 7)

/** The dependencies for opening the secrets of a world. */
export function secretDeps(clock: Clock = systemClock): SecretDeps {
  const randomness = systemRandomness()
  return { keyring: shared(keyring([SEALING_KEY], randomness)), randomness, clock }
}
