import type { FastifyInstance } from 'fastify'
import type { CheckoutPageDeps } from '../features/checkout/index.ts'
import { stopFulfillment } from '../features/fulfillment/index.ts'
import { invoiceFile, savePagesAddress } from '../features/orders/index.ts'
import type { Payments } from '../features/payments/index.ts'
import { documentsByRevision, sellers } from '../features/storefront/index.ts'
import type { FeatureDeps } from './feature-deps.ts'
import type { Runtime } from './runtime.ts'

interface PagesDoorDeps {
  readonly features: FeatureDeps
  readonly payments: Payments
  readonly checkoutPage: CheckoutPageDeps
}

/** Imports the pages on the first call, so that a process without this door never loads them. */
export async function createPagesDoor(
  runtime: Runtime,
  { features, payments, checkoutPage }: PagesDoorDeps,
): Promise<FastifyInstance> {
  const { config, database, clock, ids, randomness, limiter, log, metrics, revisions, secrets, mediaStore } = runtime
  const pages = await import('../pages/index.ts')
  await database.transaction(async (tx) => savePagesAddress(tx, config.pagesUrl))
  const deps = {
    database,
    clock,
    ids,
    randomness,
    limiter,
    log,
    metrics,
    pagesUrl: config.pagesUrl,
    trustedProxies: config.trustedProxies,
    formSecret: secrets['page-form'],
    publicUrl: config.publicUrl,
    seller: sellers(revisions),
  }
  const routes = [
    ...pages.paymentPages(payments),
    ...pages.checkoutPages({
      checkout: checkoutPage,
      payments,
      documentsToAccept: documentsByRevision(revisions),
      publicUrl: config.publicUrl,
      checkVatIds: features.checkVatIds,
    }),
    ...pages.accountPages(features.accounts),
    ...pages.orderPages({
      publicUrl: config.publicUrl,
      pagesUrl: config.pagesUrl,
      stopFulfillment,
      invoicePdf: (invoice, now) => invoiceFile(database, invoice, now),
    }),
    ...pages.loginPages({ issuer: config.publicUrl }),
    ...pages.consentPages(features.oauth),
    ...pages.legalPages(),
    ...pages.startPages(),
    ...pages.storeAccessPages({ grants: features.grants }),
  ]
  return pages.pagesDoor(deps, routes, [
    pages.paymentNotifications(payments),
    pages.oauthMetadata(features.oauth.server),
    pages.media(mediaStore, config.requestsInFlightMax),
    pages.securityContact(config.securityContact, { pagesUrl: config.pagesUrl, clock }),
  ])
}
