import { limits, type Operation, type OperationId, operations } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { observeDeliveries, observeProcess, observeQueues } from './composition/metrics.ts'
import type { Config } from './config.ts'
import { accessOperations, grantDemand, type StoreGrants, storeGrants } from './features/access/index.ts'
import { accountJobs, accountOperations, type CheckAcceptance, type MailDeps } from './features/accounts/index.ts'
import { cartOperations, quoteSigner } from './features/carts/index.ts'
import { catalogJobs, catalogOperations, readMarketplace } from './features/catalog/index.ts'
import {
  type CheckoutDeps,
  type CheckoutForPages,
  checkoutForPages,
  checkoutOperations,
  checkoutOutcome,
  endForRevoke,
  lateSuccessOutcome,
} from './features/checkout/index.ts'
import { beginFulfilment, fulfilmentJobs, licenceSafe, stopFulfilment } from './features/fulfilment/index.ts'
import { findCustomerOfToken, type HostedLoginDeps, hostedLoginOperations } from './features/hosted-login/index.ts'
import {
  findCredential,
  getApiKeyIdentity,
  getInstallationIdentity,
  getInstallationReadiness,
  isKnownOrigin,
  KeyUses,
} from './features/installations/index.ts'
import { authorizationServer, findAccessToken, type OAuthDeps, oauthOperations } from './features/oauth/index.ts'
import { orderOperations, refundOutcomes } from './features/orders/index.ts'
import { type PaymentOutcomes, Payments, paymentJobs, paymentProviders } from './features/payments/index.ts'
import { RuleSnapshots } from './features/pricing/index.ts'
import {
  checkAcceptance,
  legalJobs,
  type RuntimeFacts,
  siteName,
  storefrontOperations,
} from './features/storefront/index.ts'
import {
  DeliveryRounds,
  requireOpenableSecrets,
  type WebhookDeps,
  webhookOperations,
} from './features/webhooks/index.ts'
import type { Clock } from './kernel/clock.ts'
import { idSource } from './kernel/ids.ts'
import type { Randomness } from './kernel/randomness.ts'
import type { PagesHouse } from './pages/toolkit/index.ts'
import { isAccessToken } from './platform/auth/access-token.ts'
import { hashOfToken } from './platform/auth/api-key.ts'
import { CredentialCache } from './platform/auth/credential-cache.ts'
import { dpopVerifier } from './platform/auth/dpop.ts'
import { dpopNonces } from './platform/auth/nonce.ts'
import type { Handler } from './platform/http/handler.ts'
import { routeOf } from './platform/http/pipeline.ts'
import { publicDoor } from './platform/http/public-door.ts'
import type { PipelineDeps, Route } from './platform/http/request-context.ts'
import { ResponseCache } from './platform/http/response-cache.ts'
import type { JobHandlers } from './platform/jobs/index.ts'
import { mailJobs, smtpTransport } from './platform/mail/index.ts'
import type { Logger } from './platform/observe/logger.ts'
import { type Metrics, metrics } from './platform/observe/metrics.ts'
import { registerSpanContexts } from './platform/observe/tracing.ts'
import { outboundHttp } from './platform/outbound/index.ts'
import type { Database } from './platform/postgres/index.ts'
import { rateLimiter } from './platform/rate-limit/rate-limiter.ts'
import { RevisionFollower } from './platform/revisions/revision-follower.ts'
import { Revisions } from './platform/revisions/revisions.ts'
import { joinKeyring, openKeyring } from './platform/secrets/sealing-keys.ts'
import { loadSecrets } from './platform/secrets/server-secrets.ts'

/** One handler a row: a missing or an extra one does not compile. */
export type HandlerMap = { readonly [Id in OperationId]: Handler<(typeof operations)[Id]> }

/** What handlers are made with. */
export interface HandlerDeps extends RuntimeFacts {
  readonly checkout: CheckoutDeps
  readonly pagesUrl: string
  readonly cursorSecret: Buffer
  readonly accessSecret: Buffer
  readonly eligibilitySecret: Buffer
  readonly grants: StoreGrants
  readonly oauth: OAuthDeps
  readonly mails: MailDeps
  readonly hostedLogin: HostedLoginDeps
  readonly webhooks: WebhookDeps
}

/** The one handler map. */
export function createHandlers(parts: HandlerDeps): HandlerMap {
  const {
    rateLimits,
    quoteKeys,
    pagesUrl,
    cursorSecret,
    accessSecret,
    eligibilitySecret,
    grants,
    oauth,
    mails,
    hostedLogin,
    webhooks,
    checkout,
  } = parts
  return {
    ...storefrontOperations({ rateLimits, quoteKeys, readMarketplace, pagesUrl }),

    ...catalogOperations({ cursorSecret, grants }),
    ...accessOperations({ secret: accessSecret, grants }),

    ...accountOperations({ demandGrant: grantDemand(grants), checkAcceptance: acceptanceOnRegistering, mails }),

    getInstallationIdentity,
    getInstallationReadiness,
    getApiKeyIdentity,

    ...checkoutOperations(checkout),
    ...hostedLoginOperations(hostedLogin),

    ...cartOperations({
      rules: checkout.rules,
      signer: checkout.signer,
      findCustomer: findCustomerOfToken,
      cancelCheckout: (cart, context) => endForRevoke(context.tx, cart, context),
    }),

    ...orderOperations({ cursorSecret, eligibilitySecret, ports: { stopFulfilment } }),

    ...webhookOperations(webhooks),

    ...oauthOperations(oauth),
  }
}

