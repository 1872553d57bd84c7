import type { Config } from '../config.ts'
import { diskStore, type MediaStore, s3Store } from '../features/media/index.ts'
import type { Clock, Repeat } from '../kernel/clock.ts'
import { type IdSource, idSource } from '../kernel/ids.ts'
import type { Randomness } from '../kernel/randomness.ts'
import { keepDictionaries } from '../platform/idempotency/answers.ts'
import type { Logger } from '../platform/observe/logger.ts'
import { createMetrics, type Metrics } from '../platform/observe/metrics.ts'
import { registerSpanContexts } from '../platform/observe/tracing.ts'
import type { Database } from '../platform/postgres/index.ts'
import { type RateLimiter, rateLimiter } from '../platform/rate-limit/rate-limiter.ts'
import { Revisions } from '../platform/revisions/revisions.ts'
import type { Keyring } from '../platform/secrets/keyring.ts'
import { assertOpenable, someSealingKey } from '../platform/secrets/sealed-places.ts'
import { joinKeyring, openKeyring } from '../platform/secrets/sealing-keys.ts'
import { loadSecrets, SECRETS_SUBJECT, type ServerSecrets } from '../platform/secrets/server-secrets.ts'

/** The dependencies that the process provides. Tests provide their own clock, randomness and database. */
export interface AppDeps {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly randomness: Randomness
  readonly log: Logger
  /** Default: on a timer. A test that counts queries replaces it, so that only its own queries run. */
  readonly repeat?: Repeat
}

/** The services that every door of this process shares. */
export interface Runtime extends AppDeps {
  readonly ids: IdSource
  readonly secrets: ServerSecrets
  /** Encrypts the secrets that are stored in the database. */
  readonly keyring: Keyring
  readonly revisions: Revisions
  readonly limiter: RateLimiter
  readonly metrics: Metrics
  /** Keeps uploaded pictures. */
  readonly mediaStore: MediaStore
}

/** Loads secrets and revisions. The database must be migrated. */
export async function createRuntime(deps: AppDeps): Promise<Runtime> {
  const { config, database, clock, randomness } = deps
  registerSpanContexts()
  const keyring = await openKeyring(config, randomness, await someSealingKey(database.reader))
  await assertOpenable(database.reader, keyring)
  const secrets = await database.transaction((tx) => {
    keepDictionaries(tx)
    return loadSecrets(tx, { keyring, randomness, clock })
  })
  // Secrets are reloaded before the cached responses that depend on them become stale, which are then rendered with the new ones.
  const revisions = new Revisions({ [SECRETS_SUBJECT]: (reader) => secrets.refresh(reader) })
  await revisions.refresh(database.reader)
  const { directory, s3 } = config.media
  return {
    ...deps,
    ids: idSource(clock, randomness),
    secrets: secrets.values,
    keyring,
    revisions,
    limiter: rateLimiter(database.reader, config.rateLimits),
    metrics: createMetrics(),
    mediaStore: s3 === null ? diskStore(directory) : s3Store(s3, clock),
  }
}

/** Records this node's key and warns of keys that only other nodes have. For serving processes, not for commands that create an app. */
export async function joinKeyrings({ database, keyring, clock, log }: Runtime): Promise<void> {
  const missingKeys = await database.transaction((tx) => joinKeyring(tx, keyring, clock.now()))
  if (missingKeys.length > 0) {
    log.warn({ missingKeys }, 'other nodes seal secrets with other keys: set SEALING_KEY on all of them')
  }
}
