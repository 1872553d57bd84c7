import type { FastifyInstance } from 'fastify'
import { createFeatureDeps, type FeatureDeps } from './composition/feature-deps.ts'
import { createJobs, createWebhookDelivery } from './composition/jobs.ts'
import { createOperatorDoor, findSetupToken, type OperatorDoorSettings } from './composition/operator.ts'
import { createPagesDoor } from './composition/pages.ts'
import { createCheckoutPageDeps, createPayments } from './composition/payments.ts'
import { createPublicDoor, type HandlerMap } from './composition/public.ts'
import { type AppDeps, createRuntime, joinKeyrings, type Runtime } from './composition/runtime.ts'
import { accessOperations } from './features/access/index.ts'
import { accountOperations } from './features/accounts/index.ts'
import { afterSalesOperations, requestsOf } from './features/after-sales/index.ts'
import { cancellationOperations } from './features/cancellations/index.ts'
import { cartOperations } from './features/carts/index.ts'
import { CatalogCounts, catalogOperations, readMarketplace, SearchCounts } from './features/catalog/index.ts'
import { type CheckoutPageDeps, cancelForRevokedCart, checkoutOperations } from './features/checkout/index.ts'
import { licenseVault, stopFulfillment } from './features/fulfillment/index.ts'
import { findCustomerByToken, hostedLoginOperations } from './features/hosted-login/index.ts'
import {
  getApiKeyIdentity,
  getInstallationIdentity,
  getInstallationReadiness,
  KeyUses,
} from './features/installations/index.ts'
import { oauthOperations } from './features/oauth/index.ts'
import { orderOperations } from './features/orders/index.ts'
import { type Payments, takesTransfers } from './features/payments/index.ts'
import { promotionCodesExist, RULES } from './features/promotions/index.ts'
import { storefrontOperations } from './features/storefront/index.ts'
import { type DeliveryRounds, webhookOperations } from './features/webhooks/index.ts'
import { repeatOnTimer } from './kernel/clock.ts'
import { boundLoad, type LoadLimits } from './platform/http/overload.ts'
import type { JobHandlers } from './platform/jobs/index.ts'
import type { Metrics } from './platform/observe/metrics.ts'
import { RevisionFollower } from './platform/revisions/revision-follower.ts'
import type { Revisions } from './platform/revisions/revisions.ts'

export type { AppDeps } from './composition/runtime.ts'

/** The handler of every public operation. */
function createHandlers(
  { config, database, secrets }: Runtime,
  features: FeatureDeps,
  { payments, counts, searches }: { payments: Payments; counts: CatalogCounts; searches: SearchCounts },
): HandlerMap {
  const { rateLimits, pagesUrl } = config
  const { grants, accounts, signers, checkout, hostedLogin, oauth, webhooks } = features
  const cursorSecret = secrets.cursor
  return {
    ...storefrontOperations({
      rateLimits,
      quoteKeys: () => signers.publicJwks,
      transferSeconds: config.bankTransfer.days * 86_400,
      readMarketplace,
      pagesUrl,
      sendsMail: config.smtpUrl !== null,
      promotionCodes: { subject: RULES, exist: promotionCodesExist },
      takesPayments: async (reader, environment, currencies) =>
        currencies.some((currency) =>
          payments.methodsFor(environment, currency).some(({ kind }) => kind !== 'manual'),
        ) || (await takesTransfers(reader, environment, currencies, config.bankTransfer)),
    }),

    ...catalogOperations({ cursorSecret, grants, reader: database.reader, counts, searches }),
    ...accessOperations({ secret: secrets['store-access'], grants }),

    ...accountOperations(accounts),

    getInstallationIdentity,
    getInstallationReadiness,
    getApiKeyIdentity,

    ...checkoutOperations(checkout),
    ...hostedLoginOperations(hostedLogin),

    ...cartOperations({
      rules: checkout.rules,
      signers,
      findCustomer: findCustomerByToken,
      checkVatIds: features.checkVatIds,
      cancelCheckout: (cart, context) => cancelForRevokedCart(context.tx, cart, context),
    }),

    ...orderOperations({ cursorSecret, requestsOf }),
    ...cancellationOperations({ eligibilitySecret: secrets.eligibility, stopFulfillment }),
    ...afterSalesOperations({ eligibilitySecret: secrets.eligibility }),

    ...webhookOperations(webhooks),

    ...oauthOperations(oauth),
  }
}