/** What becomes of a payment, by what it is for. */
function outcomesOf(pagesUrl: string): PaymentOutcomes {
  return {
    checkout: checkoutOutcome({ beginFulfilment, pagesUrl }),
    ...refundOutcomes,
    late_success: lateSuccessOutcome,
  }
}

/** What the process hands to the house. Tests hand in their own clock, randomness and database. */
export interface AppDeps {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly randomness: Randomness
  readonly log: Logger
}

export interface App {
  readonly publicDoor: FastifyInstance
  /** Makes the pages door. What only it needs is loaded by the first call. */
  pagesDoor(): Promise<FastifyInstance>
  /**
   * Makes the operator door. What only it needs is loaded by the first call.
   *
   * @param parts.token what it takes from a command line; `null`: none
   * @param parts.isReady whether this process can answer its callers now
   */
  operatorDoor(parts: {
    readonly token: string | null
    readonly isReady: () => Promise<boolean>
  }): Promise<FastifyInstance>
  /** The token of the link by which the first operator is made; `null` where there is one. */
  setupToken(): Promise<string | null>
  /** Work that a worker does for this house. */
  readonly jobs: JobHandlers
  readonly payments: Payments
  /** What the page of a checkout may do. */
  readonly checkoutForPages: CheckoutForPages
  /** Tells webhook endpoints what happened. */
  readonly deliveries: DeliveryRounds
  readonly metrics: Metrics
  readonly revisions: Revisions
  /** Follows changes that other nodes make, until `stop`. */
  start(): Promise<void>
  stop(): Promise<void>
}

const KEY_USES_FLUSH_MS = 60_000

