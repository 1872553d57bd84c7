import { generateKeyPairSync } from 'node:crypto'
import { SCOPES } from '@vitrine/contract'
import { type PrivateJwk, type VitrineClient, vitrine } from '@vitrine/sdk'
import {
  type Config,
  createInstallation,
  createKey,
  type Database,
  idSource,
  logger,
  openDatabase,
  type Role,
  type RunningVitrine,
  readConfig,
  startProcess,
  systemClock,
  systemRandomness,
  thumbprintOf,
} from '@vitrine/server'
import { loadDemo } from '@vitrine/server/demo'
import { atFileEnd } from '../file-end.ts'
import { OPERATOR_TOKEN } from '../operator-token.ts'
import { NO_LIMITS } from '../rate-limits.ts'
import { SEALING_KEY, secretDeps } from '../secrets.ts'
import { freePorts } from './command.ts'

/** The server as the command line starts it, but in this process: real doors, the real clock. */
export interface Service {
  readonly running: RunningVitrine
  readonly config: Config
  readonly database: Database
  /** The public door. */
  readonly url: string
  /** An SDK client of a new installation, with a bound key of all scopes. */
  app(options?: { readonly storeSlug?: string }): Promise<VitrineClient>
  /** Drains and closes, once. */
  stop(): Promise<void>
}

export interface ServiceOptions {
  readonly databaseUrl: string
  readonly roles?: readonly Role[]
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts the server on a database. It stops with the test file at the latest. */
export async function startService({ databaseUrl, roles, environment }: ServiceOptions): Promise<Service> {
  const config = readConfig({
    RATE_LIMITS: NO_LIMITS,
    // Race tests send more requests at once than a busy machine serves in time.
    REQUESTS_IN_FLIGHT: '2000',
    TEST_PAYMENT_INSTRUCTIONS: 'IBAN DE02 1203 0000 0000 2020 51',
    LOG_LEVEL: 'warn',
    SEALING_KEY: SEALING_KEY.toString('base64'),
    ...(await freePorts()),
    ...environment,
  })
  const database = openDatabase({ url: databaseUrl })
  const running = await startProcess({
    config,
    roles: roles ?? ['public', 'operator'],
    database,
    clock: systemClock,
    randomness: systemRandomness(),
    log: logger(config.logLevel),
    operatorToken: OPERATOR_TOKEN,
  })
  let stopped: Promise<void> | null = null
  const service: Service = {
    running,
    config,
    database,
    url: config.publicUrl,
    app: async ({ storeSlug } = {}) => {
      const { key, privateKey } = await boundKey(database, storeSlug)
      return vitrine({ baseUrl: config.publicUrl, key, privateKey })
    },
    stop() {
      stopped ??= running.stop().then(() => database.close())
      return stopped
    },
  }
  atFileEnd(() => service.stop())
  return service
}

/** A key of a new installation, and the private key it is bound to. */
export async function boundKey(database: Database, storeSlug?: string) {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jkt = await thumbprintOf(pair.publicKey.export({ format: 'jwk' }))
  const randomness = systemRandomness()
  const making = { ids: idSource(systemClock, randomness), now: systemClock.now(), randomness }
  const { key } = await database.transaction(async (tx) => {
    const installationId = await createInstallation(tx, { name: 'An app', environment: 'test', storeSlug }, making)
    return createKey(tx, { installationId, scopes: SCOPES, jkt }, making)
  })
  return { key, privateKey: pair.privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk }
}

/** Loads the demo marketplace into a database. */
export async function loadDemoInto(databaseUrl: string): Promise<void> {
  const database = openDatabase({ url: databaseUrl })
  const randomness = systemRandomness()
  const ids = idSource(systemClock, randomness)
  await loadDemo({ database, ids, ...secretDeps(), now: systemClock.now(), pagesUrl: 'http://127.0.0.1:8081' })
  await database.close()
}