export interface App {
  readonly publicDoor: FastifyInstance
  /** Creates the pages door, importing its modules on the first call. */
  pagesDoor(): Promise<FastifyInstance>
  /** Creates the operator door, importing its modules on the first call. */
  operatorDoor(settings: OperatorDoorSettings): Promise<FastifyInstance>
  /** The token of the setup link for the first operator; `null` once an operator exists. */
  setupToken(): Promise<string | null>
  /** Handlers for the worker. */
  readonly jobs: JobHandlers
  readonly payments: Payments
  readonly checkoutPage: CheckoutPageDeps
  /** Delivers webhooks. */
  readonly deliveries: DeliveryRounds
  readonly metrics: Metrics
  readonly revisions: Revisions
  /** Writes what this process has counted: every minute, and when it stops. */
  writeCounts(): Promise<void>
  /** Follows the changes of other nodes until `stop`. */
  start(): Promise<void>
  stop(): Promise<void>
}

const COUNTS_FLUSH_MS = 60_000
/** Short, so that a list has few changes of the catalog to read. */
const COUNTS_REFRESH_MS = 1000
/** Longer than any response takes to begin: with the lookup of a lost COMMIT, 35 s. */
const SILENT_MS_MAX = 90_000
/** Served under any load: a busy process is healthy. */
const HEALTH_PATHS = ['/livez', '/readyz', '/metrics']

/** Composes the application. The database must be migrated. */
export async function createApp(deps: AppDeps): Promise<App> {
  const runtime = await createRuntime(deps)
  const { database, log, randomness, repeat = repeatOnTimer, revisions, secrets } = runtime
  const features = createFeatureDeps(runtime)
  const keyUses = new KeyUses()
  const searches = new SearchCounts(runtime.clock)
  const waitedMs = () => {
    const { writers, readers } = database.pools()
    return Math.max(writers.waitedMs, readers.waitedMs)
  }
  const bounded = (door: FastifyInstance, limits: Partial<LoadLimits> = {}) => {
    boundLoad(door, { inFlightMax: runtime.config.requestsInFlightMax, silentMsMax: SILENT_MS_MAX, ...limits })
    return door
  }
  const payments = createPayments(runtime)
  const counts = new CatalogCounts({ reader: database.reader, log })
  const handlers = createHandlers(runtime, features, { payments, counts, searches })
  const publicDoor = bounded(createPublicDoor(runtime, handlers, keyUses), { waitedMs })

  const licenses = licenseVault(secrets, randomness)
  const checkoutPage = createCheckoutPageDeps(runtime, features.checkout, payments)
  const jobs = createJobs(runtime, { mails: features.accounts.mails, payments, licenses })
  const { deliveries, webhookHttp } = createWebhookDelivery(runtime)

  const follower = new RevisionFollower({ database, revisions, log, repeat })
  let stopRepeating = () => {}
  // They are written again in a minute.
  const writeCounts = async () => {
    for (const counted of [keyUses, searches]) {
      await counted
        .flush(database)
        .catch((error: unknown) => log.warn({ err: error }, 'could not record the last uses of keys and searches'))
    }
  }

  return {
    publicDoor,
    pagesDoor: async () => bounded(await createPagesDoor(runtime, { features, payments, checkoutPage })),
    operatorDoor: async (settings) =>
      bounded(await createOperatorDoor(runtime, { features, payments, licenses }, settings), { exempt: HEALTH_PATHS }),
    setupToken: () => findSetupToken(runtime),
    jobs,
    payments,
    checkoutPage,
    deliveries,
    metrics: runtime.metrics,
    revisions,
    writeCounts,
    async start() {
      await joinKeyrings(runtime)
      await follower.start()
      const stops = [
        repeat(() => void writeCounts(), COUNTS_FLUSH_MS),
        repeat(() => void counts.keepUp(), COUNTS_REFRESH_MS),
      ]
      stopRepeating = () => {
        for (const stop of stops) stop()
      }
    },
    async stop() {
      stopRepeating()
      await counts.stop()
      webhookHttp.close()
      await follower.stop()
      await writeCounts()
    },
  }
}