/** Puts the house together. The database must be migrated. */
export async function createApp(parts: AppDeps): Promise<App> {
  const { config, database, clock, randomness, log } = parts
  registerSpanContexts()
  const ids = idSource(clock, randomness)
  const secrets = await database.transaction((tx) => loadSecrets(tx, randomness))
  const revisions = new Revisions()
  const replicaRevisions = new Revisions()
  await revisions.refresh(database.reader)
  const nonces = dpopNonces(secrets['dpop-nonce'])
  const setupToken = secrets['operator-setup'].toString('base64url')
  const signer = quoteSigner(secrets['quote-signature'])
  const uses = new KeyUses()
  const grants = storeGrants(secrets['store-access'])
  const mails: MailDeps = { siteName: siteName(revisions), pagesUrl: config.pagesUrl }
  const oauth: OAuthDeps = {
    server: authorizationServer(config.publicUrl),
    pagesUrl: config.pagesUrl,
    requestSecret: secrets['oauth-request'],
    tokenSecret: secrets['oauth-token'],
    randomness,
  }
  const sealing = await openKeyring(config, randomness)
  await requireOpenableSecrets(database.reader, sealing)
  const lackingKeys = await database.transaction((tx) => joinKeyring(tx, sealing, clock.now()))
  if (lackingKeys.length > 0) {
    log.warn({ lackingKeys }, 'other nodes seal webhook secrets with other keys: set WEBHOOK_SECRET_KEY on all of them')
  }
  const webhooks: WebhookDeps = {
    cursorSecret: secrets.cursor,
    fixtureSecret: secrets['webhook-fixture'],
    keyring: sealing,
    randomness,
    allowedTargets: config.webhookAllowedTargets,
  }
  const checkout: CheckoutDeps = {
    pagesUrl: config.pagesUrl,
    pageSecret: secrets['checkout-page'],
    rules: new RuleSnapshots(),
    signer,
  }
  const metered = metrics()

  const house: PipelineDeps = {
    database,
    publicReader: async () => {
      if (database.replica === database.reader) return database.reader
      await replicaRevisions.refresh(database.replica)
      return replicaRevisions.stamp === revisions.stamp ? database.replica : database.reader
    },
    clock,
    ids,
    limiter: rateLimiter(database.reader, config.rateLimits),
    revisions,
    responseCache: new ResponseCache(revisions),
    verifyProof: dpopVerifier(nonces),
    nonces,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    credentials: new CredentialCache(database.reader, (reader, token) =>
      isAccessToken(token) ? findAccessToken(reader, token) : findCredential(reader, hashOfToken(token)),
    ),
    recordUse: ({ type, id }, now) => {
      if (type === 'api_key') uses.note(id, now)
    },
  }
  const door = publicDoor({
    deps: house,
    routes: routesOf(
      createHandlers({
        rateLimits: config.rateLimits,
        quoteKeys: [signer.publicJwk],
        pagesUrl: config.pagesUrl,
        cursorSecret: secrets.cursor,
        accessSecret: secrets['store-access'],
        eligibilitySecret: secrets.eligibility,
        grants,
        oauth,
        mails,
        hostedLogin: { pagesUrl: config.pagesUrl, randomness },
        webhooks,
        checkout,
      }),
    ),
    log,
    metrics: metered,
    isKnownOrigin: (origin) => isKnownOrigin(database.reader, origin),
  })
  observeProcess(metered, house)

  const { smtpUrl, mailFrom } = config
  const licences = licenceSafe(secrets, randomness)
  const payments = new Payments({
    database,
    clock,
    ids,
    log,
    providers: paymentProviders({ pagesUrl: config.pagesUrl, simulator: config.simulator }),
    outcomes: outcomesOf(config.pagesUrl),
    timeoutMs: config.paymentTimeoutMs,
    instructions: config.paymentInstructions,
  })
  const onPage = checkoutForPages({
    ...checkout,
    beginFulfilment,
    isOffered: (provider, environment, currency) =>
      payments.methodsFor(environment, currency).some((method) => method.provider === provider),
    revisionOf: (subject) => String(revisions.of(subject)),
  })
  const jobs: JobHandlers = {
    ...paymentJobs(payments),
    ...mailJobs(smtpUrl === null ? null : smtpTransport({ url: smtpUrl, from: mailFrom })),
    ...accountJobs({ ...mails, randomness }),
    ...catalogJobs(),
    ...fulfilmentJobs({ siteName: mails.siteName, safe: licences }),
    ...legalJobs(),
  }
  const webhookHttp = outboundHttp({
    allowed: config.webhookAllowedTargets,
    timeoutMs: limits.webhooks.timeoutSeconds * 1000,
  })
  const deliveries = new DeliveryRounds({
    database,
    clock,
    ids,
    randomness,
    keyring: sealing,
    outboundHttp: webhookHttp,
    log,
  })
  observeDeliveries(metered, deliveries)
  const pagesHouse: PagesHouse = {
    database,
    clock,
    ids,
    randomness,
    limiter: house.limiter,
    log,
    metrics: metered,
    pagesUrl: config.pagesUrl,
    trustedProxies: config.trustedProxies,
    formSecret: secrets['page-form'],
    siteName: mails.siteName,
  }

  const following = new RevisionFollower({ database, revisions, log })
  let flushing: NodeJS.Timeout | null = null
  // When a key was last used is worth telling, and not worth failing for.
  const flushKeyUses = () =>
    database
      .transaction(async (tx) => uses.flush(tx))
      .catch((error: unknown) => log.warn({ err: error }, 'the last uses of keys were not noted'))
  return {
    publicDoor: door,
    jobs,
    payments,
    checkoutForPages: onPage,
    deliveries,
    metrics: metered,
    revisions,
    async pagesDoor() {
      const pages = await import('./pages/index.ts')
      const { accountPages, checkoutPages, consentPages, legalPages, loginPages, pagesDoor, paymentPages } = pages
      return pagesDoor(
        pagesHouse,
        [
          ...paymentPages(payments),
          ...checkoutPages({ checkout: onPage, payments, publicUrl: config.publicUrl }),
          ...accountPages({ demandGrant: grantDemand(grants), checkAcceptance: acceptanceOnRegistering, mails }),
          ...loginPages({ issuer: config.publicUrl }),
          ...consentPages(oauth),
          ...legalPages(),
        ],
        [pages.paymentNotifications(payments)],
      )
    },
    async setupToken() {
      const { operatorsExist } = await import('./operator/operator-door.ts')
      return (await operatorsExist(database.reader)) ? null : setupToken
    },
    async operatorDoor({ token, isReady }) {
      const { operatorDoor } = await import('./operator/operator-door.ts')
      observeQueues(metered, { database, clock })
      return operatorDoor({
        database,
        clock,
        ids,
        randomness,
        log,
        metrics: metered,
        limiter: house.limiter,
        isReady,
        publicUrl: config.publicUrl,
        operatorUrl: config.operatorUrl,
        tokenHash: token === null ? null : hashOfToken(token),
        setupToken,
        cursorSecret: secrets.cursor,
        payments,
        licences,
      })
    },
    async start() {
      await following.start()
      flushing = setInterval(() => void flushKeyUses(), KEY_USES_FLUSH_MS)
      flushing.unref()
    },
    async stop() {
      if (flushing) clearInterval(flushing)
      webhookHttp.close()
      await following.stop()
      await flushKeyUses()
    },
  }
}

/** What a new customer has to have accepted. */
const acceptanceOnRegistering: CheckAcceptance = (reader, accepted, { now }) =>
  checkAcceptance(reader, accepted, 'registering', { now })

function routesOf(handlers: HandlerMap): Route[] {
  const ids = Object.keys(operations) as OperationId[]
  return ids.map((id) =>
    routeOf(id, operations[id] as Operation, handlers[id] as unknown as Parameters<typeof routeOf>[2]),
  )
}
