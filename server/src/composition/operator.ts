import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { LicenseVault } from '../features/fulfillment/index.ts'
import { PictureMaker } from '../features/media/index.ts'
import type { Payments } from '../features/payments/index.ts'
import { letterheads } from '../features/storefront/index.ts'
import { isLoopback } from '../kernel/loopback.ts'
import type { MetricsAccess } from '../operator/operator-door.ts'
import { hashOfToken } from '../platform/auth/api-key.ts'
import { addKeyToFile, keepsOwnKeys } from '../platform/secrets/sealing-keys.ts'
import { problemsOfProof } from '../production-facts.ts'
import { type FeatureDeps, taxProvidersOf } from './feature-deps.ts'
import { observeBackups, observeQueues } from './metrics.ts'
import { transferTerms } from './payments.ts'
import type { Runtime } from './runtime.ts'

export interface OperatorDoorSettings {
  /** The token that the command line authenticates with; `null` if none is accepted. */
  readonly token: string | null
  /** Whether this process can serve requests now. */
  readonly isReady: () => Promise<boolean>
}

interface OperatorDoorDeps {
  readonly features: FeatureDeps
  readonly payments: Payments
  readonly licenses: LicenseVault
}

/** Imports the operator API and the console on the first call, so that a process without this door never loads them. */
export async function createOperatorDoor(
  runtime: Runtime,
  { features, payments, licenses }: OperatorDoorDeps,
  { token, isReady }: OperatorDoorSettings,
): Promise<FastifyInstance> {
  const { config, database, clock, ids, randomness, limiter, log, metrics, secrets, keyring, mediaStore } = runtime
  const { IdentityProvider, operatorDoor } = await import('../operator/operator-door.ts')
  observeQueues(metrics, { database, clock })
  observeBackups(metrics, { directory: config.backup.directory, clock })
  warnOfOpenDoor(runtime)
  const maker = new PictureMaker()
  const door = operatorDoor({
    database,
    clock,
    ids,
    randomness,
    log,
    metrics,
    limiter,
    isReady,
    metricsAccess: metricsAccess(config),
    publicUrl: config.publicUrl,
    operatorUrl: config.operatorUrl,
    operatorProxies: config.operatorProxies,
    tokenHash: token === null ? null : hashOfToken(token),
    setupToken: () => setupTokenOf(runtime),
    cursorSecret: secrets.cursor,
    payments,
    transfer: transferTerms(config.bankTransfer),
    licenses,
    authorizationServer: features.oauth.server,
    keyring,
    identityProvider: config.identityProvider && new IdentityProvider(config.identityProvider, config.operatorUrl),
    addSealingKey: keepsOwnKeys(config) ? () => addKeyToFile(config.dataDirectory, randomness) : null,
    allowedTargets: config.webhookAllowedTargets,
    taxProviders: [...taxProvidersOf(config).keys()],
    loadLetterhead: letterheads(config),
    mailFrom: config.mailFrom,
    pagesUrl: config.pagesUrl,
    trustedProxies: config.trustedProxies,
    problemsOfProof: (code, now) => problemsOfProof(config, code, now),
    media: { store: mediaStore, maker, workDirectory: config.media.workDirectory, url: config.media.url },
  })
  door.addHook('onClose', () => maker.close())
  return door
}

/** On loopback, anyone on the machine may read the metrics unless a token is set. */
function metricsAccess({ metricsToken, operatorHost }: Config): MetricsAccess {
  if (metricsToken !== null) return { tokenHash: hashOfToken(metricsToken) }
  return isLoopback(operatorHost) ? 'open' : { tokenHash: null }
}

/** Warns if other machines reach the operator door over plain HTTP, or cannot read its metrics for lack of a token. */
function warnOfOpenDoor({ config, log }: Runtime): void {
  const { operatorHost, operatorUrl, metricsToken } = config
  if (isLoopback(operatorHost)) return
  if (operatorUrl.startsWith('http:')) {
    log.warn(
      { operatorHost, operatorUrl },
      'other machines reach the operator door over http: passwords and sessions can be read',
    )
  }
  if (metricsToken === null)
    log.warn('set METRICS_TOKEN: /metrics needs it, because other machines reach the operator door')
}

/** The token of the setup link for the first operator; `null` once an operator exists. */
export async function findSetupToken(runtime: Runtime): Promise<string | null> {
  const { operatorsExist } = await import('../operator/operator-door.ts')
  return (await operatorsExist(runtime.database.reader)) ? null : setupTokenOf(runtime)
}

function setupTokenOf({ secrets }: Runtime): string {
  return secrets['operator-setup'].current.toString('base64url')
}
